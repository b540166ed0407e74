package html

import (
	"fmt"
	"strconv"

	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/stress"
	"crucible/judge/terminal"
)

// stress fills the part of a problem on which a search for inputs ran.
func (part *part) stress(p *record.Problem) {
	part.Kind = "Search for inputs"
	s := record.Of[*stress.Summary](p)
	if f := s.Disagree; f != nil {
		part.Claims = append(part.Claims, claim{Mark: report.Bad, Word: "accepted submissions disagree", Name: f.Name,
			Text: terminal.Clean(string(f.Verdict) + ": " + f.Why)})
	}
	for i := range s.Targets {
		f := &s.Targets[i]
		if !f.Found {
			continue
		}
		text := fmt.Sprintf("after %s: %s", terminal.Count(f.After, "input"), f.Why)
		if more := len(f.All) - 1; more > 0 {
			text += "; fails in other ways, too: " + strconv.Itoa(more)
		}
		part.Claims = append(part.Claims, claim{Mark: report.Good, Word: "found", Number: string(f.Verdict), Name: f.Name,
			Text: terminal.Clean(text)})
	}
	for i := range s.Targets {
		if f := &s.Targets[i]; !f.Found && s.Best == nil {
			part.Claims = append(part.Claims, claim{Mark: report.Faint, Word: "not found", Name: f.Name,
				Text: "no input was found on which it fails"})
		}
	}
	for _, note := range s.Notes {
		part.doubt("", terminal.Clean(note))
	}
	part.Sections = []section{{Title: "Search", Tables: open(sheet.OfStress(s)...)}}
}
