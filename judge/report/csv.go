package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
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
func WriteCSV(w io.Writer, d *record.Document) error {
	c := csv.NewWriter(w)
	c.Write(csvColumns) // c.Error returns errors of Write after Flush
	for i := range d.Problems {
		p := &d.Problems[i]
		ended := ""
		if wasCutShort(p) {
			ended = string(bench.Interrupted)
		}
		for _, r := range p.Reports {
			csvReport(c, p.ID, ended, r)
		}
		if m := p.Measurement; m != nil {
			csvMeasurement(c, p.ID, ended, m)
		}
	}
	c.Flush()
	return c.Error()
}

func csvReport(c *csv.Writer, problem, ended string, r *judge.Report) {
	for i := range r.Runs {
		run := &r.Runs[i]
		row := csvRow{problem: problem, submission: r.Submission, language: r.Language, test: run.Case, verdict: run.Verdict, why: run.Why, outcome: run.Outcome, ended: ended}
		if run.Err != nil {
			row.verdict, row.why = "", run.Err.Error()
		}
		if len(run.Times) < 2 || run.Err != nil {
			c.Write(row.texts())
			continue
		}
		// The report has only the verdict of the run that counts.
		counted := slices.Index(run.Times, run.Outcome)
		for k, o := range run.Times {
			row.round, row.outcome, row.verdict, row.why = k, o, "", ""
			if k == counted {
				row.verdict, row.why = run.Verdict, run.Why
			}
			c.Write(row.texts())
		}
	}
}

func csvMeasurement(c *csv.Writer, problem, ended string, m *bench.Measurement) {
	for i := range m.Trials {
		t := &m.Trials[i]
		s, in := m.Submissions[t.Submission], m.Cases[t.Case]
		row := csvRow{problem: problem, submission: s.Name, language: s.Language, test: in.Name, n: in.Size, round: t.Round,
			order: strconv.Itoa(i), at: strconv.FormatInt(t.At.Nanoseconds(), 10), verdict: t.Verdict, why: t.Why, outcome: t.Outcome, ended: ended}
		if t.Err != "" {
			row.verdict, row.why = "", t.Err
		}
		c.Write(row.texts())
	}
}

// A csvRow is one run.
type csvRow struct {
	problem, submission, language, test string
	n                                   float64
	round                               int
	order, at                           string
	verdict                             problem.Verdict
	outcome                             sandbox.Outcome
	why, ended                          string
}

func (r *csvRow) texts() []string {
	ns := func(d time.Duration) string { return strconv.FormatInt(d.Nanoseconds(), 10) }
	n, instructions := "", ""
	if r.n != 0 {
		n = strconv.FormatFloat(r.n, 'f', -1, 64)
	}
	o := r.outcome
	if o.Instructions != 0 {
		instructions = strconv.FormatInt(o.Instructions, 10)
	}
	return []string{
		csvText(r.problem), csvText(r.submission), csvText(r.language), csvText(r.test),
		n, strconv.Itoa(r.round), r.order, r.at, string(r.verdict),
		ns(o.CPU), ns(o.User), ns(o.Sys), ns(o.Wall), strconv.FormatInt(o.Memory, 10), instructions,
		strconv.Itoa(o.Exit), text.SignalName(o.Signal), csvText(r.why), r.ended,
	}
}

// csvText escapes an untrusted text so that no spreadsheet evaluates it as a
// formula. Spreadsheets evaluate a cell that begins with one of these characters;
// some skip spaces before them, and some accept their full-width forms.
func csvText(s string) string {
	s = terminal.Clean(s)
	if strings.HasPrefix(s, "'") || strings.ContainsAny(firstRune(strings.TrimLeft(s, " ")), "=+-@=+-@") {
		return "'" + s
	}
	return s
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}
