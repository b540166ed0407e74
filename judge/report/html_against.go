package report

import (
	"cmp"
	"strings"

	"crucible/judge/bench"
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
	for _, note := range sheets[0].Notes {
		if text, doubt := strings.CutPrefix(note, "doubt: "); doubt {
			part.doubt("", text)
		}
	}
	for _, table := range open(sheets...) {
		title := table.Title
		table.Titled = false
		part.Sections = append(part.Sections, htmlSection{Title: Clip(Clean(title), mostShown), Tables: []htmlTable{table}})
	}
	return part
}
