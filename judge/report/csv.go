package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"crucible/judge/record"
	"crucible/judge/terminal"
)

// csvColumns are the columns of the CSV table, which has one row for each run. A
// field is empty if its value was not measured or does not apply.
var csvColumns = []string{
	"problem", "submission", "language", "case",
	"n",     // size of a generated input of growing size
	"round", // number of the run among those of its case, from 0; -1 is a warm-up
	"order", // number of the run among all of the problem, from 0, if they ran one after the other
	"at_ns", // start of the run since the start of the measurement, in nanoseconds
	"verdict",
	"cpu_ns", "user_ns", "sys_ns", "wall_ns", "memory_bytes", "instructions",
	"exit", "signal", "why",
	"ended", // "interrupted" if the problem was interrupted, so rows may be missing
}

// WriteCSV writes every run of the document as a row of comma-separated values
// (RFC 4180), below a row of headings. It escapes control characters in texts. It
// adds a ' before a text that a spreadsheet could evaluate as a formula, and before
// a text that begins with a ', so a reader that removes the first ' gets the text.
func (w Writer) WriteCSV(to io.Writer, d *record.Document) error {
	c := csv.NewWriter(to)
	c.Write(csvColumns) // c.Error returns errors of Write after Flush
	for i := range d.Problems {
		p := &d.Problems[i]
		part := w.part(p)
		ending := part.ending(p)
		for _, r := range part.runs(p) {
			c.Write(csvRow(p.ID, ending, &r))
		}
	}
	c.Flush()
	return c.Error()
}

// csvRow returns the fields of one run, in the order of csvColumns.
func csvRow(id, ending string, r *Run) []string {
	n, order, at, verdict, why, instructions := "", "", "", "", "", ""
	if r.Size != 0 {
		n = strconv.FormatFloat(r.Size, 'f', -1, 64)
	}
	if r.Order >= 0 {
		order, at = strconv.Itoa(r.Order), nanoseconds(r.At)
	}
	switch {
	case r.Err != "":
		why = r.Err
	case r.Counted:
		verdict, why = string(r.Verdict), r.Why
	}
	o := &r.Outcome
	if o.Instructions != 0 {
		instructions = strconv.FormatInt(o.Instructions, 10)
	}
	return []string{
		csvText(id), csvText(r.Name), csvText(r.Language), csvText(r.Case),
		n, strconv.Itoa(r.Round), order, at, verdict,
		nanoseconds(o.CPU), nanoseconds(o.User), nanoseconds(o.Sys), nanoseconds(o.Wall), strconv.FormatInt(o.Memory, 10),
		instructions,
		strconv.Itoa(o.Exit), terminal.SignalName(o.Signal), csvText(why), ending,
	}
}

func nanoseconds(d time.Duration) string { return strconv.FormatInt(d.Nanoseconds(), 10) }

// csvText escapes an untrusted text so that no spreadsheet evaluates it as a
// formula. Spreadsheets evaluate a cell that begins with one of these characters;
// some skip spaces before them, and some accept their full-width forms.
func csvText(s string) string {
	s = terminal.Clean(s)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	if strings.HasPrefix(s, "'") || strings.ContainsRune("=+-@=+-@", first) {
		return "'" + s
	}
	return s
}
