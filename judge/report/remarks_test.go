package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
)

func TestRemarks(t *testing.T) {
	slow := judge.Attempt{Verdict: problem.TimeLimit, Why: "used 1.20 s CPU, limit 1 s"}
	as := true
	r := &judge.Report{Submission: "accepted/a.go", Verdict: problem.Accepted, AsExpected: &as, Runs: []judge.Run{
		{Case: "secret/1", Verdict: problem.Accepted},
		{Case: "secret/2", Verdict: problem.Accepted, Others: []judge.Attempt{slow}},
		{Case: "secret/3", Verdict: problem.TimeLimit, Others: []judge.Attempt{{Verdict: problem.Accepted}, slow, {Why: "the disk is full"}, {Verdict: problem.Accepted}}},
		{Case: "secret/4", Verdict: problem.Accepted, Uncounted: "under the emulator it is RTE: \x1b[31m"},
	}}
	want := []string{
		"secret/2: AC counts, of 2 attempts; the other: TLE (used 1.20 s CPU, limit 1 s); likewise on 1 more case",
		`secret/4: instructions not counted: under the emulator it is RTE: \x1b[31m`,
	}
	if diff := cmp.Diff(want, Remarks(r)); diff != "" {
		t.Error(diff)
	}
	if got, want := othersText(&r.Runs[2]), "TLE counts, of 5 attempts; the others: AC 2 times, TLE 1 time, JE 1 time"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	d := &record.Document{Problems: []record.Problem{{ID: "sum", Cases: []string{"secret/1"}, Reports: []*judge.Report{r}}}}
	var text, markdown strings.Builder
	if err := (Writer{}).WriteText(&text, d); err != nil {
		t.Fatal(err)
	}
	if err := (Writer{}).WriteMarkdown(&markdown, d); err != nil {
		t.Fatal(err)
	}
	for _, line := range want {
		if !strings.Contains(text.String(), line) || !strings.Contains(markdown.String(), line) {
			t.Errorf("%q is not in\n%s\nor not in\n%s", line, &text, &markdown)
		}
	}
}
