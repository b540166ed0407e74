package report

import (
	"strings"
	"time"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// measured adds a suite for each measured submission, with a test case for each
// case that it ran on. A test case fails if [fails] does, not because of a time.
// For a search for a time limit there is a suite of the problem, too, which fails
// if no limit obeys the rule or the problem's own limit breaks it.
func (all *junitSuites) measured(p *record.Problem, m *bench.Measurement) (total time.Duration) {
	for i := range m.Submissions {
		suite, elapsed := junitMeasured(m, i)
		all.add(suite)
		total += elapsed
	}
	if b := p.Band; b != nil {
		limit := junitCase{Name: "time limit", Class: terminal.Clean(p.ID), Time: seconds(0)}
		switch {
		case b.None != "":
			limit.Failure = &junitProblem{Message: terminal.Clean(b.None), Type: "limit"}
		case b.Violated != nil:
			limit.Failure = &junitProblem{Message: terminal.Clean(b.Violated[0]), Type: "limit", Text: terminal.Clean(strings.Join(b.Violated, "; "))}
		}
		suite := junitSuite{Name: terminal.Clean(p.ID), Time: seconds(0), Cases: []junitCase{limit}}
		if wasCutShort(p) {
			suite.cutShort()
		}
		all.add(suite)
	}
	return total
}

func junitMeasured(m *bench.Measurement, submission int) (junitSuite, time.Duration) {
	s := &m.Submissions[submission]
	name := terminal.Clean(m.Problem + "/" + s.Name)
	suite := junitSuite{Name: name, Properties: []junitProperty{{"language", terminal.Clean(s.Language)}}}
	if m.Ended == bench.Interrupted {
		suite.cutShort()
	}
	if s.Skipped != "" {
		suite.Cases = []junitCase{{Name: "expectation", Class: name, Time: seconds(0), Skipped: &junitProblem{Message: terminal.Clean(s.Skipped)}}}
	}
	byCase, elapsed := make([]*junitCase, len(m.Cases)), make([]time.Duration, len(m.Cases))
	total := time.Duration(0)
	for i := range m.Trials {
		t := &m.Trials[i]
		if t.Submission != submission {
			continue
		}
		c := byCase[t.Case]
		if c == nil {
			c = &junitCase{Name: terminal.Clean(m.Cases[t.Case].Name), Class: name}
			byCase[t.Case] = c
		}
		elapsed[t.Case] += t.Outcome.Wall
		total += t.Outcome.Wall
		switch told := strings.TrimSuffix(string(t.Verdict)+": "+terminal.Clean(t.Why), ": "); {
		case c.Failure != nil || c.Error != nil:
		case t.Err != "":
			c.Error = &junitProblem{Message: terminal.Clean(t.Err), Type: string(JudgeError)}
		case fails(m, t):
			c.Failure = &junitProblem{Message: told, Type: string(t.Verdict)}
		case t.Verdict != problem.Accepted:
			c.SystemOut = told
		}
	}
	for i, c := range byCase {
		if c != nil {
			c.Time = seconds(elapsed[i])
			suite.Cases = append(suite.Cases, *c)
		}
	}
	if suite.Cases == nil {
		suite.Cases = []junitCase{{Name: "expectation", Class: name, Time: seconds(0), Skipped: &junitProblem{Message: "not measured: " + string(m.Ended)}}}
	}
	suite.Time = seconds(total)
	return suite, total
}

// fails reports whether a trial is a failure for its kind of measurement. In a
// search for a time limit none is: judge run and judge verify check expectations.
// When inputs grow, reaching a limit is no failure.
func fails(m *bench.Measurement, t *bench.Trial) bool {
	switch m.Kind {
	case bench.ForLimits:
		return false
	case bench.ForScale:
		return t.Faulty()
	}
	return t.Verdict != problem.Accepted
}
