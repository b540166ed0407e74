package report

import (
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// measured adds a suite for each measured submission, with a test case for each
// case that it ran on. A test case fails if [fails] reports a failure of one of its
// trials, and never because of a time. For a search for a time limit there is a suite
// of the problem, too, which fails if no limit obeys the rule or the problem's own
// limit breaks it.
func (all *junitSuites) measured(p *record.Problem) {
	m := record.Of[*bench.Measurement](p)
	byCase := make([][]*junitCase, len(m.Submissions)) // nil if there is no run
	for i := range byCase {
		byCase[i] = make([]*junitCase, len(m.Cases))
	}
	for _, r := range results(p) {
		c := byCase[r.submission][r.test]
		if c == nil {
			c = &junitCase{Name: r.input.Name}
			byCase[r.submission][r.test] = c
		}
		c.wall += r.outcome.Wall
		switch verdict := strings.TrimSuffix(string(r.verdict)+": "+terminal.Clean(r.why), ": "); {
		case c.Failure != nil || c.Error != nil:
		case r.err != "":
			c.Error = &junitProblem{Message: terminal.Clean(r.err), Type: string(JudgeError)}
		case r.failure:
			c.Failure = &junitProblem{Message: verdict, Type: string(r.verdict)}
		case r.verdict != problem.Accepted:
			c.SystemOut = verdict
		}
	}
	for i, s := range m.Submissions {
		var cases []junitCase
		if s.Skipped != "" {
			cases = append(cases, junitCase{Name: "expectation", Skipped: &junitProblem{Message: terminal.Clean(s.Skipped)}})
		}
		for _, c := range byCase[i] {
			if c != nil {
				cases = append(cases, *c)
			}
		}
		if cases == nil {
			cases = append(cases, junitCase{Name: "expectation", Skipped: &junitProblem{Message: "not measured: " +
				string(m.Ended)}})
		}
		all.add(m.Problem+"/"+s.Name, suiteOf(p, junitProperty{"language", terminal.Clean(s.Language)}), cases...)
	}
	if b := record.Of[*bench.Band](p); b != nil {
		limit := junitCase{Name: "time limit"}
		switch {
		case b.None != "":
			limit.Failure = &junitProblem{Message: terminal.Clean(b.None), Type: "limit"}
		case b.Violated != nil:
			limit.Failure = &junitProblem{Message: terminal.Clean(b.Violated[0]), Type: "limit",
				Text: terminal.Clean(strings.Join(b.Violated, "; "))}
		}
		all.add(p.ID, suiteOf(p), limit)
	}
}

// suiteOf returns a suite of a measurement.
func suiteOf(p *record.Problem, properties ...junitProperty) junitSuite {
	s := junitSuite{Properties: properties}
	s.cutShort(wasCutShort(p))
	return s
}
