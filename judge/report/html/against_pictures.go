package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// A changed is something that was compared, and what to call it.
type changed struct {
	label       string
	name, where string // of a single case: its submission, and its name
	lost        string // of a whole submission: why it is not accepted any more, somewhere
	change      *bench.Change
}

// drawable reports whether a change has a ratio: a clock too coarse gives none.
func drawable(c *bench.Change) bool {
	return c != nil && c.Ratio.Ratio > 0 && !math.IsInf(c.Ratio.Ratio, 1)
}

func worstFirst(a, b changed) int { return cmp.Compare(b.change.Ratio.Ratio, a.change.Ratio.Ratio) }

// wholeChanges are the submissions, over all cases or on the one there is.
func wholeChanges(a *bench.Against) (all []changed) {
	name := sheet.ProgramNames(a)
	for i := range a.Programs {
		p := &a.Programs[i]
		if c := wholeChange(p); drawable(c) {
			lost := p.Lost
			for _, cell := range p.Cells {
				lost = cmp.Or(lost, cell.Lost)
			}
			all = append(all, changed{label: name(p), lost: lost, change: c})
		}
	}
	slices.SortStableFunc(all, worstFirst)
	return all
}

// caseChanges are the single cases of submissions that have several.
func caseChanges(a *bench.Against) (all []changed) {
	var names, cases []string
	name := sheet.ProgramNames(a)
	for i := range a.Programs {
		p := &a.Programs[i]
		for k := range p.Cells {
			if c := &p.Cells[k]; drawable(c.Change) && p.Overall != nil {
				one := changed{name: name(p), where: sheet.CaseName(c.Case, c.Size), change: c.Change}
				all, names, cases = append(all, one), append(names, one.name), append(cases, one.where)
			}
		}
	}
	from, at := folder(names), folder(cases)
	for i := range all {
		one := &all[i]
		if one.label = one.where; len(a.Programs) > 1 {
			one.label = pairLabel(one.name[from:], one.where[at:])
		}
	}
	slices.SortStableFunc(all, worstFirst)
	return all
}

// folder is the length of the folder that all names begin with, and which tells
// nothing of them.
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

// pairLabel is a submission and its case in as many columns as [labels] leaves,
// so that both are told.
func pairLabel(name, where string) string {
	const room, least = labelColumns - len(" · ") + 1, 14
	where = htmlClip(where, max(least, room-terminal.Width(nameShown(name))))
	return htmlClip(name, room-terminal.Width(where)) + " · " + where
}

// wholeChange is a submission's change over all cases, or on its only one.
func wholeChange(p *bench.Matched) *bench.Change {
	if p.Overall == nil {
		if all := p.Changes(); len(all) == 1 {
			return all[0]
		}
	}
	return p.Overall
}

// outcomeKey is the key of a change's mark.
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

// outcomeKeys is the legend of the marks there are.
func outcomeKeys(a *bench.Against, seen map[string]bool) (keys []legendKey) {
	for _, k := range []legendKey{
		{Key: "regression", Text: "regression"}, {Key: "lost", Text: "not accepted any more"}, {Key: "open", Text: "open: " + sheet.ThresholdText(a) + " slower is not ruled out"},
		{Key: "held", Text: "held"}, {Key: "gain", Text: "faster"}, {Key: "found", Text: "accepted again"},
	} {
		if seen[k.Key] {
			keys = append(keys, k)
		}
	}
	return keys
}

// Of more cases than are drawn one below the other, those are that got worst,
// and those that got best.
const (
	mostWorst = 20
	mostBest  = 10
)

