package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/stat"
)

// A changed is something that was compared, and what to call it.
type changed struct {
	label  string
	lost   string // why a submission is not accepted any more, somewhere
	change *bench.Change
}

// worstFirst sorts by the ratio; what has none, for its clock was too coarse, is
// last.
func worstFirst(a, b changed) int { return cmp.Compare(b.change.Ratio.Ratio, a.change.Ratio.Ratio) }

// wholeChanges are the submissions, over all cases or on the one there is.
func (s *againstSheets) wholeChanges() (all []changed) {
	for i := range s.a.Programs {
		p := &s.a.Programs[i]
		if c := wholeChange(p); c != nil {
			lost := p.Lost
			for _, cell := range p.Cells {
				lost = cmp.Or(lost, cell.Lost)
			}
			all = append(all, changed{s.name(p), lost, c})
		}
	}
	slices.SortStableFunc(all, worstFirst)
	return all
}

// caseChanges are the single cases of submissions that have several.
func (s *againstSheets) caseChanges() (all []changed) {
	for i := range s.a.Programs {
		p := &s.a.Programs[i]
		for k := range p.Cells {
			if c := &p.Cells[k]; c.Change != nil && p.Overall != nil {
				label := caseName(c.Case, c.Size)
				if len(s.a.Programs) > 1 {
					label = pairLabel(s.name(p), label)
				}
				all = append(all, changed{label, "", c.Change})
			}
		}
	}
	slices.SortStableFunc(all, worstFirst)
	return all
}

// pairLabel is a submission and its case in as many columns as [labels] leaves,
// so that both are told.
func pairLabel(name, where string) string {
	const room, least = labelColumns - len(" · ") + 1, 14
	where = htmlClip(where, max(least, room-Width(nameShown(name))))
	return htmlClip(name, room-Width(where)) + " · " + where
}

// wholeChange is a submission's change over all cases, or on its only one.
func wholeChange(p *bench.Matched) *bench.Change {
	if p.Overall == nil {
		if all := changesOf(p); len(all) == 1 {
			return all[0]
		}
	}
	return p.Overall
}

// outcomeKey is the key of a change's mark.
func outcomeKey(c *bench.Change) string {
	switch {
	case c.Outcome == bench.Held && c.Claim == stat.Faster:
		return "gain"
	case c.Outcome == bench.Held:
		return "held"
	case c.Outcome == bench.Regression:
		return "regression"
	}
	return "open"
}

