package report

import (
	"cmp"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/terminal"
)

// againstPart is the page of a comparison of stored runs.
func againstPart(a *bench.Against) *htmlPart {
	part := &htmlPart{ID: "against", Kind: "Regressions", Name: metric(a) + ", NEW against OLD"}
	sheets := AgainstSheets(a)
	for _, row := range sheets[0].Rows {
		word, number, _ := strings.Cut(row[0].Text, ", ")
		claim := htmlClaim{Mark: cmp.Or(row[0].Mark, Faint), Word: strings.ToLower(word), Number: number, Who: row[1].Text}
		if len(row) > 6 {
			claim.Text = "ratio " + row[5].Text + ", " + row[6].Text
		}
		part.Claims = append(part.Claims, claim)
	}
	// What must be looked at is not folded among many.
	order := []Mark{Bad, Doubt, Good, Faint}
	slices.SortStableFunc(part.Claims, func(a, b htmlClaim) int { return slices.Index(order, a.Mark) - slices.Index(order, b.Mark) })
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
	for _, table := range open(sheets[1:]...) {
		title := table.Title
		table.Titled = false
		if !table.Open {
			table.Title += ", " + Count(len(table.Rows), "row")
		}
		part.Sections = append(part.Sections, htmlSection{Title: terminal.Clip(terminal.Clean(title), mostShown), Tables: []htmlTable{table}})
	}
	part.doubtOnce()
	return part
}
