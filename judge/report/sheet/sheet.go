// Package sheet makes the tables of a measurement or of a comparison of stored
// runs. Every report format writes the same tables.
package sheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// judgeError replaces the verdict of a run on which the judge failed.
const judgeError = "JE"

// A Sheet is a table of results, independent of the report format.
type Sheet struct {
	Title   string    // one line; "" if it has none
	Columns []Column  // at least one
	Rows    [][]Entry // by row and column; a row may have fewer entries than there are columns
	Notes   []string  // one line each, below the table: the meaning of the numbers, and doubts
	Grouped bool      // consecutive rows with equal first entries form a group
	Detail  bool      // the table only adds details to other tables; the text format leaves it out if it is [Sheet.Long]
}

// Long reports whether the table has details and so many rows of them that it
// would push the tables before it off the screen.
func (s *Sheet) Long() bool { return s.Detail && len(s.Rows) > 30 }

// Matrix returns a table with a row for each of the names in rows and a column for
// each of the names in columns. Its entries are empty; the entry of row i and column
// k is Rows[i][1+k]. corner is the heading of the names of the rows.
func Matrix(title, corner string, rows, columns []string) Sheet {
	s := Sheet{Title: title, Columns: []Column{{Name: corner, Names: true}}}
	for _, name := range columns {
		s.Columns = append(s.Columns, Column{Name: name, Number: true, Names: true})
	}
	for _, name := range rows {
		row := make([]Entry, 1+len(columns))
		row[0].Text = name
		s.Rows = append(s.Rows, row)
	}
	return s
}

// DropEmpty removes those of the columns with these headings that have no text in any
// row.
func (s *Sheet) DropEmpty(headings ...string) {
	for i := len(s.Columns) - 1; i >= 0; i-- {
		if !slices.Contains(headings, s.Columns[i].Name) || slices.ContainsFunc(s.Rows,
			func(row []Entry) bool { return i < len(row) && row[i].Text != "" }) {
			continue
		}
		s.Columns = slices.Delete(s.Columns, i, i+1)
		for k, row := range s.Rows {
			if i < len(row) {
				s.Rows[k] = slices.Delete(row, i, i+1)
			}
		}
	}
}

// A Column describes a column of a [Sheet].
type Column struct {
	Name   string // heading; may be empty
	Number bool   // right-aligned
	// Contains names of submissions or cases, in its heading if Number is set, else in its
	// entries; the text format may shorten them.
	Names bool
}

// An Entry is the entry of a [Sheet] in one row and column.
type Entry struct {
	Text string // may contain text of a package or a submission; the report format must escape it
	Mark Mark   // how to highlight the text
}

// A Mark classifies an entry, so that formats can highlight it.
type Mark string

const (
	Plain Mark = ""      // no highlighting
	Good  Mark = "good"  // faster, or as expected
	Bad   Mark = "bad"   // slower, or wrong
	Doubt Mark = "doubt" // uncertain
	Faint Mark = "faint" // unimportant: the reference itself, a skipped submission
)

// Endings describes why a measurement ended. It has no entry for a measurement
// that ran all of its rounds.
var Endings = map[bench.Ending]string{
	bench.Precise:     "required precision reached",
	bench.OutOfBudget: "out of budget",
	bench.NoRivals:    "nothing is left to compare",
	bench.Interrupted: "interrupted",
}

// Facts returns facts from names and values in turn, without those whose value is "".
func Facts(pairs ...string) (facts []bench.Fact) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			facts = append(facts, bench.Fact{Name: pair[0], Value: pair[1]})
		}
	}
	return facts
}

// Conditions returns the conditions of a measurement that affect its numbers.
func Conditions(m *bench.Measurement) []bench.Fact {
	rounds := 0
	for i := range m.Trials {
		rounds = max(rounds, m.Trials[i].Round+1)
	}
	confidence, precision, budget, cores := "", "", "", make([]string, len(m.Cores))
	if m.Confidence > 0 {
		confidence = confidenceText(m.Confidence)
	}
	if m.Precision > 0 {
		precision = "±" + terminal.Percent(m.Precision)
	}
	if m.Budget > 0 {
		budget = terminal.Exactly(m.Budget)
	}
	for i, core := range m.Cores {
		cores[i] = strconv.Itoa(core)
	}
	return Facts("clock", string(m.Clock), "rounds", strconv.Itoa(rounds), "runs", strconv.Itoa(len(m.Trials)),
		"confidence", confidence, "required precision", precision, "time budget", budget,
		"pinned to processor", cmp.Or(strings.Join(cores, ", "), "none"), "seed", strconv.FormatUint(m.Seed, 10), "ended",
		Endings[m.Ended])
}

// LimitsText formats the time limit and the memory limit: "1 s, 64 MiB". It
// leaves out a limit that is not set.
func LimitsText(l problem.Limits) string {
	var parts []string
	if l.Time > 0 {
		parts = append(parts, terminal.Exactly(l.Time))
	}
	if l.Memory > 0 {
		parts = append(parts, terminal.Bytes(l.Memory))
	}
	return strings.Join(parts, ", ")
}

// Bounds formats the limits and the number of cases: "1 s, 64 MiB, 14 cases".
func Bounds(l problem.Limits, cases int) string {
	return strings.TrimPrefix(LimitsText(l)+", "+terminal.Count(cases, "case"), ", ")
}
