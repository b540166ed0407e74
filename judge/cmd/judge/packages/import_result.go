package packages

import (
	"fmt"
	"strings"

	"crucible/judge/archive"
	"crucible/judge/archive/foreign"
	"crucible/judge/internal/command"
	"crucible/judge/internal/text"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// An importResult is what judge import made, also in JSON.
type importResult struct {
	ID          string           `json:"id"`
	Format      string           `json:"format"` // such as "Polygon"; "" for pairs of inputs and answers
	New         bool             `json:"new"`    // the problem did not exist before
	Folders     []string         `json:"folders"`
	Cases       int              `json:"cases"`
	Samples     int              `json:"samples"` // among the cases
	Submissions int              `json:"submissions"`
	Made        int              `json:"cases_to_generate"` // judge gen makes their data
	Changed     []archive.Change `json:"changed"`           // texts that the format requires in another form
	Lost        []foreign.Lost   `json:"lost"`              // what could not be carried over
	Left        []string         `json:"left_out"`          // files that belong to no pair

	renamed []string
}

// resultOfPackage describes a problem made of a package.
func resultOfPackage(done *archive.Converted, id string) *importResult {
	return &importResult{
		ID: id, Format: done.Format, New: true, Folders: done.Folders, Cases: len(done.Problem.Cases), Samples: len(done.Problem.Samples()),
		Submissions: len(done.Problem.Submissions), Made: done.Made,
		Changed: append([]archive.Change{}, done.Changed...), Lost: append([]foreign.Lost{}, done.Lost...), Left: []string{},
	}
}

// resultOfPairs describes the import of inputs and answers.
func resultOfPairs(done *archive.Imported, id string) *importResult {
	r := &importResult{
		ID: id, New: done.New, Folders: done.Folders, Cases: len(done.Cases),
		Changed: append([]archive.Change{}, done.Changed...), Lost: []foreign.Lost{}, Left: append([]string{}, done.Left...),
	}
	for _, c := range done.Cases {
		if strings.HasPrefix(c.Name, "sample/") {
			r.Samples++
		}
		if c.Renamed {
			r.renamed = append(r.renamed, terminal.Clean(fmt.Sprintf("%s is %s with %s", c.Name, c.Input, c.Answer)))
		}
	}
	return r
}

// maxPrinted is the maximum number of printed renamed cases.
const maxPrinted = 20

func (r *importResult) print(e *command.Env) {
	for _, line := range command.AtMost(maxPrinted, r.renamed) {
		fmt.Fprintf(e.Stdout, "  %s\n", line)
	}
	for _, change := range r.Changed {
		fmt.Fprintf(e.Stdout, "  %s in %s\n", change.What, someOf(change.Files))
	}
	folders := strings.Join(text.Map(r.Folders, terminal.Clean), ", ")
	cases := units.Count(r.Cases, "case")
	next := "judge verify " + r.ID
	if r.Format != "" {
		if r.Made > 0 {
			next = "judge gen " + r.ID + " makes the data of " + units.Count(r.Made, "case")
		}
		fmt.Fprintf(e.Stdout, "made %s of a package of %s: %s, %s; next: %s\n", folders, r.Format, cases, units.Count(r.Submissions, "submission"), next)
		return
	}
	verb := "added to"
	if r.New {
		verb, next = "made", "judge run --problem "+r.ID+" FILE judges a program; judge verify "+r.ID+" lists what is missing"
	}
	fmt.Fprintf(e.Stdout, "%s %s: %s, %d sample and %d secret; next: %s\n", verb, folders, cases, r.Samples, r.Cases-r.Samples, next)
}

// someOf returns a list of at most five of the files.
func someOf(files []string) string {
	return terminal.Clean(strings.Join(command.AtMost(5, files), ", "))
}
