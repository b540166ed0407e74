package report

import (
	"cmp"
	"io"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// against writes a comparison of stored runs as text.
func (t Text) against(w io.Writer, a *bench.Against) error {
	var b strings.Builder
	shortened := false
	for i, s := range sheet.OfAgainst(a) {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s.Long() && !t.Verbose {
			b.WriteString(t.Palette.Faint("left out: "+units.Count(len(s.Rows), "row")+" of cases that did not change, which --verbose shows") + "\n")
			continue
		}
		shortened = t.Sheet(&b, &s) || shortened
	}
	t.short(&b, shortened)
	b.WriteString("\n" + strings.Join(t.wrap(sheet.AgainstSummary(a), 2), "\n  ") + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownAgainst writes a comparison of stored runs as Markdown.
func markdownAgainst(w io.Writer, a *bench.Against) error {
	var b strings.Builder
	for _, s := range sheet.OfAgainst(a) {
		markdownSheet(&b, &s)
	}
	b.WriteString(sheet.AgainstSummary(a) + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// against adds a suite for each submission of a comparison of stored runs, with a
// test case for all cases together and one for each case. A regression is a
// failure. Doubts about the comparison are the system-err of each suite.
func (all *junitSuites) against(a *bench.Against) {
	var doubts []string
	for _, d := range sheet.RunDoubts(a) {
		doubts = append(doubts, terminal.Clean(d))
	}
	for i := range a.Programs {
		p := &a.Programs[i]
		suite := junitSuite{Name: terminal.Clean(p.Problem + "/" + p.Name), Time: seconds(0), SystemErr: strings.Join(doubts, "\n")}
		add := func(name, lost string, c *bench.Change) {
			one := junitCase{Name: terminal.Clean(name), Class: suite.Name, Time: seconds(0)}
			switch {
			case lost != "":
				one.Failure = &junitProblem{Message: terminal.Clean(lost), Type: "verdict"}
			case c == nil:
				one.Skipped = &junitProblem{Message: "no times in both"}
			case c.Outcome == bench.Regression:
				one.Failure = &junitProblem{Message: terminal.Clean(sheet.Outcome(c).Text + ", interval " + sheet.Interval(&c.Ratio, 1+a.Threshold)), Type: string(a.Metric)}
			default:
				one.SystemOut = terminal.Clean(sheet.Outcome(c).Text)
			}
			suite.Cases = append(suite.Cases, one)
		}
		if p.Lost != "" || p.Overall != nil {
			add("all cases", p.Lost, p.Overall)
		}
		for _, c := range p.Cells {
			add(sheet.CaseName(c.Case, c.Size), c.Lost, c.Change)
		}
		all.add(suite)
	}
	for _, l := range a.Left {
		all.add(junitSuite{Name: terminal.Clean(l.Problem + "/" + l.Name), Time: seconds(0), Cases: []junitCase{{
			Name: terminal.Clean(cmp.Or(l.Case, "all cases")), Class: terminal.Clean(l.Problem + "/" + l.Name), Time: seconds(0), Skipped: &junitProblem{Message: terminal.Clean(l.Why)},
		}}})
	}
}