// outcomeKeys is the legend of the marks there are.
func outcomeKeys(a *bench.Against, seen map[string]bool) (keys []htmlKey) {
	for _, k := range []htmlKey{
		{Key: "regression", Text: "regression"}, {Key: "lost", Text: "not accepted any more"}, {Key: "open", Text: "open: " + threshold(a) + " slower is not ruled out"},
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
func changesSection(a *bench.Against) htmlSection {
	s := againstSheetsOf(a)
	section := htmlSection{Title: "How NEW stands to OLD"}
	whole, single := s.wholeChanges(), s.caseChanges()
	if len(whole) == 0 {
		return section
	}
	section.Says = "Ratio of NEW to OLD with its interval, the worst first, on a logarithmic axis. Right of the line at 1 is slower"
	if a.Metric != bench.ByCPU && a.Metric != bench.ByWall {
		section.Says = strings.Replace(section.Says, "slower", "more", 1)
	}
	if a.Threshold > 0 {
		section.Says += "; the dashed line is the threshold, " + threshold(a)
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
	section.Pictures = append(section.Pictures, s.changesPicture(title, whole, seen))
	if len(single) > 0 {
		title := "Case by case"
		if all > len(single) {
			title = fmt.Sprintf("Of %d cases the %d that got worst, and the %d that got best", all, mostWorst, mostBest)
		}
		section.Pictures = append(section.Pictures, s.changesPicture(title, single, seen))
	}
	section.Key = outcomeKeys(a, seen)
	return section
}

// changesPicture draws changes one below the other, and notes their keys.
func (s *againstSheets) changesPicture(title string, all []changed, seen map[string]bool) *picture {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.label
	}
	names = labels(names)
	rows := frameOf(append([]string{"s", "lo", "hi", "k"}, changeFields...)...)
	for i, c := range all {
		lo, hi := c.change.Ratio.Ratio, c.change.Ratio.Ratio
		if bounded(c.change) {
			lo, hi = c.change.Lo, c.change.Hi
		}
		key, told := outcomeKey(c.change), s.told(c.change)
		if c.lost != "" {
			key, told[len(told)-1] = "lost", lowered(lost(c.lost))
		}
		seen[key] = true
		rows.add(append([]any{names[i], lo, hi, key}, told...)...)
	}
	one := &picture{Spec: "changes", Title: title, Wide: true, Hover: s.changeHover(), Data: map[string]*frame{"rows": rows, "one": frameOf("x"), "threshold": frameOf("x", "label")}}
	one.Data["one"].add(1.0)
	if s.a.Threshold > 0 {
		one.Data["threshold"].add(1+s.a.Threshold, "+"+threshold(s.a))
	}
	one.Says = count(len(all), "ratio") + " of NEW to OLD with intervals, the worst first, on a logarithmic axis."
	return one
}

func bounded(c *bench.Change) bool { return c.Bounded() && c.Lo > 0 }

// changeFields are what is told of a change.
var changeFields = []string{"x", "from", "to", "old", "new", "n", "outcome"}

// told are the values of changeFields.
func (s *againstSheets) told(c *bench.Change) []any {
	from, to := any(nil), any(nil)
	if bounded(c) {
		from, to = c.Lo, c.Hi
	}
	return []any{c.Ratio.Ratio, from, to, c.Old.Median, c.New.Median, runsText(c), lowered(said(c))}
}

// lowered is an answer as it stands within a sentence.
func lowered(e Entry) string { return strings.Replace(e.Text, "REGRESSION", "regression", 1) }

// changeHover is how they are told, after the mark's name.
func (s *againstSheets) changeHover() []htmlHover {
	as := map[bench.Metric]string{bench.ByCPU: "time", bench.ByWall: "time", bench.ByMemory: "size", bench.ByInstructions: "number"}[s.a.Metric]
	if s.a.Reference != "" {
		as = "ratio"
	}
	return []htmlHover{{"s", "", "text"}, {"c", "case", "text"}, {"outcome", "outcome", "text"}, {"x", "NEW over OLD", "ratio"}, {"from", "from", "ratio"}, {"to", "to", "ratio"},
		{"old", "OLD median", as}, {"new", "NEW median", as}, {"n", "runs", "text"}, {"why", "why", "text"}}
}

// fewCells is up to how many single cases a map of them tells nothing that a
// list does not.
const fewCells = 12

// changeMaps are the submissions and cases of each problem that has many.
func changeMaps(a *bench.Against) (sections []htmlSection) {
	s := againstSheetsOf(a)
	var problems []string
	for i := range a.Programs {
		if p := a.Programs[i].Problem; !slices.Contains(problems, p) {
			problems = append(problems, p)
		}
	}
	for _, problem := range problems {
		if section := s.changeMap(problem); section.Pictures != nil {
			sections = append(sections, section)
		}
	}
	return sections
}

// changeMap draws the ratios of a problem's submissions and cases.
func (s *againstSheets) changeMap(problem string) htmlSection {
	var programs []*bench.Matched
	var cases []string
	cells := 0
	for i := range s.a.Programs {
		p := &s.a.Programs[i]
		if p.Problem != problem || len(p.Cells) == 0 {
			continue
		}
		programs = append(programs, p)
		cells += len(p.Cells)
		for _, c := range p.Cells {
			if name := caseName(c.Case, c.Size); !slices.Contains(cases, name) {
				cases = append(cases, name)
			}
		}
	}
	if len(programs) < 2 || len(cases) < 2 || cells <= fewCells {
		return htmlSection{}
	}
	ratio := func(p *bench.Matched) float64 {
		if c := wholeChange(p); c != nil {
			return c.Ratio.Ratio
		}
		return 0
	}
	slices.SortStableFunc(programs, func(a, b *bench.Matched) int { return cmp.Compare(ratio(b), ratio(a)) })
	names := make([]string, len(programs))
	for i, p := range programs {
		names[i] = p.Name
	}
	short, columns := labels(names), labels(cases)
	sheet := Sheet{Title: "Ratios by case", Columns: []Column{{Name: "submission", Names: true}}}
	for _, name := range cases {
		sheet.Columns = append(sheet.Columns, Column{Name: name, Number: true, Names: true})
	}
	rows, seen := frameOf(append([]string{"s", "c", "k", "fill", "depth", "size", "label", "why"}, changeFields...)...), make(map[string]bool)
	for i, p := range programs {
		row := make([]Entry, 1+len(cases))
		row[0].Text = p.Name
		for _, c := range p.Cells {
			at := slices.Index(cases, caseName(c.Case, c.Size))
			cell := s.mapped(&c)
			if cell.key == "" {
				continue
			}
			seen[cell.key] = true
			row[1+at] = cell.entry
			rows.add(append([]any{short[i], columns[at], cell.key, cell.fill, cell.depth, cell.size, cell.entry.Text, cell.why}, cell.told...)...)
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	title := "Submissions and cases"
	if s.problems {
		title = nameShown(problem) + ": submissions and cases"
	}
	section := htmlSection{Title: title, Key: outcomeKeys(s.a, seen), Tables: folded(sheet)}
	section.Says = "Ratio of NEW to OLD on each case: red is slower, green is faster, and the deeper the color, the further from 1. What is empty was not compared."
	one := &picture{Spec: "map", Hover: s.changeHover(), Data: map[string]*frame{"rows": rows}, Most: 300 + 96*len(cases)}
	one.Says = section.Says
	section.Pictures = []*picture{one}
	return section
}

// A mapCell is a place of the map.
type mapCell struct {
	key   string // "" if there is nothing to draw
	fill  string
	depth float64 // how deep the color is
	size  float64 // of the mark
	entry Entry
	why   any
	told  []any
}

// mapped is how a case is drawn: a verdict that was lost, or found, as the worst
// and the best there is.
func (s *againstSheets) mapped(c *bench.MatchedCell) mapCell {
	const deepest, mark, cross = 0.85, 42, 80 // of which there is less
	nothing := make([]any, len(changeFields))
	verdict := func(why string) string { word, _, _ := strings.Cut(why, ":"); return Clip(Clean(word), 12) }
	switch {
	case c.Lost != "":
		nothing[len(nothing)-1] = "was accepted, is not any more"
		return mapCell{"lost", "var(--slower)", deepest, cross, Entry{verdict(c.Lost), Bad}, Clip(Clean(c.Lost), whyColumns), nothing}
	case c.Found != "":
		nothing[len(nothing)-1] = "is accepted again"
		return mapCell{"found", "var(--faster)", deepest, mark, Entry{"AC", Good}, Clip(Clean("was "+c.Found), whyColumns), nothing}
	case c.Change == nil || math.IsNaN(c.Change.Ratio.Ratio) || c.Change.Ratio.Ratio <= 0:
		return mapCell{}
	}
	key, r := outcomeKey(c.Change), c.Change.Ratio.Ratio
	cell := mapCell{key: key, fill: "var(--faster)", size: mark, entry: Entry{digits(r), said(c.Change).Mark}, told: s.told(c.Change)}
	if r > 1 {
		cell.fill = "var(--slower)"
	}
	if key == "held" {
		cell.size = 8
	}
	// The root lets small differences be seen, of which it is about.
	cell.depth = deepest * math.Sqrt(min(math.Abs(math.Log2(r)), 1))
	return cell
}
