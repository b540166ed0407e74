package lab

import (
	"errors"
	"fmt"
	"strings"

	"crucible/judge/internal/cli"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/terminal"
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
	Left        []string         `json:"left_out"`          // files that belong to no pair
	states

	renamed []string
}

// The states of the parts of a converted package. A pair of an input and an answer has
// none.
type states struct {
	Carried foreign.Parts `json:"carried"`
	Equal   foreign.Parts `json:"equal"` // nothing is needed for them
	Lost    foreign.Parts `json:"lost"`  // what could not be carried over

	Verdicts bool `json:"changes_verdicts"` // of a lost part
}

func statesOf(p foreign.Parts) states {
	return states{p.In(foreign.Carried), p.In(foreign.Equal), p.In(foreign.Lost), len(p.ChangeVerdicts()) > 0}
}

// warnLost warns of the lost parts.
func warnLost(e *cli.Env, p foreign.Parts) {
	for _, l := range p.In(foreign.Lost) {
		effect := ""
		if l.Verdicts {
			effect = "; verdicts or scores can differ"
		}
		cli.Warn(e, errors.New("not carried over: "+l.String()+effect))
	}
}

// resultOfPackage describes a problem made of a package, or a package of which none was
// made.
func resultOfPackage(done *foreign.Conversion, id string) *importResult {
	r := &importResult{
		ID: id, Format: done.Format, Folders: append([]string{}, done.Folders...), Made: done.Made,
		Changed: append([]archive.Change{}, done.Changed...), Left: []string{}, states: statesOf(done.Parts),
	}
	if p := done.Problem; p != nil {
		r.New, r.Cases, r.Samples, r.Submissions = true, len(p.Cases), len(p.Samples()), len(p.Submissions)
	}
	return r
}

// resultOfPairs describes the import of inputs and answers.
func resultOfPairs(done *archive.ImportResult, id string) *importResult {
	r := &importResult{
		ID: id, New: done.New, Folders: done.Folders, Cases: len(done.Cases),
		Changed: append([]archive.Change{}, done.Changed...), states: statesOf(nil), Left: append([]string{}, done.Left...),
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

func (r *importResult) print(e *cli.Env) {
	for _, line := range cli.AtMost(maxPrinted, r.renamed) {
		fmt.Fprintf(e.Stdout, "  %s\n", line)
	}
	if n := len(r.Equal); n > 0 {
		fmt.Fprintf(e.Stdout, "  %s carried over, %d needed no more; --json lists them\n", terminal.Count(len(r.Carried),
			"part"), n)
	}
	for _, change := range r.Changed {
		fmt.Fprintf(e.Stdout, "  %s in %s\n", change.What, someOf(change.Files))
	}
	folders := strings.Join(terminal.Texts(r.Folders, terminal.Clean), ", ")
	cases := terminal.Count(r.Cases, "case")
	next := "judge verify " + r.ID
	if r.Format != "" {
		if r.Made > 0 {
			next = "judge gen " + r.ID + " makes the data of " + terminal.Count(r.Made, "case")
		}
		fmt.Fprintf(e.Stdout, "made %s of a package of %s: %s, %s; next: %s\n", folders, r.Format, cases,
			terminal.Count(r.Submissions, "submission"), next)
		return
	}
	verb := "added to"
	if r.New {
		verb, next = "made", "judge run --problem "+r.ID+" FILE judges a program; judge verify "+r.ID+" lists what is missing"
	}
	fmt.Fprintf(e.Stdout, "%s %s: %s, %d sample and %d secret; next: %s\n", verb, folders, cases, r.Samples,
		r.Cases-r.Samples, next)
}

// someOf returns a list of at most five of the files.
func someOf(files []string) string {
	return terminal.Clean(strings.Join(cli.AtMost(5, files), ", "))
}
