package html

import (
	"cmp"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// againstPart is the page of a comparison of stored runs.
func againstPart(a *bench.Against) *part {
	part := &part{ID: "against", Kind: "Regressions", Name: sheet.MetricText(a) + ", NEW against OLD"}
	sheets := sheet.OfAgainst(a)
	for _, row := range sheets[0].Rows {
		word, number, _ := strings.Cut(row[0].Text, ", ")
		claim := claim{Mark: cmp.Or(row[0].Mark, sheet.Faint), Word: strings.ToLower(word), Number: number, Who: row[1].Text}
		if len(row) > 6 {
			claim.Text = "ratio " + row[5].Text + ", " + row[6].Text
		}
		part.Claims = append(part.Claims, claim)
	}
	// What must be looked at is not folded among many.
	order := []sheet.Mark{sheet.Bad, sheet.Doubt, sheet.Good, sheet.Faint}
	slices.SortStableFunc(part.Claims, func(a, b claim) int { return slices.Index(order, a.Mark) - slices.Index(order, b.Mark) })
	part.fold()
	for _, note := range sheets[0].Notes {
		if text, doubt := strings.CutPrefix(note, "doubt: "); doubt {
			part.doubt("", text)
		}
	}
	drawn := changesSection(a)
	drawn.Tables = open(sheets[0])
	part.Sections = append(part.Sections, drawn)
	part.Sections = append(part.Sections, changeMaps(a)...)
	for _, one := range open(sheets[1:]...) {
		title := one.Title
		one.Titled = false
		if !one.Open {
			one.Title += ", " + units.Count(len(one.Rows), "row")
		}
		part.Sections = append(part.Sections, section{Title: terminal.Clip(terminal.Clean(title), mostShown), Tables: []table{one}})
	}
	part.doubtOnce()
	return part
}
