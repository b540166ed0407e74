package html

import (
	"strings"
	"testing"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// The page shows what the other attempts of a run gave, also of a submission that is as
// expected, and what counted instructions.
func TestAttempts(t *testing.T) {
	as := true
	r := &judge.Report{Submission: "accepted/a.go", Verdict: problem.Accepted, AsExpected: &as, Runs: []judge.Run{{Case: "secret/1", Verdict: problem.Accepted,
		Others: []judge.Attempt{{Verdict: problem.TimeLimit, Why: "used 1.20 s CPU, limit 1 s"}}}}}
	var b strings.Builder
	if err := Write(&b, &record.Document{Machine: record.Machine{Counter: "qemu 7"}, Problems: []record.Problem{{ID: "sum", Cases: []string{"secret/1"}, Reports: []*judge.Report{r}}}}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"AC counts, of 2 attempts; the other: TLE (used 1.20 s CPU, limit 1 s)", "qemu 7"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("no %q on the page", text)
		}
	}
}
