package sheet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// OfRunComparison returns the tables of a comparison of a stored run with an older one:
// submissions over all cases, the cases that changed, the cases that were not
// compared, and all other cases. It leaves out empty tables except the first.
func OfRunComparison(a *bench.RunComparison) []report.Sheet {
	s := runComparisonSheetsOf(a)
	changed, rest := s.cases()
	sheets := []report.Sheet{s.answer()}
	for _, sheet := range []report.Sheet{changed, s.left(), rest} {
		if len(sheet.Rows) > 0 {
			sheets = append(sheets, sheet)
		}
	}
	return sheets
}

func runComparisonSheetsOf(a *bench.RunComparison) *runComparisonSheets {
	s := &runComparisonSheets{a: a, name: ProgramNames(a)}
	for _, m := range []bench.Metric{bench.ByMemory, bench.ByInstructions} {
		if slices.ContainsFunc(a.Programs, func(p bench.ProgramChange) bool {
			return slices.ContainsFunc(p.Changes(), func(c *bench.Change) bool { return c.Others[m] > 0 })
		}) {
			s.others = append(s.others, m)
		}
	}
	return s
}

// RunComparisonSummary summarizes a comparison of stored runs in one line:
// "regressions in 1 of 3 submissions; 12 comparisons held, 3 open (too few runs,
// or too noisy, to rule out 5 %)".
func RunComparisonSummary(a *bench.RunComparison) string {
	worse, faster, held, withheld := 0, 0, 0, 0
	for i := range a.Programs {
		p := &a.Programs[i]
		bad := FirstLost(p) != ""
		for _, c := range p.Changes() {
			switch {
			case c.Outcome == bench.Regression:
				bad = true
			case c.Gained():
				faster++
			case c.Outcome == bench.Held:
				held++
			case c.Withheld:
				withheld++
			}
		}
		if bad {
			worse++
		}
	}
	text := fmt.Sprintf("regressions in %d of %s; ", worse, terminal.Count(len(a.Programs), "submission"))
	if faster > 0 {
		text += fmt.Sprintf("%s faster, %d held", terminal.Count(faster, "comparison"), held)
	} else {
		text += terminal.Count(held, "comparison") + " held"
	}
	if open := a.Counts().Open; open > 0 {
		why := "too few runs, or too noisy, to rule out " + ThresholdText(a)
		switch {
		case withheld == open:
			why = "programs that did not change differ as much"
		case withheld > 0:
			why += ", or programs that did not change differ as much"
		}
		text += fmt.Sprintf(", %d open (%s)", open, why)
	}
	if n := a.Counts().Missing; n > 0 {
		text += fmt.Sprintf(", %d not compared", n)
	}
	return text
}

// ThresholdText formats the smallest relative change that matters: "5 %".
func ThresholdText(a *bench.RunComparison) string {
	return strconv.FormatFloat(100*a.Threshold, 'g', 4, 64) + " %"
}

// A runComparisonSheets makes the tables of one comparison of stored runs.
type runComparisonSheets struct {
	a      *bench.RunComparison
	name   func(*bench.ProgramChange) string
	others []bench.Metric // quantities besides the compared one
}

var metricNames = map[bench.Metric]string{
	bench.ByCPU: "CPU time", bench.ByWall: "wall time", bench.ByMemory: "peak memory",
	bench.ByInstructions: "instructions",
}

// MetricText names the compared quantity: "CPU time", or with a reference "CPU
// time divided by that of a.cpp".
func MetricText(a *bench.RunComparison) string {
	if a.Reference != "" {
		return metricNames[a.Metric] + " divided by that of " + a.Reference
	}
	return metricNames[a.Metric]
}

// quantity formats a number in the unit of the metric; a quotient by a reference
// has no unit.
func quantity(a *bench.RunComparison, x float64) string {
	switch m := a.Metric; {
	case a.Reference != "":
		return fmt.Sprintf("%#.3g", x)
	case m == bench.ByMemory:
		return terminal.Memory(int64(x))
	case m == bench.ByInstructions:
		return strings.TrimSuffix(terminal.Instructions(int64(x)), " instructions")
	}
	return terminal.Seconds(x)
}

