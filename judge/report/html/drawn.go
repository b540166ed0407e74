package html

import (
	"encoding/base64"
	"fmt"
	"html/template"

	"crucible/judge"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// maxDrawn is the size in bytes of the pictures of a report.
const maxDrawn = 24 << 20

// A caseDrawings has the pictures of a case and of the outputs on it.
type caseDrawings struct {
	Name string
	All  []drawing
}

// A drawing is a picture that a visualizer made, or why it is not shown.
type drawing struct {
	Of, Name string // a submission, or "input"; and the name of its file
	Data     template.URL
	Wrong    string
}

// drawings returns the pictures of visualizers by the case, and a note if some are left out.
// A browser runs no script of a picture in an img element, and loads nothing that it names.
func drawings(p *record.Problem) (cases []caseDrawings, note string) {
	room, left := maxDrawn, 0
	for _, name := range p.Cases {
		one := caseDrawings{Name: name}
		add := func(of string, images []judge.Image, failed string) {
			if failed != "" {
				one.All = append(one.All, drawing{Of: of, Wrong: failed})
			}
			for _, i := range images {
				kind, err := MediaType(&i)
				switch {
				case err != nil:
					one.All = append(one.All, drawing{Of: of, Name: i.Name, Wrong: err.Error()})
				case len(i.Data) > room:
					left++
				default:
					room -= len(i.Data)
					one.All = append(one.All, drawing{Of: of, Name: i.Name,
						Data: template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(i.Data))})
				}
			}
		}
		for _, d := range p.Drawn {
			if d.Case == name {
				add("input", d.Images, d.Failed)
			}
		}
		for _, r := range p.Reports {
			for i := range r.Runs {
				if run := &r.Runs[i]; run.Case == name && run.Undrawn != nil {
					add(r.Submission, run.Images, run.Undrawn.Error())
				} else if run.Case == name {
					add(r.Submission, run.Images, "")
				}
			}
		}
		if one.All != nil {
			cases = append(cases, one)
		}
	}
	if left > 0 {
		note = fmt.Sprintf("%s left out: a report has at most %s of them.", terminal.Count(left, "picture"),
			terminal.Bytes(maxDrawn))
	}
	return cases, note
}
