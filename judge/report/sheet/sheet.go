// Package sheet makes tables of what a measurement or a comparison shows. Every
// report format writes the same tables.
package sheet

import (
	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/units"
	"strings"
)

// judgeError stands in the place of a verdict where the judge failed.
const judgeError = "JE"

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

// Long reports whether the table has so many rows of details that it would hide
// what stands above it.
func (s *Sheet) Long() bool { return s.Detail && len(s.Rows) > 30 }

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

// Endings says in words why a measurement ended; it has no words for one that ran
// all of its rounds.
var Endings = map[bench.Ending]string{
	bench.Precise:     "as precise as asked",
	bench.OutOfBudget: "out of budget",
	bench.NoRivals:    "nothing is left to compare",
	bench.Interrupted: "interrupted",
}

// LimitsText writes what a contestant is told: "1 s, 64 MiB".
func LimitsText(l problem.Limits) string {
	var parts []string
	if l.Time > 0 {
		parts = append(parts, units.Exactly(l.Time))
	}
	if l.Memory > 0 {
		parts = append(parts, units.Bytes(l.Memory))
	}
	return strings.Join(parts, ", ")
}
