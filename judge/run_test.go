package judge

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
)

func verdictsOf(r *Report) string {
	var words []string
	for _, run := range r.Runs {
		words = append(words, string(run.Verdict))
	}
	return strings.Join(words, " ")
}

// The next program need not wait until the output of the last one has been compared, except
// where only one program runs at once.
func TestComparingTakesNoJob(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		p, s := testproblem.ScriptedProblem(t, "accepted", "AC", "AC", "AC")
		var mu sync.Mutex
		started, compared := 0, 0
		all := make(chan struct{})
		j := &Judge{Runner: &testproblem.Scripted{}, Jobs: jobs, Cache: t.TempDir()}
		defer j.Close()
		j.OnEvent = func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			if e.Kind == Running {
				if started++; started == jobs+1 {
					close(all)
				}
			}
		}
		j.OnOutput = func(*problem.Submission, *problem.Case, io.Reader) error {
			if jobs > 1 {
				<-all // a deadlock if none of the programs gives back its job
			}
			mu.Lock()
			defer mu.Unlock()
			if compared++; jobs == 1 && started != compared {
				t.Errorf("%d programs started before the output of number %d was compared", started, compared)
			}
			return nil
		}
		if r := j.Run(t.Context(), s, p.Cases); r.Verdict != problem.Accepted {
			t.Errorf("%d jobs: %s, %v", jobs, r.Verdict, r.JudgeError())
		}
	}
}

func TestRunStopsWhenSettled(t *testing.T) {
	for _, c := range []struct {
		name, folder, cases string
		all                 bool
		want                string
		verdict             problem.Verdict
		as                  bool
	}{
		{"accepted runs all", "accepted", "AC AC AC", false, "AC AC AC", problem.Accepted, true},
		{"accepted stops at the first failure", "accepted", "AC WA AC RTE", false, "AC WA", problem.WrongAnswer, false},
		{"all goes on", "accepted", "AC WA AC RTE", true, "AC WA AC RTE", problem.WrongAnswer, false},
		{"wrong answer goes on, a later case could break it", "wrong_answer", "WA AC TLE AC", false, "WA AC TLE", problem.WrongAnswer, false},
		{"rejected stops at the first failure", "rejected", "AC RTE AC", false, "AC RTE", problem.RuntimeError, true},
		{"nothing expected stops when the verdict is known", "other", "AC WA AC", false, "AC WA", problem.WrongAnswer, true},
		{"memory is a crash", "run_time_error", "AC MLE AC", false, "AC MLE AC", problem.MemoryLimit, true},
	} {
		for _, jobs := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d jobs", c.name, jobs), func(t *testing.T) {
				p, s := testproblem.ScriptedProblem(t, c.folder, strings.Fields(c.cases)...)
				runner := &testproblem.Scripted{Delay: true}
				j := &Judge{Settings: Settings{All: c.all}, Runner: runner, Jobs: jobs, Cache: t.TempDir()}
				defer j.Close()
				r := j.Run(t.Context(), s, p.Cases)
				if r.JudgeError() != nil {
					t.Fatal(r.JudgeError())
				}
				if got := verdictsOf(r); got != c.want || r.Verdict != c.verdict || *r.AsExpected != c.as {
					t.Errorf("runs %s, verdict %s, as expected %v (%s); want %s, %s, %v", got, r.Verdict, *r.AsExpected, r.Broken, c.want, c.verdict, c.as)
				}
				if most := runner.Most.Load(); most > int64(jobs) {
					t.Errorf("%d programs at once, want at most %d", most, jobs)
				}
			})
		}
	}
}

// TestReportDoesNotDependOnJobs runs long random problems with many jobs that end
// in a random order, and compares the report with that of one job.
func TestReportDoesNotDependOnJobs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		words := make([]string, 60)
		for i := range words {
			words[i] = []string{"AC", "AC", "AC", "AC", "AC", "AC", "WA", "TLE"}[r.IntN(8)]
		}
		p, s := testproblem.ScriptedProblem(t, []string{"accepted", "wrong_answer", "brute_force"}[r.IntN(3)], words...)
		sameWithManyJobs(t, p, s, words)
	}
}

