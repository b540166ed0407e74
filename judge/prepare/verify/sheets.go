package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/report"
	"crucible/judge/strength/inputs"
	"crucible/judge/terminal"
)

// Sheets returns the tables of what tests of the validators showed: the bounds of the
// input, and what is wrong with validators and answers. It leaves out empty tables.
func (f *Findings) Sheets() (sheets []report.Sheet) {
	if len(f.Bounds) > 0 {
		sheets = append(sheets, f.BoundsSheet())
	}
	if s := f.findingsSheet(); len(s.Rows)+len(s.Notes) > 0 {
		sheets = append(sheets, s)
	}
	return sheets
}

// BoundsSheet returns the table of the bounds of the input.
func (f *Findings) BoundsSheet() report.Sheet {
	s := report.Sheet{
		Title: "Bounds of the input",
		Columns: []report.Column{{Name: "quantity", Names: true}, {Name: "place"}, {Name: "minimum", Number: true},
			{Name: "smallest", Number: true}, {Name: "accepted", Number: true},
			{Name: "maximum", Number: true}, {Name: "largest", Number: true}, {Name: "accepted", Number: true}},
	}
	for i := range f.Bounds {
		b := &f.Bounds[i]
		row := []report.Entry{{Text: terminal.Clean(b.Name)}, {Text: b.Place}}
		for _, side := range []*inputs.Side{&b.Low, &b.High} {
			seen, accepted := report.Entry{Text: side.Seen}, report.Entry{Text: side.Accepted}
			if side.Unreached {
				seen.Mark = report.Doubt
			}
			if side.Accepted != "" && side.Rejected == "" {
				accepted.Text += "+"
			}
			if side.Outside != "" {
				accepted.Mark = report.Doubt
			}
			row = append(row, report.Entry{Text: side.Declared}, seen, accepted)
		}
		s.Rows = append(s.Rows, row)
	}
	for _, u := range f.Unmatched {
		s.Notes = append(s.Notes, "the statement's bound "+terminal.Clean(u)+" is not matched with a quantity of the input")
	}
	s.DropEmpty("quantity", "minimum", "maximum", "accepted")
	var notes []string
	for _, one := range []struct{ columns, text string }{
		{"minimum maximum", "minimum and maximum are those of the statement"},
		{"smallest largest", "smallest and largest are the values in the data"},
		{"accepted", "accepted is the outermost value that the input validators accepted, followed by + if they rejected " +
			"none"},
	} {
		if slices.ContainsFunc(s.Columns,
			func(c report.Column) bool { return slices.Contains(strings.Fields(one.columns), c.Name) }) {
			notes = append(notes, one.text)
		}
	}
	s.Notes = append([]string{strings.Join(notes, "; ")}, s.Notes...)
	return s
}

// findingsSheet returns the table of what is wrong with validators and answers.
func (f *Findings) findingsSheet() report.Sheet {
	s := report.Sheet{Title: "Validators and answers", Columns: []report.Column{{Name: "finding"},
		{Name: "program", Names: true},
		{Name: "case", Names: true}, {Name: "times", Number: true}, {Name: "reason"}, {Name: "output"}}}
	for _, one := range f.Findings {
		what := report.Entry{Text: string(one.What), Mark: report.Bad}
		if !one.Certain {
			what.Mark = report.Doubt
		}
		if !one.Certain && one.What == WrongAccept {
			what.Text = "likely " + what.Text
		}
		s.Rows = append(s.Rows, []report.Entry{what, {Text: terminal.Clean(one.Program)}, {Text: terminal.Clean(one.Case)},
			{Text: strconv.Itoa(one.Times)}, {Text: terminal.Clean(one.Reason)}, {Text: terminal.Clean(one.Output)}})
	}
	s.DropEmpty("program", "case", "output")
	if f.Fed > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("the output validators got %s that differ from right ones, and accepted %d",
			terminal.Count(f.Fed, "output"), f.Accepted))
	}
	if f.Unique != "" {
		s.Notes = append(s.Notes, "each answer seems to be the only right one: "+f.Unique)
	}
	for _, n := range f.NotProbed {
		s.Notes = append(s.Notes, "not tested: "+terminal.Clean(n))
	}
	return s
}
