package report

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

func TestTitle(t *testing.T) {
	tests := []struct {
		limits problem.Limits
		cases  int
		want   string
	}{
		{problem.Limits{Time: time.Second, Memory: 64 << 20}, 14, "p  1 s, 64 MiB, 14 cases"},
		{problem.Limits{Time: 1500 * ms, Memory: 1 << 30}, 1, "p  1.5 s, 1 GiB, 1 case"},
		{problem.Limits{Time: 300 * ms}, 0, "p  300 ms, 0 cases"},
		{problem.Limits{}, 2, "p  2 cases"},
	}
	for _, tt := range tests {
		if got := Title("p", tt.limits, tt.cases); got != tt.want {
			t.Errorf("Title = %q, expected %q", got, tt.want)
		}
	}
}

func TestWhy(t *testing.T) {
	tests := []struct {
		fact string
		run  judge.Run
		want string
	}{
		{"a difference has one text in all formats", judge.Run{Why: `line 3, column 7: got "No", expected "Yes"`,
			Diff: &check.Difference{Kind: check.Differs, Line: 3, Column: 7, Want: "Yes", Got: "No"}}, `line 3, column 7: got "No", expected "Yes"`},
		{"escapes are quoted", judge.Run{Why: "\x1b[2J"}, `\x1b[2J`},
		{"a flood is cut", judge.Run{Why: strings.Repeat("x", 5000)}, strings.Repeat("x", whyColumns-1) + "…"},
		{"a failure of the judge is shown without the case", judge.Run{Case: "secret/1", Err: errors.New("accepted/a.go on secret/1: disk full")}, "disk full"},
		{"an accepted run has no reason", judge.Run{Verdict: problem.Accepted}, ""},
	}
	for _, tt := range tests {
		if got := Why(&tt.run); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.fact, got, tt.want)
		}
	}
}

func TestLongTextsAreCutInReasons(t *testing.T) {
	r := &judge.Report{AsExpected: no(), Broken: "it does not compile", Verdict: problem.CompileError,
		Compile: build.Compile{Message: strings.Repeat(strings.Repeat("x", 4000)+"\n", 4000)}}
	lines := Reasons(r)
	if len(lines) != compilerLines+1 || lines[compilerLines] != "| … 3988 more lines" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	for _, line := range lines {
		if terminal.Width(line) > whyColumns+2 {
			t.Errorf("a line of %d columns", terminal.Width(line))
		}
	}
}

func TestStandingOf(t *testing.T) {
	failed := []judge.Run{{Err: errors.New("checker")}}
	tests := []struct {
		fact   string
		report judge.Report
		want   Standing
	}{
		{"as expected", judge.Report{AsExpected: yes()}, AsExpected},
		{"not as expected", judge.Report{AsExpected: no()}, Unexpected},
		{"skipped", judge.Report{Skipped: "no gcc", AsExpected: yes()}, Skipped},
		{"the judge failed", judge.Report{Err: errors.New("disk full")}, JudgeError},
		{"the judge failed on a case", judge.Report{Runs: failed}, JudgeError},
		{"the judge's failure outweighs what is broken", judge.Report{Runs: failed, AsExpected: no()}, JudgeError},
		{"interrupted", judge.Report{Verdict: problem.Accepted}, Unfinished},
	}
	for _, tt := range tests {
		if got := StandingOf(&tt.report); got != tt.want {
			t.Errorf("%s: %q, expected %q", tt.fact, got, tt.want)
		}
	}
}

func TestSummary(t *testing.T) {
	one := &judge.Report{AsExpected: yes(), Runs: make([]judge.Run, 1)}
	tests := []struct {
		fact string
		doc  record.Document
		want string
	}{
		{"nothing", record.Document{}, "0 submissions as expected, 0 runs"},
		{"one of each", record.Document{Problems: []record.Problem{{Reports: []*judge.Report{one}}}, Elapsed: 12300 * ms}, "1 submission as expected, 1 run in 12.3 s"},
		{"counts of 0 are left out", record.Document{Problems: []record.Problem{{Reports: []*judge.Report{one, one, {AsExpected: no()}}}}},
			"2 submissions as expected, 1 not, 2 runs"},
	}
	for _, tt := range tests {
		if got := (Writer{}).Summary(&tt.doc); got != tt.want {
			t.Errorf("%s: %q, expected %q", tt.fact, got, tt.want)
		}
	}
}

func TestThisMachine(t *testing.T) {
	m := record.ThisMachine()
	if m.OS != runtime.GOOS || m.Arch != runtime.GOARCH || m.Cores < 1 || !strings.Contains(m.Go, "go1") {
		t.Errorf("ThisMachine() = %+v", m)
	}
	if runtime.GOOS == "linux" && m.Kernel == "" {
		t.Error("no kernel release")
	}
}

func TestRowsOfCasesAlignWithLongNames(t *testing.T) {
	ok := true
	r := &judge.Report{Submission: "accepted/a.c", Language: "c", AsExpected: &ok, Verdict: problem.Accepted}
	for _, name := range []string{"sample/1", "secret/random/007-large-with-a-long-name"} {
		r.Runs = append(r.Runs, judge.Run{Case: name, Verdict: problem.Accepted})
	}
	l := Lines{Verbose: true, Title: "p  1 s", Submissions: []string{r.Submission}, Languages: []string{"c"}, Cases: []string{r.Runs[0].Case, r.Runs[1].Case}}
	at := -1
	for line := range strings.Lines(l.Row(r)) {
		column := strings.Index(line, "AC ")
		if at >= 0 && column != at {
			t.Errorf("verdicts are not aligned:\n%s", l.Row(r))
			break
		}
		at = column
	}
}

func TestNumbersKeepTheirUnits(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"it was busy for 80 % of the time", "it was busy for|80 % of the|time"},
		{"which takes about 11.2 s, too", "which takes|about 11.2 s,|too"},
		{"the limit of 64 MiB is far", "the limit of|64 MiB is far"},
		{"there were 12345 submissions", "there were|12345|submissions"},
	} {
		if got := strings.Join(wrapped(tt.text, 15), "|"); got != tt.want {
			t.Errorf("%s, expected %s", got, tt.want)
		}
	}
}
