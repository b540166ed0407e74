package report_test

import (
	"testing"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
)

func TestCSVHasARowForEveryTrial(t *testing.T) {
	m := &bench.Measurement{
		Submissions: []bench.Submission{{Name: "accepted/a.go", Language: "go"}, {Name: "=b.py", Language: "python3"}},
		Cases:       []bench.Input{{Name: "n=1000", Size: 1000}},
		Trials: []bench.Trial{
			{Submission: 1, Round: -1, Verdict: problem.Accepted},
			{Submission: 0, Round: 0, At: 5 * time.Millisecond, Verdict: problem.RuntimeError, Why: "exit status 2",
				Outcome: sandbox.Outcome{CPU: 3, User: 2, Sys: 1, Wall: 4, Memory: 5, Instructions: 6, Exit: -1, Signal: 11}},
			{Submission: 1, Round: 0, Verdict: problem.Accepted, Err: "no box"},
		},
	}
	got := csvRows(t, sheet.Writer, &record.Document{Problems: []record.Problem{{ID: "p", Sections: record.Sections{"measurement": m, "scaling": &bench.Scaling{Measurement: m}}}}})
	if len(got) != 3 {
		t.Fatalf("%d rows, expected 3", len(got))
	}
	want := map[string]string{"problem": "p", "submission": "accepted/a.go", "language": "go", "case": "n=1000", "n": "1000", "round": "0",
		"order": "1", "at_ns": "5000000", "verdict": "RTE", "cpu_ns": "3", "user_ns": "2", "sys_ns": "1", "wall_ns": "4",
		"memory_bytes": "5", "instructions": "6", "exit": "-1", "signal": "SIGSEGV", "why": "exit status 2", "ended": ""}
	for name, value := range want {
		if got[1][name] != value {
			t.Errorf("%s is %q, expected %q", name, got[1][name], value)
		}
	}
	if len(got[1]) != len(want) {
		t.Errorf("%d columns, expected %d", len(got[1]), len(want))
	}
	if got[0]["round"] != "-1" || got[0]["submission"] != "'=b.py" || got[0]["instructions"] != "" {
		t.Errorf("the warm-up is %v", got[0])
	}
	if got[2]["verdict"] != "" || got[2]["why"] != "no box" {
		t.Errorf("what the judge failed at is %v", got[2])
	}
}
