package vet

import (
	"encoding/json"
	"fmt"
	"io"
)

// The JSON of go vet -json: programs by name, then analyzers by name.
type (
	jsonFinding struct {
		Posn           string    `json:"posn"`
		End            string    `json:"end"`
		Message        string    `json:"message"`
		SuggestedFixes []jsonFix `json:"suggested_fixes,omitempty"`
	}
	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
)

// WriteJSON writes the findings in programs in the form of go vet -json. Programs
// without findings are left out.
func WriteJSON(w io.Writer, programs []*Submission, all map[*Submission][]Finding) error {
	tree := make(map[string]map[string][]jsonFinding)
	for _, p := range programs {
		results := make(map[string][]jsonFinding)
		for _, f := range all[p] {
			one := jsonFinding{Posn: f.Position.String(), End: f.End.String(), Message: f.Message}
			for _, fix := range f.SuggestedFixes {
				var edits []jsonEdit
				for _, edit := range fix.TextEdits {
					from := p.Fset.PositionFor(edit.Pos, false)
					to := from
					if edit.End.IsValid() {
						to = p.Fset.PositionFor(edit.End, false)
					}
					edits = append(edits, jsonEdit{from.Filename, from.Offset, to.Offset, string(edit.NewText)})
				}
				one.SuggestedFixes = append(one.SuggestedFixes, jsonFix{fix.Message, edits})
			}
			results[f.Analyzer.Name] = append(results[f.Analyzer.Name], one)
		}
		if len(results) > 0 {
			tree[p.Name()] = results
		}
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}
