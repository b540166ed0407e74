package report_test

import (
	"testing"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
)

func TestJUnitOfMeasurements(t *testing.T) {
	trials := []bench.Trial{
		{Submission: 0, Case: 0, Round: -1, Verdict: problem.Accepted},
		{Submission: 0, Case: 0, Verdict: problem.Accepted},
		{Submission: 1, Case: 0, Verdict: problem.Accepted},
		{Submission: 1, Case: 0, Round: 1, Verdict: problem.WrongAnswer, Why: "1, not\x1b 2"},
		{Submission: 1, Case: 1, Verdict: problem.TimeLimit, Why: "used 2 s"},
		{Submission: 0, Case: 1, Err: "no disk"},
	}
	of := func(kind bench.Kind) *bench.Measurement {
		return &bench.Measurement{Kind: kind, Problem: "p", Trials: trials,
			Submissions: []bench.Submission{{Name: "a.go"}, {Name: "b.go"}, {Name: "c.xyz", Skipped: "no such language"}},
			Cases:       []bench.Input{{Name: "secret/1"}, {Name: "secret/2"}}}
	}
	for _, tt := range []struct {
		name                             string
		p                                record.Problem
		tests, failures, errors, skipped int
	}{
		{"a wrong answer and a time limit have no place in a comparison", record.Problem{Sections: record.Sections{"measurement": of(bench.ForBench), "comparison": &bench.Comparison{}}}, 5, 2, 1, 1},
		{"growing inputs come to the time limit", record.Problem{Sections: record.Sections{"measurement": of(bench.ForScale), "scaling": &bench.Scaling{}}}, 5, 1, 1, 1},
		{"limits ask for times alone", record.Problem{Sections: record.Sections{"measurement": of(bench.ForLimits), "band": &bench.Band{}}}, 6, 0, 1, 1},
		{"but a limit must separate", record.Problem{Sections: record.Sections{"measurement": of(bench.ForLimits), "band": &bench.Band{None: "none"}}}, 6, 1, 1, 1},
		{"and obey the rule", record.Problem{Sections: record.Sections{"measurement": of(bench.ForLimits), "band": &bench.Band{Violated: []string{"too low"}}}}, 6, 1, 1, 1},
	} {
		got := suites(t, sheet.Writer, &record.Document{Problems: []record.Problem{tt.p}})
		if got.Tests != tt.tests || got.Failures != tt.failures || got.Errors != tt.errors || got.Skipped != tt.skipped {
			t.Errorf("%s: %d tests, %d failures, %d errors, %d skipped; expected %d, %d, %d, %d", tt.name,
				got.Tests, got.Failures, got.Errors, got.Skipped, tt.tests, tt.failures, tt.errors, tt.skipped)
		}
	}
}