func (s *runComparisonSheets) columns(about string) []report.Column {
	all := []report.Column{{Name: ""}, {Name: "submission", Names: true},
		{Name: about, Number: about == "cases", Names: about == "case"}}
	for _, name := range slices.Concat([]string{"OLD", "NEW", "ratio", "interval", "runs"}, s.otherNames()) {
		all = append(all, report.Column{Name: name, Number: true})
	}
	return all
}

func (s *runComparisonSheets) otherNames() (names []string) {
	for _, m := range s.others {
		names = append(names, string(m))
	}
	return names
}

// row returns the row of a submission and its change; a nil change leaves the
// numbers out.
func (s *runComparisonSheets) row(outcome report.Entry, p *bench.ProgramChange, about string,
	c *bench.Change) []report.Entry {
	row := []report.Entry{outcome, {Text: s.name(p)}, {Text: about}}
	if c == nil {
		return row
	}
	row = append(row,
		report.Entry{Text: quantity(s.a, c.Old.Median)}, report.Entry{Text: quantity(s.a, c.New.Median)},
		report.Entry{Text: RatioText(&c.Ratio, 1+s.a.Threshold), Mark: outcome.Mark},
		report.Entry{Text: Interval(&c.Ratio, 1+s.a.Threshold)},
		report.Entry{Text: RunsText(c)})
	for _, m := range s.others {
		text := ""
		if r := c.Others[m]; r > 0 {
			text = strconv.FormatFloat(r, 'f', 3, 64) + "x"
		}
		row = append(row, report.Entry{Text: text})
	}
	return row
}

// FirstLost returns why a submission is no longer accepted on all cases: the first
// reason; "" if there is none.
func FirstLost(p *bench.ProgramChange) string {
	lost := p.Lost
	for _, c := range p.Cells {
		lost = cmp.Or(lost, c.Lost)
	}
	return lost
}

// OverallChange returns the change of a submission over all cases, or on its only
// case; nil if it has none.
func OverallChange(p *bench.ProgramChange) *bench.Change {
	if all := p.Changes(); p.Overall != nil || len(all) == 1 {
		return all[0]
	}
	return nil
}

// RunsText formats the number of runs, or the numbers of OLD and NEW if they
// differ: "10, 8".
func RunsText(c *bench.Change) string {
	if c.Old.N == c.New.N {
		return strconv.Itoa(c.New.N)
	}
	return fmt.Sprintf("%d, %d", c.Old.N, c.New.N)
}

// ProgramNames returns a function that names a submission, with its problem if
// the comparison has several problems.
func ProgramNames(a *bench.RunComparison) func(*bench.ProgramChange) string {
	several := severalProblems(a)
	return func(p *bench.ProgramChange) string {
		if several {
			return p.Problem + "/" + p.Name
		}
		return p.Name
	}
}

func severalProblems(a *bench.RunComparison) bool {
	return slices.ContainsFunc(a.Programs, func(p bench.ProgramChange) bool { return p.Problem != a.Programs[0].Problem })
}

// Outcome describes the result of a change in one or two words.
func Outcome(c *bench.Change) report.Entry {
	switch {
	case c.Outcome == bench.Regression:
		return report.Entry{Text: "REGRESSION, " + FactorText(&c.Ratio), Mark: report.Bad}
	case c.Gained():
		return report.Entry{Text: "faster, " + FactorText(&c.Ratio), Mark: report.Good}
	case c.Outcome == bench.Held:
		return report.Entry{Text: "held", Mark: report.Plain}
	case math.IsInf(c.Hi, 1):
		return report.Entry{Text: "open", Mark: report.Doubt}
	}
	shown, decimals := ratioInterval(&c.Ratio)
	return report.Entry{Text: "open, up to " + strconv.FormatFloat(shown.Hi, 'f', decimals, 64) + "x", Mark: report.Doubt}
}