// sameWithManyJobs runs a submission with one job and with eight, and compares
// the reports.
func sameWithManyJobs(t *testing.T, p *problem.Problem, s *problem.Submission, made []string) {
	t.Helper()
	var reports []*Report
	for _, jobs := range []int{1, 8} {
		j := &Judge{Settings: Settings{Distortion: -1}, Runner: &testproblem.Scripted{Delay: jobs > 1}, Jobs: jobs, Cache: t.TempDir()}
		report := j.Run(t.Context(), s, p.Cases)
		for i := range report.Runs {
			run := &report.Runs[i]
			run.Times, run.Others, run.Retried, run.Outcome.Beside = nil, nil, "", 0
		}
		reports = append(reports, report)
		j.Close()
	}
	reports[1].Compile.Cached = reports[0].Compile.Cached
	sameError := cmp.Comparer(func(a, b error) bool { return a == b || a != nil && b != nil && a.Error() == b.Error() })
	if diff := cmp.Diff(reports[0], reports[1], cmp.AllowUnexported(problem.Expectation{}, Run{}), sameError); diff != "" {
		t.Fatalf("%v: one job (-) and eight (+) differ:\n%s", made, diff)
	}
}

func TestJudgeErrorIsNoVerdict(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "accepted", "AC", "broken", "AC")
	j := &Judge{Runner: &testproblem.Scripted{}, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), s, p.Cases)
	if got := verdictsOf(r); got != "AC  AC" || r.Verdict != "" || r.AsExpected != nil {
		t.Errorf("runs %q, verdict %q, as expected %v; want the others judged, and no verdict", got, r.Verdict, r.AsExpected)
	}
	if err := r.JudgeError(); err == nil || !strings.Contains(err.Error(), "accepted/a.sh on secret/001: the disk is full") {
		t.Errorf("error %v; want it to name submission, case and cause", err)
	}
}

// TestSlowBesideNeighboursIsRunAlone checks that a run that exceeds the time
// limit beside other programs is repeated alone.
func TestSlowBesideNeighboursIsRunAlone(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "accepted", "AC", "crowded", "AC", "TLE")
	runner := &testproblem.Scripted{Slow: map[string]int{"crowded": 1}}
	j := &Judge{Runner: runner, Jobs: 2, Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), s, p.Cases)
	if got := verdictsOf(r); got != "AC AC AC TLE" {
		t.Errorf("runs %s; want the crowded case accepted when alone, and the slow one slow", got)
	}
	if n := len(r.Runs[1].Times); n != 2 {
		t.Errorf("%d outcomes of the crowded case, want both", n)
	}
	for i, want := range []string{"", "TLE", "", "TLE"} {
		got := ""
		for _, a := range r.Runs[i].Others {
			got += string(a.Verdict)
			if a.Why == "" || a.CPU <= 0 {
				t.Errorf("the other attempt on %s is %+v; want its reason and time", r.Runs[i].Case, a)
			}
		}
		if got != want {
			t.Errorf("other attempts on %s: %q, want %q", r.Runs[i].Case, got, want)
		}
	}
}

func TestRepeatTakesTheWorst(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "accepted", "sometimes")
	runner := &testproblem.Scripted{Slow: map[string]int{"sometimes": 1}}
	j := &Judge{Settings: Settings{Repeat: 5}, Runner: runner, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), s, p.Cases)
	if r.Verdict != problem.TimeLimit || len(r.Runs[0].Times) != 5 || runner.Runs.Load() != 5 {
		t.Errorf("%s after %d runs, %d outcomes; want one slow run of five to show", r.Verdict, runner.Runs.Load(), len(r.Runs[0].Times))
	}
	if others := r.Runs[0].Others; len(others) != 4 || others[0].Verdict != problem.Accepted {
		t.Errorf("other attempts %+v; want four that are accepted", others)
	}
}

