package sheet

import (
	"cmp"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// suitesAgainst returns a suite for each submission of a comparison of stored runs, with a
// test case for all cases together and one for each case. A regression is a
// failure. Doubts about the comparison are the system-err of each suite.
func suitesAgainst(a *bench.RunComparison) (all []report.Suite) {
	var doubts []string
	for _, d := range RunDoubts(a) {
		doubts = append(doubts, terminal.Clean(d))
	}
	for i := range a.Programs {
		p := &a.Programs[i]
		var cases []report.TestCase
		add := func(name, lost string, c *bench.Change) {
			one := report.TestCase{Name: name}
			switch {
			case lost != "":
				one.Failure = &report.TestProblem{Message: terminal.Clean(lost), Type: "verdict"}
			case c == nil:
				one.Skipped = &report.TestProblem{Message: "no times in both"}
			case c.Outcome == bench.Regression:
				one.Failure = &report.TestProblem{Message: terminal.Clean(Outcome(c).Text + ", interval " +
					Interval(&c.Ratio, 1+a.Threshold)), Type: string(a.Metric)}
			default:
				one.SystemOut = terminal.Clean(Outcome(c).Text)
			}
			cases = append(cases, one)
		}
		if p.Lost != "" || p.Overall != nil {
			add("all cases", p.Lost, p.Overall)
		}
		for _, c := range p.Cells {
			add(CaseName(c.Case, c.Size), c.Lost, c.Change)
		}
		all = append(all, report.Suite{Name: p.Problem + "/" + p.Name, Cases: cases, SystemErr: strings.Join(doubts, "\n")})
	}
	for _, l := range a.Left {
		all = append(all, report.Suite{Name: l.Problem + "/" + l.Name, Cases: []report.TestCase{{
			Name: cmp.Or(l.Case, "all cases"), Skipped: &report.TestProblem{Message: terminal.Clean(l.Why)}}}})
	}
	return all
}
