package report

import "crucible/judge/record"

// A Sheet is a table as every format can write it: what a measurement came to,
// or a part of it.
type Sheet struct {
	Title   string   // one line
	Columns []Column // at least one
	Rows    [][]Entry
	Notes   []string // below it, a line each: what the numbers mean, and doubts
	Grouped bool     // rows whose first entries are equal belong together
	Detail  bool     // what it says in many rows others say in few: text leaves a long one out

	// Lines of pieces to set one after the other, above the rows: a picture for
	// a terminal. Formats that can draw leave it out.
	Picture [][]Entry
}

// A Column is one of a [Sheet].
type Column struct {
	Name   string
	Number bool // set flush right
	Names  bool // names of submissions or cases stand in it, or in its heading if it is of numbers: text may shorten them
}

// An Entry is one place of a [Sheet]. Its text may hold what a package or a
// submission wrote: formats make it harmless.
type Entry struct {
	Text string
	Mark Mark
}

// A Mark says what an entry is like, beside its text.
type Mark string

const (
	Plain Mark = ""
	Good  Mark = "good" // faster, as expected
	Bad   Mark = "bad"  // slower, wrong
	Doubt Mark = "doubt"
	Faint Mark = "faint" // of no weight: the reference itself, what was skipped
)

// Sheets returns the tables of a measurement; none if the problem was judged
// and not measured.
func Sheets(p *record.Problem) []Sheet {
	switch {
	case p.Comparison != nil:
		return comparisonSheets(p.Comparison)
	case p.Scaling != nil:
		return scalingSheets(p.Scaling)
	case p.Band != nil:
		return bandSheets(p.Band)
	}
	return nil
}