func TestInterruptedReport(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "accepted", "AC", "AC", "AC")
	ctx, cancel := context.WithCancel(t.Context())
	j := &Judge{Runner: &testproblem.Scripted{}, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	j.OnEvent = func(e Event) {
		if e.Kind == Ran {
			cancel()
		}
	}
	r := j.Run(ctx, s, p.Cases)
	if got := verdictsOf(r); got != "AC" || r.AsExpected != nil || r.JudgeError() != nil {
		t.Errorf("runs %q, as expected %v, error %v; want what was learned, and no conclusion", got, r.AsExpected, r.JudgeError())
	}
}

func TestNothingIsLeft(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	p, s := testproblem.ScriptedProblem(t, "accepted", "AC", "broken")
	j := &Judge{Runner: &testproblem.Scripted{}, Cache: t.TempDir()}
	j.Run(t.Context(), s, p.Cases)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestIncludedFiles checks that files of include/ replace those of the
// submission, and files for the language replace files for all languages. The
// working folder has the files of the program and the case's own files.
func TestIncludedFiles(t *testing.T) {
	testkit.Needs(t, "bash")
	p, err := problem.Open(testkit.Pack(`-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/accepted/main/main.sh --
. ./lib.sh
cat ./all.txt ./case.txt
-- submissions/accepted/main/lib.sh --
echo own
-- include/default/all.txt --
all
-- include/default/lib.sh --
echo default
-- include/bash/lib.sh --
echo bash
-- data/sample/1.files/case.txt --
the case
-- data/sample/1.ans --
bash
all
the case
`))
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), p.Submissions[0], p.Samples())
	if r.JudgeError() != nil || r.Verdict != problem.Accepted {
		t.Errorf("%s %v %+v", r.Verdict, r.JudgeError(), r.Runs)
	}
}

// Messages are searched before they are clipped and escaped.
func TestMessageIsSearchedWhole(t *testing.T) {
	testkit.Needs(t, "bash")
	m := testkit.Pack(`-- output_validator/run --
#!/bin/sh
{ head -c 5000 /dev/zero | tr '\0' x; printf 'key\302\240word'; } >"$3"judgemessage.txt
exit 43
-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/rejected/a.sh --
true
-- submissions/submissions.yaml --
rejected:
  message: "key\u00a0word"
`)
	m["output_validator/run"].Mode = 0o755
	p, err := problem.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), p.Submissions[0], p.Cases)
	if r.JudgeError() != nil || r.AsExpected == nil || !*r.AsExpected {
		t.Errorf("as expected %v, %s %v", r.AsExpected, r.Broken, r.JudgeError())
	}
	if n := len(r.Runs[0].Message); n == 0 || n > keptMessage+8 {
		t.Errorf("the report holds %d bytes of the message, want some and at most %d", n, keptMessage)
	}
}

// A submission that exceeds the wall-clock limit during inference gives no time.
func TestInfer(t *testing.T) {
	p, _ := testproblem.ScriptedProblem(t, "accepted", "AC", "AC")
	p.Limits.Time = 0
	j := &Judge{Runner: &testproblem.Scripted{}, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	if err := j.Infer(t.Context(), p); err != nil || p.Limits.Time != time.Second {
		t.Errorf("limit %v, %v; want one resolution for what takes no time", p.Limits.Time, err)
	}
	slow, s := testproblem.ScriptedProblem(t, "accepted", "AC", "TLE")
	slow.Limits.Time = 0
	if err := j.Infer(t.Context(), slow); err == nil || !strings.Contains(err.Error(), s.Path) || slow.Limits.Time != 0 {
		t.Errorf("limit %v, %v; want an error that names %s", slow.Limits.Time, err, s.Path)
	}
}
