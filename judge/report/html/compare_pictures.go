package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// A changeRow is a submission or a case that was compared.
type changeRow struct {
	label      string
	name, test any    // of a single case: its submission and its name; nil for a submission
	lost       string // of a submission: why a case is no longer accepted; "" if none is lost
	change     *bench.Change
}

// drawable reports whether a change has a ratio. Times below the resolution of the
// clock have none.
func drawable(c *bench.Change) bool {
	return c != nil && c.Ratio.Ratio > 0 && !math.IsInf(c.Ratio.Ratio, 1)
}

func worstFirst(a, b changeRow) int { return cmp.Compare(b.change.Ratio.Ratio, a.change.Ratio.Ratio) }

// submissionChanges returns the changes of submissions, the worst first.
func submissionChanges(a *bench.RunComparison) (all []changeRow) {
	name := sheet.ProgramNames(a)
	for i := range a.Programs {
		p := &a.Programs[i]
		if c := sheet.OverallChange(p); drawable(c) {
			all = append(all, changeRow{label: name(p), lost: sheet.FirstLost(p), change: c})
		}
	}
	slices.SortStableFunc(all, worstFirst)
	return all
}

// caseChanges returns the changes of single cases of submissions with several cases,
// the worst first.
func caseChanges(a *bench.RunComparison) (all []changeRow) {
	var names, cases []string
	name := sheet.ProgramNames(a)
	for i := range a.Programs {
		p := &a.Programs[i]
		for k := range p.Cells {
			if c := &p.Cells[k]; drawable(c.Change) && p.Overall != nil {
				names, cases = append(names, name(p)), append(cases, sheet.CaseName(c.Case, c.Size))
				all = append(all, changeRow{label: cases[len(cases)-1], name: nameShown(name(p)),
					test: nameShown(cases[len(cases)-1]), change: c.Change})
			}
		}
	}
	if len(a.Programs) > 1 {
		from, at := folder(names), folder(cases)
		for i := range all {
			all[i].label = pairLabel(names[i][from:], cases[i][at:])
		}
	}
	slices.SortStableFunc(all, worstFirst)
	return all
}