// Lost returns the entry of a submission that is no longer accepted, with the
// verdict that begins why; the tables have the complete reason in a note.
func Lost(why string) report.Entry {
	verdict, _, _ := strings.Cut(why, ":")
	return report.Entry{Text: "REGRESSION, " + terminal.Clip(terminal.Clean(verdict), 12), Mark: report.Bad}
}

// answer returns the table of submissions over all cases.
func (s *runComparisonSheets) answer() report.Sheet {
	a := s.a
	sheet := report.Sheet{Title: MetricText(a) + ", NEW against OLD", Columns: s.columns("cases")}
	if len(a.Programs) > 0 && !severalProblems(a) {
		sheet.Title = a.Programs[0].Problem + "  " + sheet.Title
	}
	for i := range a.Programs {
		p := &a.Programs[i]
		c, lost, timed := OverallChange(p), FirstLost(p), len(p.Changes())
		if p.Overall != nil {
			timed--
		}
		word := report.Entry{Text: "no times", Mark: report.Doubt}
		switch {
		case lost != "":
			word = Lost(lost)
		case c != nil:
			word = Outcome(c)
		case timed > 1:
			word.Text = "open" // no round has all cases
		}
		sheet.Rows = append(sheet.Rows, s.row(word, p, strconv.Itoa(timed), c))
	}
	sheet.Notes = s.notes()
	return sheet
}

// cases returns the tables of single cases: of those that regressed or have
// another verdict, and of the others, which are details. It leaves out the only
// case of a submission, because answer has the same row.
func (s *runComparisonSheets) cases() (changed, rest report.Sheet) {
	changed = report.Sheet{Title: "Cases that changed", Columns: s.columns("case")}
	rest = report.Sheet{Title: "Other cases", Columns: changed.Columns, Detail: true}
	for i := range s.a.Programs {
		p := &s.a.Programs[i]
		for k := range p.Cells {
			c := &p.Cells[k]
			if len(p.Cells) == 1 && c.Change != nil {
				continue
			}
			to, word := &rest, report.Entry{}
			switch {
			case c.Lost != "":
				to, word = &changed, Lost(c.Lost)
			case c.Found != "":
				to, word = &changed, report.Entry{Text: "AC again", Mark: report.Good}
			case c.Wrong != "":
				word = report.Entry{Text: "wrong as before", Mark: report.Faint}
			case c.Change.Outcome == bench.Regression:
				to, word = &changed, Outcome(c.Change)
			default:
				word = Outcome(c.Change)
			}
			to.Rows = append(to.Rows, s.row(word, p, CaseName(c.Case, c.Size), c.Change))
			if why := cmp.Or(c.Lost, c.Found, c.Wrong); why != "" {
				to.Notes = append(to.Notes, fmt.Sprintf("%s on %s: %s%s", s.name(p), c.Case,
					map[bool]string{true: "was "}[c.Found != ""], why))
			}
		}
	}
	if len(changed.Rows) == 0 {
		rest.Title = "By case"
	}
	return changed, rest
}

// CaseName returns the name of a case with the size of its input: "random n =
// 1000". A size of 0 is left out.
func CaseName(name string, size float64) string {
	if size == 0 {
		return name
	}
	return strings.TrimSpace(name + " n = " + strconv.FormatFloat(size, 'f', -1, 64))
}

