package report

import (
	"cmp"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// against adds a suite for each submission of a comparison of stored runs, with a
// test case for all cases together and one for each case. A regression is a
// failure. Doubts about the comparison are the system-err of each suite.
func (all *junitSuites) against(a *bench.RunComparison) {
	var doubts []string
	for _, d := range sheet.RunDoubts(a) {
		doubts = append(doubts, terminal.Clean(d))
	}
	for i := range a.Programs {
		p := &a.Programs[i]
		var cases []junitCase
		add := func(name, lost string, c *bench.Change) {
			one := junitCase{Name: name}
			switch {
			case lost != "":
				one.Failure = &junitProblem{Message: terminal.Clean(lost), Type: "verdict"}
			case c == nil:
				one.Skipped = &junitProblem{Message: "no times in both"}
			case c.Outcome == bench.Regression:
				one.Failure = &junitProblem{Message: terminal.Clean(sheet.Outcome(c).Text + ", interval " +
					sheet.Interval(&c.Ratio, 1+a.Threshold)), Type: string(a.Metric)}
			default:
				one.SystemOut = terminal.Clean(sheet.Outcome(c).Text)
			}
			cases = append(cases, one)
		}
		if p.Lost != "" || p.Overall != nil {
			add("all cases", p.Lost, p.Overall)
		}
		for _, c := range p.Cells {
			add(sheet.CaseName(c.Case, c.Size), c.Lost, c.Change)
		}
		all.add(p.Problem+"/"+p.Name, junitSuite{SystemErr: strings.Join(doubts, "\n")}, cases...)
	}
	for _, l := range a.Left {
		all.add(l.Problem+"/"+l.Name, junitSuite{}, junitCase{Name: cmp.Or(l.Case, "all cases"),
			Skipped: &junitProblem{Message: terminal.Clean(l.Why)}})
	}
}