// folder returns the length of the folder in which all names are.
func folder(names []string) int {
	if len(names) == 0 {
		return 0
	}
	common := names[0]
	for _, name := range names {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.LastIndexByte(common, '/') + 1
}

// pairLabel joins a submission and its case in at most labelColumns, with a part of
// both.
func pairLabel(name, test string) string {
	const room, least = labelColumns - len(" · ") + 1, 14
	test = clipName(test, max(least, room-terminal.Width(nameShown(name))))
	return clipName(name, room-terminal.Width(test)) + " · " + test
}

// outcomeKey returns the key of a change's mark.
func outcomeKey(c *bench.Change) string {
	switch {
	case c.Gained():
		return "gain"
	case c.Outcome == bench.Held:
		return "held"
	case c.Outcome == bench.Regression:
		return "regression"
	}
	return "open"
}

// outcomeKeys explains the keys of changes.
func outcomeKeys(a *bench.RunComparison) []legendKey {
	return []legendKey{
		{Key: "regression", Text: "regression"}, {Key: "lost", Text: "no longer accepted"},
		{Key: "open", Text: "open: may be " + sheet.ThresholdText(a) + " slower"},
		{Key: "held", Text: "held"}, {Key: "gain", Text: "faster"}, {Key: "found", Text: "accepted again"},
	}
}

// If there are many cases, only so many of the worst and of the best are drawn.
const (
	mostWorst = 20
	mostBest  = 10
)

// changesSection draws the ratios of NEW to OLD, the worst first.
func changesSection(a *bench.RunComparison) section {
	s := section{Title: "NEW against OLD"}
	all, single := submissionChanges(a), caseChanges(a)
	if len(all) == 0 {
		return s
	}
	more := "slower"
	if a.Metric != bench.ByCPU && a.Metric != bench.ByWall {
		more = "more"
	}
	s.Caption = "Ratio of NEW to OLD with its interval, the worst first, on a logarithmic axis. Right of the line at 1 " +
		"is " + more
	if a.Threshold > 0 {
		s.Caption += "; the dashed line is the threshold, " + sheet.ThresholdText(a)
	}
	s.Caption += ". A mark without an interval has too few runs."
	if len(single) == 0 {
		s.Pictures = []*picture{changesPicture(a, "", all)}
	} else {
		title := "Case by case"
		if n := len(single); n > mostWorst+mostBest {
			title = fmt.Sprintf("The worst %d and the best %d of %d cases", mostWorst, mostBest, n)
			single = slices.Concat(single[:mostWorst], single[n-mostBest:])
		}
		s.Pictures = []*picture{changesPicture(a, "Over all cases", all), changesPicture(a, title, single)}
	}
	s.keys(outcomeKeys(a)...)
	return s
}

// changesPicture draws changes one below the other.
func changesPicture(a *bench.RunComparison, title string, all []changeRow) *picture {
	names := labels(namesOf(all, func(c *changeRow) string { return c.label }))
	rows := frameOf(append([]string{"s", "p", "c", "lo", "hi", "k"}, changeFields...)...)
	for i, c := range all {
		lo, hi := c.change.Ratio.Ratio, c.change.Ratio.Ratio
		if bounded(c.change) {
			lo, hi = c.change.Lo, c.change.Hi
		}
		key, values := outcomeKey(c.change), changeValues(a, c.change)
		if c.lost != "" {
			key, values[len(values)-1] = "lost", lowered(sheet.Lost(c.lost))
		}
		rows.add(append([]any{names[i], c.name, c.test, lo, hi, key}, values...)...)
	}
	one := &picture{Spec: "changes", Title: title, Wide: true, Hover: changeHover(a),
		Data: map[string]*frame{"rows": rows, "one": frameOf("x"), "threshold": frameOf("x", "label")}}
	one.Data["one"].add(1.0)
	if a.Threshold > 0 {
		one.Data["threshold"].add(1+a.Threshold, "+"+sheet.ThresholdText(a))
	}
	one.Caption = terminal.Count(len(all), "ratio") +
		" of NEW to OLD with intervals, the worst first, on a logarithmic axis."
	return one
}

func bounded(c *bench.Change) bool { return c.Bounded() && c.Lo > 0 }

// changeFields are the fields of a change in a frame.
var changeFields = []string{"x", "interval", "old", "new", "n", "outcome"}

// changeValues returns the values of changeFields.
func changeValues(a *bench.RunComparison, c *bench.Change) []any {
	interval := any(nil)
	if bounded(c) {
		interval = sheet.Interval(&c.Ratio, 1+a.Threshold)
	}
	return []any{c.Ratio.Ratio, interval, c.Old.Median, c.New.Median, sheet.RunsText(c), lowered(sheet.Outcome(c))}
}

// lowered returns the text of an outcome for the middle of a sentence.
func lowered(e report.Entry) string { return strings.Replace(e.Text, "REGRESSION", "regression", 1) }

// changeHover returns the formats of changeFields.
func changeHover(a *bench.RunComparison) []hover {
	as := map[bench.Metric]string{bench.ByCPU: "time", bench.ByWall: "time", bench.ByMemory: "size",
		bench.ByInstructions: "number"}[a.Metric]
	if a.Reference != "" {
		as = "ratio"
	}
	return []hover{{"s", "", "text"}, {"p", "submission", "text"}, {"c", "case", "text"}, {"outcome", "outcome", "text"},
		{"x", "NEW over OLD", "ratio"}, {"interval", "interval", "text"},
		{"old", "OLD median", as}, {"new", "NEW median", as}, {"n", "runs", "text"}, {"why", "why", "text"}}
}
