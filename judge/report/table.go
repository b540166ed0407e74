package report

import (
	"slices"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

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

// MatrixSheet returns a table with a row for each of the names in rows and a column for
// each of the names in columns. Its entries are empty; the entry of row i and column
// k is Rows[i][1+k]. corner is the heading of the names of the rows.
func MatrixSheet(title, corner string, rows, columns []string) Sheet {
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
