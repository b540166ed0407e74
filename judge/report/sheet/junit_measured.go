package sheet

import (
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// suites returns a suite for each measured submission, with a test case for each
// case that it ran on. A test case fails if [fails] reports a failure of one of its
// trials, and never because of a time. For a search for a time limit there is a suite
// of the problem, too, which fails if no limit obeys the rule or the problem's own
// limit breaks it.
func suites(p *record.Problem, m *bench.Measurement, runs []report.Run) (all []report.Suite) {
	byCase := make([][]*report.TestCase, len(m.Submissions)) // nil if there is no run
	for i := range byCase {
		byCase[i] = make([]*report.TestCase, len(m.Cases))
	}
	for _, r := range runs {
		c := byCase[r.Program][r.Test]
		if c == nil {
			c = &report.TestCase{Name: r.Case}
			byCase[r.Program][r.Test] = c
		}
		c.Wall += r.Outcome.Wall
		switch verdict := strings.TrimSuffix(string(r.Verdict)+": "+terminal.Clean(r.Why), ": "); {
		case c.Failure != nil || c.Error != nil:
		case r.Err != "":
			c.Error = &report.TestProblem{Message: terminal.Clean(r.Err), Type: judgeError}
		case r.Failure:
			c.Failure = &report.TestProblem{Message: verdict, Type: string(r.Verdict)}
		case r.Verdict != problem.Accepted:
			c.SystemOut = verdict
		}
	}
	for i, s := range m.Submissions {
		var cases []report.TestCase
		if s.Skipped != "" {
			cases = append(cases, report.TestCase{Name: "expectation",
				Skipped: &report.TestProblem{Message: terminal.Clean(s.Skipped)}})
		}
		for _, c := range byCase[i] {
			if c != nil {
				cases = append(cases, *c)
			}
		}
		if cases == nil {
			cases = append(cases, report.TestCase{Name: "expectation", Skipped: &report.TestProblem{Message: "not measured: " +
				string(m.Ended)}})
		}
		all = append(all, report.Suite{Name: m.Problem + "/" + s.Name, Cases: cases,
			Properties: []report.Property{{Name: "language", Value: terminal.Clean(s.Language)}}})
	}
	if b := record.Of[*bench.Band](p); b != nil {
		limit := report.TestCase{Name: "time limit"}
		switch {
		case b.None != "":
			limit.Failure = &report.TestProblem{Message: terminal.Clean(b.None), Type: "limit"}
		case b.Violated != nil:
			limit.Failure = &report.TestProblem{Message: terminal.Clean(b.Violated[0]), Type: "limit",
				Text: terminal.Clean(strings.Join(b.Violated, "; "))}
		}
		all = append(all, report.Suite{Name: p.ID, Cases: []report.TestCase{limit}})
	}
	return all
}
