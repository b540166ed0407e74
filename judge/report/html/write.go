package html

import (
	"io"
	"strings"

	"crucible/judge/record"
)

// Write writes the document as one HTML file.
func Write(w io.Writer, d *record.Document) error {
	page := &page{Title: "Judge report", Lead: htmlLead(d), Machine: machineFacts(d.Machine)}
	for i := range d.Problems {
		page.Parts = append(page.Parts, partOf(&d.Problems[i], i))
	}
	if d.Against != nil {
		page.Parts = append(page.Parts, againstPart(d.Against))
	}
	if len(page.Parts) == 1 {
		page.Title = strings.TrimSpace(page.Parts[0].Name + " · " + page.Parts[0].Kind)
	}
	if drawn := page.pictures(); len(drawn.Pictures)+len(drawn.Heats) > 0 {
		page.Pictures = drawn
	}
	if err := page.arm(); err != nil {
		return err
	}
	return htmlTemplate().Execute(w, page)
}
