package judge

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// The tests of interactions use two programs in C. The arguments of the case are
// the words that each program obeys in order.
const obedient = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char line[1 << 16];

static void obey(const char *word) {
	const char *arg = strchr(word, '=');
	long n = arg ? atol(++arg) : 0;
	if (!strncmp(word, "say=", 4)) { dprintf(1, "%s\n", arg); }
	else if (!strcmp(word, "read")) { if (!fgets(line, sizeof line, stdin)) _exit(99); }
	else if (!strcmp(word, "eof")) { while (fgets(line, sizeof line, stdin)) {} }
	else if (!strncmp(word, "want=", 5)) { if (!fgets(line, sizeof line, stdin) || strcspn(line, "\n") != strlen(arg) || strncmp(line, arg, strlen(arg))) _exit(43); }
	else if (!strncmp(word, "exit=", 5)) { _exit(n); }
	else if (!strncmp(word, "sleep=", 6)) { usleep(n * 1000); }
	else if (!strcmp(word, "burn")) { for (volatile long i = 0;; i++) {} }
	else if (!strncmp(word, "burn=", 5)) { while (clock() < n * (CLOCKS_PER_SEC / 1000)) {} }
	else if (!strncmp(word, "mib=", 4)) { static char b[1 << 20]; memset(b, 'x', sizeof b); while (n--) if (write(1, b, sizeof b) < 0) _exit(98); }
	else if (!strcmp(word, "flood")) { static char b[1 << 16]; for (;;) if (write(1, b, sizeof b) < 0) _exit(98); }
	else if (!strcmp(word, "crash")) { raise(SIGSEGV); }
	else if (!strcmp(word, "stop")) { raise(SIGSTOP); }
	else if (!strcmp(word, "closeout")) { close(1); }
	else if (!strcmp(word, "closein")) { fclose(stdin); }
	else if (!strcmp(word, "keeper")) { if (!fork()) { sleep(1000); _exit(0); } }
	else if (!strcmp(word, "daemon")) { if (!fork()) { setsid(); if (!fork()) sleep(1000); _exit(0); } else wait(0); }
	else if (!strcmp(word, "bomb")) { for (;;) if (!fork()) pause(); }
	else if (!strncmp(word, "grab=", 5)) { memset(malloc(n << 20), 1, n << 20); }
	else if (!strncmp(word, "rounds=", 7)) { while (n-- && fgets(line, sizeof line, stdin)) dprintf(1, "%s", line); }
	else if (!strncmp(word, "ask=", 4)) { for (long i = 0; i < n; i++) { dprintf(1, "%ld\n", i); if (!fgets(line, sizeof line, stdin) || atol(line) != i) _exit(43); } }
	else { dprintf(2, "no such word: %s\n", word); _exit(97); }
}

