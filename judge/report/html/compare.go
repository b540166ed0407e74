package html

import (
	"cmp"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// againstPart returns the part of a comparison of stored runs.
func againstPart(a *bench.RunComparison) *part {
	part := &part{ID: "against", Kind: "Regressions", Name: sheet.MetricText(a) + ", NEW against OLD"}
	sheets := sheet.OfRunComparison(a)
	for _, row := range sheets[0].Rows {
		word, number, _ := strings.Cut(row[0].Text, ", ")
		claim := claim{Mark: cmp.Or(row[0].Mark, report.Faint), Word: strings.ToLower(word), Number: number,
			Name: row[1].Text}
		if len(row) > 6 {
			claim.Text = "ratio " + row[5].Text + ", " + row[6].Text
		}
		part.Claims = append(part.Claims, claim)
	}
	byUrgency(part.Claims)
	for _, note := range sheets[0].Notes {
		if text, doubt := strings.CutPrefix(note, "doubt: "); doubt {
			part.doubt("", text)
		}
	}
	changes := changesSection(a)
	changes.Tables = open(sheets[0])
	part.Sections = append(append(part.Sections, changes), changeMaps(a)...)
	for _, t := range open(sheets[1:]...) {
		title := t.Title
		t.Titled = false
		if !t.Open {
			t.Title += ", " + terminal.Count(len(t.Rows), "row")
		}
		part.Sections = append(part.Sections, section{Title: terminal.Clip(terminal.Clean(title), mostShown),
			Tables: []table{t}})
	}
	part.finish()
	return part
}
