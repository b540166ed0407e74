package html

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// fewCells is the largest number of cases for which there is no map, because a list
// is as clear.
const fewCells = 12

// changeMaps returns a map of the submissions and cases of each problem that has
// many.
func changeMaps(a *bench.RunComparison) (sections []section) {
	var problems []string
	byProblem := make(map[string][]*bench.ProgramChange)
	for i := range a.Programs {
		p := &a.Programs[i]
		if byProblem[p.Problem] == nil {
			problems = append(problems, p.Problem)
		}
		byProblem[p.Problem] = append(byProblem[p.Problem], p)
	}
	for _, name := range problems {
		title := "Submissions and cases"
		if len(problems) > 1 {
			title = nameShown(name) + ": submissions and cases"
		}
		sections = append(sections, changeMap(a, title, byProblem[name]))
	}
	return sections
}

// changeMap draws the ratios of the submissions and cases of a problem. The section is
// empty if there are few.
func changeMap(a *bench.RunComparison, title string, programs []*bench.ProgramChange) section {
	programs = slices.DeleteFunc(programs, func(p *bench.ProgramChange) bool { return len(p.Cells) == 0 })
	var cases []string
	cells := 0
	for _, p := range programs {
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
	slices.SortStableFunc(programs,
		func(a, b *bench.ProgramChange) int { return cmp.Compare(overallRatio(b), overallRatio(a)) })
	names := namesOf(programs, func(p **bench.ProgramChange) string { return (*p).Name })
	short, shortCases := labels(names), labels(cases)
	numbers := report.MatrixSheet("Ratios by case", "submission", names, cases)
	rows := frameOf(append([]string{"s", "c", "k", "fill", "depth", "size", "label", "why"}, changeFields...)...)
	for i, p := range programs {
		for _, c := range p.Cells {
			at := slices.Index(cases, sheet.CaseName(c.Case, c.Size))
			cell := mapCellOf(a, &c)
			if cell.key == "" {
				continue
			}
			rows.add(append([]any{short[i], shortCases[at], cell.key, cell.fill, cell.depth, cell.size, cell.entry.Text,
				cell.why}, cell.values...)...)
			numbers.Rows[i][1+at] = cell.entry
		}
	}
	s := sectionOf(title, "Ratio of NEW to OLD on each case: red is worse, green is better, and a deeper color is "+
		"further from 1. A case without times in both runs is empty.",
		&picture{Spec: "map", Hover: changeHover(a), Data: map[string]*frame{"rows": rows}, Most: 300 + 96*len(cases)},
		numbers)
	s.keys(outcomeKeys(a)...)
	return s
}

// overallRatio returns the ratio over all cases; 0 if there is none.
func overallRatio(p *bench.ProgramChange) float64 {
	if c := sheet.OverallChange(p); c != nil {
		return c.Ratio.Ratio
	}
	return 0
}

// A mapCell is a case of a submission in the map.
type mapCell struct {
	key    string  // "" if there is nothing to draw
	fill   string  // colour
	depth  float64 // opacity of the colour
	size   float64 // of the mark
	entry  report.Entry
	why    any
	values []any // of changeFields
}

// mapped returns how a case is drawn. A lost verdict is drawn as the worst change, an
// accepted case that was rejected in OLD as the best.
func mapCellOf(a *bench.RunComparison, c *bench.CaseChange) mapCell {
	const deepest, mark, cross = 0.85, 42, 80 // a cross is larger, because it covers less of its area
	none := make([]any, len(changeFields))
	switch {
	case c.Lost != "":
		verdict, _, _ := strings.Cut(c.Lost, ":")
		none[len(none)-1] = "no longer accepted"
		return mapCell{"lost", "var(--slower)", deepest, cross, report.Entry{Text: terminal.Clip(terminal.Clean(verdict), 12),
			Mark: report.Bad}, terminal.Clip(terminal.Clean(c.Lost), 160), none}
	case c.Found != "":
		none[len(none)-1] = "accepted again"
		return mapCell{"found", "var(--faster)", deepest, mark, report.Entry{Text: "AC", Mark: report.Good},
			terminal.Clip(terminal.Clean("was "+c.Found), 160), none}
	case !drawable(c.Change):
		return mapCell{}
	}
	key, r := outcomeKey(c.Change), c.Change.Ratio.Ratio
	cell := mapCell{key: key, fill: "var(--faster)", size: mark,
		entry: report.Entry{Text: terminal.Ratio(r), Mark: sheet.Outcome(c.Change).Mark}, values: changeValues(a, c.Change)}
	if r > 1 {
		cell.fill = "var(--slower)"
	}
	if key == "held" {
		cell.size = 8
	}
	// The root makes small differences visible.
	cell.depth = deepest * math.Sqrt(min(math.Abs(math.Log2(r)), 1))
	return cell
}