int main(int n, char **words) {
	for (int i = FIRST; i < n; i++) obey(words[i]);
	return 0;
}
`

// An interactionCase is a case with the words for both programs.
type interactionCase struct {
	fact                  string
	submission, validator string // words
	want                  string // a verdict; JE for a judge error
	why                   string // part of the reason, or of the error
}

// interactiveProblem returns a problem with a case for each row, in order.
func interactiveProblem(t testing.TB, yaml string, rows []interactionCase) (*problem.Problem, *problem.Submission) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc:", err)
	}
	quoted := func(words string) string {
		var list []string
		for _, w := range strings.Fields(words) {
			list = append(list, fmt.Sprintf("%q", w))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	m := fstest.MapFS{
		"problem.yaml":                 {Data: []byte("problem_format_version: 2025-09\nname: Talk\ntype: interactive\nuuid: 0e6f4c3a-5d0b-4a57-9f4e-6a4f0a8d0002\n" + yaml)},
		"submissions/rejected/obeys.c": {Data: []byte(strings.Replace(obedient, "FIRST", "1", 1))},
		"output_validator/obeys.c":     {Data: []byte(strings.Replace(obedient, "FIRST", "4", 1))},
		"statement/problem.en.md":      {Data: []byte("Talk.\n")},
	}
	for i, row := range rows {
		name := fmt.Sprintf("data/secret/%04d", i)
		m[name+".in"] = &fstest.MapFile{Data: []byte("secret\n")}
		m[name+".ans"] = &fstest.MapFile{}
		m[name+".yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil, "args: %s\noutput_validator_args: %s\n", quoted(row.submission), quoted(row.validator))}
	}
	p, err := problem.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	return p, p.Submissions[0]
}

// holdInteractions judges the rows and compares the results.
func holdInteractions(t *testing.T, j *Judge, yaml string, rows []interactionCase) {
	t.Helper()
	p, s := interactiveProblem(t, yaml, rows)
	j.All = true
	r := j.Run(t.Context(), s, p.Cases)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if len(r.Runs) != len(rows) {
		t.Fatalf("%d runs, want %d", len(r.Runs), len(rows))
	}
	for i, row := range rows {
		t.Run(row.fact, func(t *testing.T) {
			run := &r.Runs[i]
			got, why := string(run.Verdict), run.Why
			if run.Err != nil {
				got, why = "JE", run.Err.Error()
			}
			const question = "flush its output"
			if got != row.want || !strings.Contains(why, row.why) || strings.Contains(why, question) && !strings.Contains(row.why, question) {
				t.Errorf("submission %q, validator %q: %s: %s (%+v); want %s: %s", row.submission, row.validator, got, why, run.Outcome, row.want, row.why)
			}
		})
	}
}

func judgeOnLevel(t testing.TB, level sandbox.Level, jobs int) *Judge {
	t.Helper()
	j := &Judge{Most: level, Jobs: jobs, Cache: t.TempDir()}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	if level != 0 && j.Protection().Level != level {
		t.Skipf("this machine has %v", j.Protection().Level)
	}
	return j
}

const shortLimits = "limits: {time_limit: 0.3, time_resolution: 0.1, memory: 96, output: 1, validation_time: 1, validation_memory: 256, validation_output: 4}\n"

func TestInteractions(t *testing.T) {
	t.Parallel()
	rows := []interactionCase{
		{"both agree", "say=1 read", "want=1 say=2 exit=42", "AC", ""},
		{"a wrong answer", "say=2 read", "want=1 say=2 exit=42", "WA", "rejected"},
		{"many rounds", "rounds=2000", "ask=2000 exit=42", "AC", ""},

		{"the validator judges after a good end", "say=1", "want=1 eof exit=42", "AC", ""},
		{"a submission that ends at once has said nothing", "", "want=1 exit=42", "WA", ""},
		{"the validator does not have to read", "say=1", "exit=42", "AC", ""},
		{"the validator rejects at once", "read read", "exit=43", "WA", ""},
		{"writing to a validator that is gone is no crash", "sleep=50 say=1 say=2", "exit=42", "AC", ""},
		{"nor is it for one that rejects", "sleep=50 say=1 say=2", "exit=43", "WA", ""},
		{"writing to a submission that is gone is no crash", "", "sleep=50 say=1 say=2 exit=42", "AC", ""},
		{"much to a submission that is gone", "", "sleep=50 mib=2 exit=42", "AC", ""},
		{"much to a validator that is gone is too much output", "sleep=50 mib=2", "exit=42", "OLE", ""},

		{"rejected first beats a crash", "say=2 read", "want=1 exit=42", "WA", ""},
		{"rejected first beats the end of time", "say=2 burn", "want=1 exit=42", "WA", ""},
		{"rejected first beats sleep", "say=2 sleep=100000", "want=1 exit=42", "WA", ""},
		{"rejected first beats memory", "say=2 sleep=100 grab=104", "want=1 exit=42", "WA", ""},
		{"rejected first beats a flood", "say=2 flood", "want=1 exit=42", "WA", ""},
		{"accepted first is not the end: a crash", "say=1 read", "want=1 exit=42", "RTE", "exit status 99"},
		{"accepted first is not the end: time", "say=1 burn", "want=1 exit=42", "TLE", ""},
		{"what was said counts, though a crash follows at once", "say=2 crash", "want=1 exit=42", "WA", ""},
		{"a crash before anything is said", "crash", "want=1 exit=42", "RTE", ""},
		{"a crash while the validator waits", "say=1 crash", "want=1 read exit=42", "RTE", "killed by SIGSEGV"},
		{"an exit status while the validator waits", "say=1 exit=3", "want=1 eof exit=42", "RTE", "exit status 3"},
		{"time while the validator waits", "say=1 burn", "want=1 eof exit=42", "TLE", "CPU"},

		{"both wait: the submission is too slow", "read", "read exit=42", "TLE", "CPU); did it flush its output?"},
		{"both wait after a question and its answer", "say=1 read read", "want=1 say=2 read exit=42", "TLE", "did it flush its output?"},
		{"no question of flushing when the validator does not read", "say=1 read", "sleep=100000", "TLE", "CPU)"},
		{"no question of flushing when the submission does not read", "sleep=100000", "say=1 read exit=42", "TLE", "CPU)"},
		{"both sleep", "sleep=100000", "sleep=2000 exit=42", "TLE", "did it flush its output?"},
		{"a submission that stops itself", "stop", "eof exit=42", "TLE", "did it flush its output?"},
		{"both write and nobody reads", "flood", "flood", "TLE", ""},
		{"a flood to a validator that reads", "flood", "eof exit=42", "OLE", ""},
		{"a flood from a validator that is not read", "read", "mib=3 exit=42", "AC", ""},
		{"output closed early", "say=1 closeout", "want=1 eof exit=42", "AC", ""},
		{"input closed early", "closein say=1", "say=5 want=1 say=6 exit=42", "AC", ""},
		{"a validator may close its output to say that there is no more", "eof say=1", "say=5 closeout want=1 eof exit=42", "AC", ""},
		{"a crash upon that is a crash", "read read", "say=5 closeout eof exit=42", "RTE", ""},
		{"a child that keeps the pipes", "say=1 keeper", "want=1 eof exit=42", "AC", ""},
		{"a daemon that keeps the pipes", "say=1 daemon", "want=1 eof exit=42", "AC", ""},
		{"a validator's child that keeps the pipes", "eof", "keeper exit=42", "AC", ""},

		{"a validator that exits with 0", "say=1 read", "want=1 exit=0", "JE", "exit status 0"},
		{"a validator that exits with 1", "read", "exit=1", "JE", "exit status 1"},
		{"a validator that crashes", "say=1", "want=1 crash", "JE", "killed by SIGSEGV"},
		{"a validator that crashes first, before a crash", "read", "crash", "JE", "killed by SIGSEGV"},
		{"a validator that crashes upon the end of a crash", "crash", "read exit=42", "RTE", "then output validator"},
		{"a validator that uses too much time", "eof", "burn", "JE", ""},
		{"a validator that uses too much time after the end", "", "eof burn", "JE", "cpu limit"},
		{"a validator that computes while the submission waits", "read", "burn=900 eof exit=42", "JE", "let it wait"},
		{"a validator that says too much", "", "flood", "JE", "output limit"},
		{"a validator that sleeps", "", "sleep=100000", "JE", "wall limit"},

		{"and after all that an interaction as before", "say=1 read", "want=1 say=2 exit=42", "AC", ""},
	}
	if !testkit.Matrix() { // each verdict, and whoever ends first
		var some []interactionCase
		for four := range slices.Chunk(rows, 4) {
			some = append(some, four[0])
		}
		rows = append(some, rows[len(rows)-1])
	}
	levels := []sandbox.Level{0}
	if testkit.Matrix() {
		levels = []sandbox.Level{sandbox.Process, sandbox.Guarded, sandbox.UserBox, sandbox.RootBox}
	}
	for _, level := range levels {
		t.Run(level.String(), func(t *testing.T) {
			j := judgeOnLevel(t, level, 2)
			holdsHostile(t, j)
			holdInteractions(t, j, shortLimits, rows)
			// On a busy machine, 500 forks or 100 MiB take more CPU time than the short limits.
			long := strings.NewReplacer("time_limit: 0.3", "time_limit: 5", "validation_time: 1", "validation_time: 10")
			holdInteractions(t, j, long.Replace(shortLimits), []interactionCase{
				{"accepted first is not the end: memory", "say=1 sleep=50 grab=104", "want=1 exit=42", "MLE", ""},
				{"memory while the validator waits", "grab=104", "eof exit=42", "MLE", ""},
				{"a validator that forks without end", "", "bomb", "JE", "processes limit"},
				{"a validator that uses too much memory", "", "grab=400 exit=42", "JE", "memory limit"},
				{"a fork bomb", "bomb", "eof exit=42", "RTE", "processes"},
			})
		})
	}
}

// TestRejectedSubmissionsAreStopped checks that a submission that runs on after
// its rejection is stopped. Otherwise it would use all of its time limit, or a
// minute if the limit is inferred, and its time would count for the inferred
// limit.
func TestRejectedSubmissionsAreStopped(t *testing.T) {
	for _, level := range []sandbox.Level{0, sandbox.Process} {
		t.Run(level.String(), func(t *testing.T) {
			p, s := interactiveProblem(t, "limits: {time_limit: 5}\n", []interactionCase{
				{submission: "say=2 burn", validator: "want=1 exit=42"},
				{submission: "say=2 sleep=100000", validator: "want=1 exit=42"},
				{submission: "burn", validator: "exit=0"},
			})
			j := judgeOnLevel(t, level, 1)
			j.All = true
			r := j.Run(t.Context(), s, p.Cases)
			if r.Err != nil || len(r.Runs) != 3 {
				t.Fatalf("%d runs, %v", len(r.Runs), r.Err)
			}
			for i, want := range []problem.Verdict{problem.WrongAnswer, problem.WrongAnswer, problem.Undecided} {
				if run := &r.Runs[i]; run.Verdict != want || (run.Err != nil) != (want == problem.Undecided) || run.Outcome.Exceeded != "" {
					t.Errorf("%s: %s, %v, %+v; want %q, and the submission stopped when the validator ended", run.Case, run.Verdict, run.Err, run.Outcome, want)
				}
			}
			if cpu := r.Runs[0].Outcome.CPU; cpu <= 0 {
				t.Errorf("the CPU time of a stopped submission is %v, want what it used", cpu)
			}
		})
	}
}

func TestWhoCounts(t *testing.T) {
	for _, c := range []struct {
		fact                         string
		own                          problem.Verdict
		independent, accepts, failed bool
		want                         decider
	}{
		{"ended well, accepted", problem.Undecided, false, true, false, validatorDecides},
		{"ended well, rejected", problem.Undecided, false, false, false, validatorDecides},
		{"ended well, accepted before", problem.Undecided, true, true, false, validatorDecides},
		{"ended well, rejected before", problem.Undecided, true, false, false, validatorDecides},
		{"ended well, validator broken", problem.Undecided, false, false, true, neitherDecides},
		{"failed, rejected before", problem.TimeLimit, true, false, false, validatorDecides},
		{"failed, accepted before", problem.RuntimeError, true, true, false, submissionDecides},
		{"failed, rejected after", problem.RuntimeError, false, false, false, submissionDecides},
		{"failed, accepted after", problem.MemoryLimit, false, true, false, submissionDecides},
		{"failed, validator broken before", problem.OutputLimit, true, false, true, neitherDecides},
		{"failed, validator broken after", problem.RuntimeError, false, false, true, submissionDecides},
	} {
		if got := deciderOf(c.own, c.independent, c.accepts, c.failed); got != c.want {
			t.Errorf("%s: deciderOf(%q, %v, %v, %v) = %d, want %d", c.fact, c.own, c.independent, c.accepts, c.failed, got, c.want)
		}
	}
}

// TestManyInteractions runs hundreds of short interactions at once. The two
// programs of each end at random times, each interaction has only one right
// verdict, and no process is left.
func TestManyInteractions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	var rows []interactionCase
	pause := func() string {
		if r.IntN(3) == 0 {
			return fmt.Sprintf("sleep=%d ", r.IntN(4))
		}
		return ""
	}
	for range 200 {
		var row interactionCase
		n := r.IntN(4)
		row.submission, row.validator = pause()+fmt.Sprintf("rounds=%d ", n), pause()+fmt.Sprintf("ask=%d ", n)
		switch r.IntN(7) {
		case 0:
			row.submission, row.validator, row.want = row.submission+pause(), row.validator+pause()+"exit=42", "AC"
		case 1: // crashes after the end of a validator that rejects
			row.submission, row.validator, row.want = row.submission+pause()+"read", row.validator+pause()+"exit=43", "WA"
		case 2: // crashes after the end of a validator that accepts
			row.submission, row.validator, row.want = row.submission+pause()+"read", row.validator+pause()+"exit=42", "RTE"
		case 3: // crashes first
			row.submission, row.validator, row.want = row.submission+pause()+"exit=5", row.validator+pause()+"want=1 exit=42", "RTE"
		case 4: // writes to a validator that has ended
			row.submission, row.validator, row.want = row.submission+pause()+"say=1 "+pause()+"say=2", row.validator+pause()+"exit=42", "AC"
		case 5: // ends before the validator writes to it
			row.submission, row.validator, row.want = row.submission+pause(), row.validator+pause()+"say=1 "+pause()+"say=2 eof exit=43", "WA"
		case 6: // writes a wrong answer and crashes
			row.submission, row.validator, row.want = row.submission+"say=wrong crash", row.validator+pause()+"want=right exit=42", "WA"
		}
		row.fact = fmt.Sprintf("%03d %s", len(rows), row.want)
		rows = append(rows, row)
	}
	j := judgeOnLevel(t, 0, 4)
	begun := time.Now()
	holdInteractions(t, j, "limits: {time_limit: 2}\n", rows)
	t.Logf("%d interactions in %v", len(rows), time.Since(begun))
	if left, _ := filepath.Glob(filepath.Join(j.tmp, "check-*")); left != nil {
		t.Errorf("left %v", left)
	}
}

func TestDialogueIsKept(t *testing.T) {
	p, s := interactiveProblem(t, "limits: {time_limit: 5}\n", []interactionCase{
		{submission: "say=1 read say=3", validator: "want=1 say=2 want=3 eof exit=42"},
		{submission: "say=1\x1b[31m crash", validator: "read eof exit=42"},
		{submission: "mib=1", validator: "eof exit=42"},
		{submission: "rounds=3000", validator: "ask=3000 exit=42"},
	})
	j := judgeOnLevel(t, 0, 1)
	j.LogInteraction, j.All = true, true
	r := j.Run(t.Context(), s, p.Cases)
	if r.JudgeError() != nil {
		t.Fatal(r.JudgeError())
	}
	said := func(i int) string {
		var words []string
		for _, line := range r.Runs[i].Dialogue.Lines {
			words = append(words, fmt.Sprintf("%s%s", line.From, line.Text))
		}
		return strings.Join(words, " ")
	}
	if got, want := said(0), ">1 <2 >3"; got != want {
		t.Errorf("said %s, want %s", got, want)
	}
	if got, want := said(1), `>1\x1b[31m`; got != want || r.Runs[1].Verdict != problem.RuntimeError {
		t.Errorf("said %s, want %s; %s", got, want, r.Runs[1].Verdict)
	}
	if d := r.Runs[2].Dialogue; len(d.Lines) != 1 || len(d.Lines[0].Text) > keptRemark+3 {
		t.Errorf("a line of a MiB is kept as %d lines", len(d.Lines))
	}
	long := r.Runs[3].Dialogue
	if n := len(strings.Join(long.Text(), "")); !long.Cut || len(long.Lines) < 1000 || n > 3*keptDialogue || r.Runs[3].Verdict != problem.Accepted {
		t.Errorf("of 6000 lines %d are kept, cut %v, %d bytes; %s", len(long.Lines), long.Cut, n, r.Runs[3].Verdict)
	}
	for i := range r.Runs {
		last := time.Duration(0)
		for _, line := range r.Runs[i].Dialogue.Lines {
			if line.At < last || line.Pass != 1 {
				t.Errorf("%v after %v", line, last)
			}
			last = line.At
		}
	}
}