// changesSection draws how NEW stands to OLD, the worst first.
func changesSection(a *bench.Against) section {
	section := section{Title: "How NEW stands to OLD"}
	whole, single := wholeChanges(a), caseChanges(a)
	if len(whole) == 0 {
		return section
	}
	section.Says = "Ratio of NEW to OLD with its interval, the worst first, on a logarithmic axis. Right of the line at 1 is slower"
	if a.Metric != bench.ByCPU && a.Metric != bench.ByWall {
		section.Says = strings.Replace(section.Says, "slower", "more", 1)
	}
	if a.Threshold > 0 {
		section.Says += "; the dashed line is the threshold, " + sheet.ThresholdText(a)
	}
	section.Says += ". A mark without an interval has too few runs."
	all := len(single)
	if all > mostWorst+mostBest {
		single = slices.Concat(single[:mostWorst], single[all-mostBest:])
	}
	seen := make(map[string]bool)
	title := "Over all cases"
	if len(single) == 0 {
		title = ""
	}
	section.Pictures = append(section.Pictures, changesPicture(a, title, whole, seen))
	if len(single) > 0 {
		title := "Case by case"
		if all > len(single) {
			title = fmt.Sprintf("Of %d cases the %d that got worst, and the %d that got best", all, mostWorst, mostBest)
		}
		section.Pictures = append(section.Pictures, changesPicture(a, title, single, seen))
	}
	section.Key = outcomeKeys(a, seen)
	return section
}

// changesPicture draws changes one below the other, and notes their keys.
func changesPicture(a *bench.Against, title string, all []changed, seen map[string]bool) *picture {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.label
	}
	names = labels(names)
	rows := frameOf(append([]string{"s", "p", "c", "lo", "hi", "k"}, changeFields...)...)
	for i, c := range all {
		lo, hi := c.change.Ratio.Ratio, c.change.Ratio.Ratio
		if bounded(c.change) {
			lo, hi = c.change.Lo, c.change.Hi
		}
		key, values := outcomeKey(c.change), told(a, c.change)
		if c.lost != "" {
			key, values[len(values)-1] = "lost", lowered(sheet.Lost(c.lost))
		}
		seen[key] = true
		rows.add(append([]any{names[i], known(c.name), known(c.where), lo, hi, key}, values...)...)
	}
	one := &picture{Spec: "changes", Title: title, Wide: true, Hover: changeHover(a), Data: map[string]*frame{"rows": rows, "one": frameOf("x"), "threshold": frameOf("x", "label")}}
	one.Data["one"].add(1.0)
	if a.Threshold > 0 {
		one.Data["threshold"].add(1+a.Threshold, "+"+sheet.ThresholdText(a))
	}
	one.Says = units.Count(len(all), "ratio") + " of NEW to OLD with intervals, the worst first, on a logarithmic axis."
	return one
}

// known is a name as it is told; nil if there is none.
func known(name string) any {
	if name == "" {
		return nil
	}
	return nameShown(name)
}

func bounded(c *bench.Change) bool { return c.Bounded() && c.Lo > 0 }

// changeFields are what is told of a change.
var changeFields = []string{"x", "interval", "old", "new", "n", "outcome"}

// told are the values of changeFields.
func told(a *bench.Against, c *bench.Change) []any {
	interval := any(nil)
	if bounded(c) {
		interval = sheet.Interval(&c.Ratio, 1+a.Threshold)
	}
	return []any{c.Ratio.Ratio, interval, c.Old.Median, c.New.Median, sheet.RunsText(c), lowered(sheet.Outcome(c))}
}

// lowered is an answer as it stands within a sentence.
func lowered(e sheet.Entry) string { return strings.Replace(e.Text, "REGRESSION", "regression", 1) }

// changeHover is how they are told, after the mark's name.
func changeHover(a *bench.Against) []hover {
	as := map[bench.Metric]string{bench.ByCPU: "time", bench.ByWall: "time", bench.ByMemory: "size", bench.ByInstructions: "number"}[a.Metric]
	if a.Reference != "" {
		as = "ratio"
	}
	return []hover{{"s", "", "text"}, {"p", "submission", "text"}, {"c", "case", "text"}, {"outcome", "outcome", "text"}, {"x", "NEW over OLD", "ratio"}, {"interval", "interval", "text"},
		{"old", "OLD median", as}, {"new", "NEW median", as}, {"n", "runs", "text"}, {"why", "why", "text"}}
}
