package record

import (
	"bytes"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Normalize removes figures, and nothing on which a verdict depends.
func TestNormalize(t *testing.T) {
	of := func(change func(*judge.Run)) string {
		r := judge.Run{Case: "secret/1", Verdict: problem.TimeLimit, Why: "used 1.02 s CPU, limit 1 s", Worker: "a", Times: make([]sandbox.Outcome, 2),
			Outcome: sandbox.Outcome{CPU: 1020 * time.Millisecond, Exceeded: sandbox.CPU, Beside: 1}}
		change(&r)
		d := &Document{Machine: Machine{Cores: 2}, Elapsed: 1, Problems: []Problem{{ID: "a", Reports: []*judge.Report{{Submission: "b", Runs: []judge.Run{r}}}}}}
		var b bytes.Buffer
		if err := Write(&b, Normalize(d)); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if d.Machine.Cores != 2 || d.Problems[0].Reports[0].Runs[0].Worker != r.Worker {
			t.Error("Normalize has changed its argument")
		}
		return text
	}
	same := of(func(*judge.Run) {})
	for name, change := range map[string]func(*judge.Run){
		"time":     func(r *judge.Run) { r.Outcome.CPU, r.Why = 1031*time.Millisecond, "used 1.03 s CPU, limit 1 s" },
		"worker":   func(r *judge.Run) { r.Worker = "" },
		"attempts": func(r *judge.Run) { r.Times, r.Retried, r.Outcome.Beside = nil, "TLE beside another", 0 },
	} {
		if of(change) != same {
			t.Errorf("%s: the records differ, expected equal ones", name)
		}
	}
	for name, change := range map[string]func(*judge.Run){
		"verdict": func(r *judge.Run) { r.Verdict = problem.Accepted },
		"case":    func(r *judge.Run) { r.Case = "secret/2" },
		"score":   func(r *judge.Run) { r.Earned = new(1.0) },
		"limit":   func(r *judge.Run) { r.Outcome.Limits.Memory = 1 },
		"reason":  func(r *judge.Run) { r.Why = "still running after 1.02 s real time" },
	} {
		if of(change) == same {
			t.Errorf("%s: the records are equal, expected different ones", name)
		}
	}
}
