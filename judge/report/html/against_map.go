package html

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// fewCells is up to how many single cases a map of them tells nothing that a
// list does not.
const fewCells = 12

// changeMaps are the submissions and cases of each problem that has many.
func changeMaps(a *bench.Against) (sections []section) {
	var problems []string
	for i := range a.Programs {
		if p := a.Programs[i].Problem; !slices.Contains(problems, p) {
			problems = append(problems, p)
		}
	}
	for _, problem := range problems {
		if section := changeMap(a, problem, len(problems) > 1); section.Pictures != nil {
			sections = append(sections, section)
		}
	}
	return sections
}

// changeMap draws the ratios of a problem's submissions and cases.
func changeMap(a *bench.Against, problem string, several bool) section {
	var programs []*bench.Matched
	var cases []string
	cells := 0
	for i := range a.Programs {
		p := &a.Programs[i]
		if p.Problem != problem || len(p.Cells) == 0 {
			continue
		}
		programs = append(programs, p)
		cells += len(p.Cells)
		for _, c := range p.Cells {
			if name := sheet.CaseName(c.Case, c.Size); !slices.Contains(cases, name) {
				cases = append(cases, name)
			}
		}
	}
	if len(programs) < 2 || len(cases) < 2 || cells <= fewCells {
		return section{}
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
	numbers := sheet.Sheet{Title: "Ratios by case", Columns: []sheet.Column{{Name: "submission", Names: true}}}
	for _, name := range cases {
		numbers.Columns = append(numbers.Columns, sheet.Column{Name: name, Number: true, Names: true})
	}
	rows, seen := frameOf(append([]string{"s", "c", "k", "fill", "depth", "size", "label", "why"}, changeFields...)...), make(map[string]bool)
	for i, p := range programs {
		row := make([]sheet.Entry, 1+len(cases))
		row[0].Text = p.Name
		for _, c := range p.Cells {
			at := slices.Index(cases, sheet.CaseName(c.Case, c.Size))
			cell := mapped(a, &c)
			if cell.key == "" {
				continue
			}
			seen[cell.key] = true
			row[1+at] = cell.entry
			rows.add(append([]any{short[i], columns[at], cell.key, cell.fill, cell.depth, cell.size, cell.entry.Text, cell.why}, cell.told...)...)
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	title := "Submissions and cases"
	if several {
		title = nameShown(problem) + ": submissions and cases"
	}
	section := section{Title: title, Key: outcomeKeys(a, seen), Tables: folded(numbers)}
	section.Says = "Ratio of NEW to OLD on each case: red is worse, green is better, and the deeper the color, the further from 1. What is empty has no times in both."
	one := &picture{Spec: "map", Hover: changeHover(a), Data: map[string]*frame{"rows": rows}, Most: 300 + 96*len(cases)}
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
	entry sheet.Entry
	why   any
	told  []any
}

// mapped is how a case is drawn: a verdict that was lost, or found, as the worst
// and the best there is.
func mapped(a *bench.Against, c *bench.MatchedCell) mapCell {
	const deepest, mark, cross = 0.85, 42, 80 // of a cross there is less
	nothing := make([]any, len(changeFields))
	verdict := func(why string) string {
		word, _, _ := strings.Cut(why, ":")
		return terminal.Clip(terminal.Clean(word), 12)
	}
	switch {
	case c.Lost != "":
		nothing[len(nothing)-1] = "was accepted, is not any more"
		return mapCell{"lost", "var(--slower)", deepest, cross, sheet.Entry{Text: verdict(c.Lost), Mark: sheet.Bad}, terminal.Clip(terminal.Clean(c.Lost), 160), nothing}
	case c.Found != "":
		nothing[len(nothing)-1] = "is accepted again"
		return mapCell{"found", "var(--faster)", deepest, mark, sheet.Entry{Text: "AC", Mark: sheet.Good}, terminal.Clip(terminal.Clean("was "+c.Found), 160), nothing}
	case !drawable(c.Change):
		return mapCell{}
	}
	key, r := outcomeKey(c.Change), c.Change.Ratio.Ratio
	cell := mapCell{key: key, fill: "var(--faster)", size: mark, entry: sheet.Entry{Text: units.Ratio(r), Mark: sheet.Outcome(c.Change).Mark}, told: told(a, c.Change)}
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
