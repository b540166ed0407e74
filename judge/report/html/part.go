package html

import (
	"encoding/json"
	"html/template"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// A part is the part of one problem, or of a comparison of stored runs.
type part struct {
	ID       string   // of its element
	Kind     string   // "Verdicts"
	Name     string   // of the problem
	Bounds   string   // the limits and the number of cases
	Error    []string // why the package cannot be opened
	Claims   []claim  // the most important results
	More     []claim  // further claims, which are folded
	Doubts   sheet.Remarks
	Facts    []record.Fact // the conditions of a measurement
	Heat     *heatMap
	Sections []section

	Drawn     []caseDrawings // pictures of visualizers
	DrawnNote string
}

// A claim is one result.
type claim struct {
	Mark   report.Mark
	Word   string   // "faster"
	Number string   // "1.92x"; "" if there is none
	Name   string   // a submission; "" if the claim is not about one
	Text   string   // what it means
	Notes  []string // more, in smaller letters
	Lines  []string // lines of a program's output
}

// A section has pictures and the tables of their numbers.
type section struct {
	Title    string
	Caption  string // how to read the pictures, one sentence or two
	Key      []legendKey
	Pictures []*picture
	Tables   []table
}

// A table is a table of the page. One that is not open is folded, except on paper.
type table struct {
	report.Sheet
	Open   bool
	Titled bool // the title is shown, because the section has more than one table
}

// Head returns the column that names the rows: the first that has a heading.
func (t table) Head() int {
	return max(0, slices.IndexFunc(t.Columns, func(c report.Column) bool { return c.Name != "" }))
}

// Full returns a row with an entry for each column.
func (t table) Full(row []report.Entry) []report.Entry {
	return append(slices.Clone(row), make([]report.Entry, max(0, len(t.Columns)-len(row)))...)
}

// Numbers reports whether all columns but Head have numbers. Then the table has the
// class of numbers instead of each of its cells.
func (t table) Numbers() bool {
	return !slices.ContainsFunc(slices.Delete(slices.Clone(t.Columns), t.Head(), t.Head()+1),
		func(c report.Column) bool { return !c.Number })
}

// Again reports whether a row repeats the name of the row above it.
func (t table) Again(row int) bool {
	return t.Grouped && row > 0 && len(t.Rows[row]) > 0 && len(t.Rows[row-1]) > 0 && t.Rows[row][0] == t.Rows[row-1][0]
}

// Class returns the classes of an entry.
func (t table) Class(column int, e report.Entry) string {
	switch {
	case t.Named(column):
		return strings.TrimSpace("name " + string(e.Mark))
	case column < len(t.Columns) && t.Columns[column].Number && !t.Numbers():
		return strings.TrimSpace("n " + string(e.Mark))
	}
	return string(e.Mark)
}

// Named reports whether a column contains names, which have room and may be broken
// into lines.
func (t table) Named(column int) bool {
	return column < len(t.Columns) && t.Columns[column].Names && !t.Columns[column].Number
}

// Cut reports whether an entry may be too long for its column. The last column has
// all the room that is left.
func (t table) Cut(column int, e report.Entry) bool {
	return len(e.Text) > 32 && column < len(t.Columns)-1 && !t.Named(column)
}

// folded returns tables of the numbers of pictures.
func folded(sheets ...report.Sheet) []table {
	tables := make([]table, len(sheets))
	for i, s := range sheets {
		tables[i].Sheet = s
	}
	return tables
}

// open returns tables that are shown, except those with many details.
func open(sheets ...report.Sheet) []table {
	tables := folded(sheets...)
	for i := range tables {
		tables[i].Open, tables[i].Titled = !sheets[i].Long(), len(sheets) > 1
	}
	return tables
}

// mostClaims is the maximum number of claims that are not folded.
const mostClaims = 12

// finish folds claims if there are many, removes empty sections, and removes from
// the notes of tables the doubts that the part itself has.
func (part *part) finish() {
	if len(part.Claims) > mostClaims+1 {
		part.Claims, part.More = part.Claims[:mostClaims], part.Claims[mostClaims:]
	}
	part.Sections = slices.DeleteFunc(part.Sections, func(s section) bool { return s.Pictures == nil && s.Tables == nil })
	own := part.Doubts.Lines()
	for _, section := range part.Sections {
		for i := range section.Tables {
			t := &section.Tables[i]
			t.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(note string) bool {
				doubt, is := strings.CutPrefix(note, "doubt: ")
				return is && slices.Contains(own, doubt)
			})
		}
	}
}

// byUrgency sorts claims: failures before doubts before all others.
func byUrgency(claims []claim) {
	order := []report.Mark{report.Bad, report.Doubt, report.Good, report.Faint}
	slices.SortStableFunc(claims,
		func(a, b claim) int { return slices.Index(order, a.Mark) - slices.Index(order, b.Mark) })
}

// mostShown is the maximum width of a name on the page, in terminal columns.
const mostShown = 80

// nameShown returns a name as the page shows it.
func nameShown(name string) string { return clipName(name, mostShown) }

// clipName returns the end of a name. A byte that is not UTF-8 becomes the character
// that the JSON format has in its place, so that both formats show the same end.
func clipName(name string, columns int) string {
	return terminal.ClipStart(terminal.Clean(strings.ToValidUTF8(name, "\ufffd")), columns)
}

// parted returns a name as the page shows it, with permission to break lines between
// its words.
func parted(name string) template.HTML {
	return template.HTML(breaks().ReplaceAllString(template.HTMLEscapeString(nameShown(name)), "$0<wbr>"))
}

// breaks matches the places where a name may be broken. No HTML escape contains one.
var breaks = lazy.Regexp(`[/_]+`)

// powers escapes a text and raises the exponents of models in it: n^1.52, 1.3^n.
func powers(text string) template.HTML {
	return template.HTML(models().ReplaceAllString(template.HTMLEscapeString(text), "$1<sup>$2</sup>"))
}

// models matches powers of n and exponential functions as [sheet.ModelText] writes
// them.
var models = lazy.Regexp(`\b(n|c|\d+(?:\.\d+)?)\^(n|k|\d+(?:\.\d+)?)\b`)

var functions = template.FuncMap{
	"name":     nameShown,
	"parted":   parted,
	"clean":    func(s string) string { return terminal.Clip(terminal.Clean(s), 400) },
	"line":     func(s string) string { return terminal.Clip(s, 400) },
	"powers":   powers,
	"glyph":    glyph,
	"doubtful": func(note string) bool { return strings.HasPrefix(note, "doubt: ") },
	"json": func(v any) (template.JS, error) {
		b, err := json.Marshal(v) // escapes <, >, &, U+2028 and U+2029
		return template.JS(b), err
	},
}