// left returns the table of cases that were not compared, with one row for each
// submission and reason.
func (s *runComparisonSheets) left() report.Sheet {
	sheet := report.Sheet{Title: "Not compared", Columns: []report.Column{{Name: "submission", Names: true},
		{Name: "case", Names: true}, {Name: "why"}}}
	var of [][]string
	for _, l := range s.a.Left {
		row := []report.Entry{{Text: l.Problem + "/" + l.Name}, {},
			{Text: l.Why, Mark: map[bool]report.Mark{true: report.Doubt, false: report.Faint}[l.Missing]}}
		i := slices.IndexFunc(sheet.Rows, func(r []report.Entry) bool { return r[0] == row[0] && r[2] == row[2] })
		if i < 0 {
			i = len(sheet.Rows)
			sheet.Rows, of = append(sheet.Rows, row), append(of, nil)
		}
		of[i] = append(of[i], cmp.Or(l.Case, "all"))
	}
	for i, names := range of {
		sheet.Rows[i][1].Text = strings.Join(names, ", ")
		if len(names) > 3 {
			sheet.Rows[i][1].Text = terminal.Count(len(names), "case")
		}
	}
	return sheet
}

// notes names the compared runs, explains the numbers and lists the doubts.
func (s *runComparisonSheets) notes() []string {
	a := s.a
	notes := []string{"OLD: " + a.Old.Name, "NEW: " + a.New.Name}
	if len(a.Machine) == 0 {
		if where := report.Place(a.New.Machine); where != "" {
			notes = append(notes, "both: "+where)
		}
	}
	notes = append(notes, fmt.Sprintf("ratio: median of NEW divided by that of OLD; over all cases, of the geometric "+
		"means of rounds; all claims together hold with a confidence of %g %%", 100*a.Confidence))
	if s.others != nil {
		notes = append(notes, strings.Join(s.otherNames(), ", ")+": median of NEW divided by that of OLD")
	}
	if a.Reference != "" {
		notes = append(notes, fmt.Sprintf("OLD and NEW are divided by the value of %s in the same round, so effects of "+
			"the machine on both cancel", a.Reference))
	}
	for _, d := range RunDoubts(a) {
		notes = append(notes, "doubt: "+d)
	}
	for i := range a.Programs {
		if p := &a.Programs[i]; p.Lost != "" {
			notes = append(notes, s.name(p)+": "+p.Lost)
		}
	}
	return append(notes, s.doubts()...)
}

// RunDoubts returns the doubts about the two runs, not about single submissions:
// different machines and settings.
func RunDoubts(a *bench.RunComparison) (doubts []string) {
	for _, d := range a.Machine {
		doubts = append(doubts, fmt.Sprintf("another machine: %s was %s, is %s", d.Name, d.Old, d.New))
	}
	if len(a.Unknown) > 0 {
		doubts = append(doubts, "the machines may differ in facts that are not known of both: "+strings.Join(a.Unknown, ", "))
	}
	for _, d := range a.Setting {
		doubts = append(doubts, fmt.Sprintf("%s was %s, is %s", d.Name, d.Old, d.New))
	}
	for _, d := range a.Doubts {
		doubts = append(doubts, d.Text)
	}
	return doubts
}

// sided names the run that a doubt is about. Package stat calls OLD the
// reference.
func sided(d stat.Doubt) string {
	switch old := strings.Replace(d.Text, "of the reference", "in OLD", 1); {
	case old != d.Text:
		return old
	case d.Kind == "few":
		return d.Text
	}
	return "NEW: " + d.Text
}

// doubts returns remarks and doubts about submissions over all cases, with one
// line for all submissions that share a text.
func (s *runComparisonSheets) doubts() []string {
	var facts Remarks
	doubts := Remarks{before: "doubt: "}
	for i := range s.a.Programs {
		p := &s.a.Programs[i]
		if p.SameSource {
			facts.Add(s.name(p), "same source in both runs: the machine or the toolchain causes a difference")
		}
		if len(p.Changes()) == 0 {
			continue
		}
		c := p.Changes()[0]
		if c.Outcome == bench.Open && c.Bounded() && c.Claim == stat.CannotTell {
			facts.Add(s.name(p), fmt.Sprintf("open: differences below %s are not detectable (at n = %d)",
				terminal.Share(c.Least), c.N))
		}
		for _, d := range c.Doubts {
			doubts.Add(s.name(p), sided(d))
		}
	}
	return append(facts.Lines(), doubts.Lines()...)
}
