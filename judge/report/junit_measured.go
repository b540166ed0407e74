package report

import (
	"strings"
	"time"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// measured adds a suite for each submission that was measured, with a test case
// for each case that it ran on: times are no tests, but whether outputs were
// right is. How long a program takes is what was asked where inputs grow, or
// limits are looked for, and fails nothing there. A time limit that does not
// separate is a failure of the problem.
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

// fails reports whether a trial shows a program to be wrong, for what it was
// measured for. The expectations of limits are those of the package, and judge
// run and verify are who holds them.
func fails(m *bench.Measurement, t *bench.Trial) bool {
	switch m.Kind {
	case bench.ForLimits:
		return false
	case bench.ForScale:
		return t.Faulty()
	}
	return t.Verdict != problem.Accepted
}
