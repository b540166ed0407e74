package html

import (
	"embed"
	"encoding/json"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// The HTML report is one file that needs no network: text and tables as HTML,
// and pictures that Vega draws where there is JavaScript.
//
// Nothing in it that a package or submission wrote can become markup or code.
// Texts are cleaned, and escaped by html/template. Numbers and names for the
// pictures are JSON in an element that is not run; the page's script makes text
// nodes and marks of them, never markup. And the page's policy names the hashes
// of its one style and two scripts, and forbids all else: other scripts, eval,
// images, and every connection.

//go:embed page.tmpl style.css page.js vega.js pictures.json
var htmlFiles embed.FS

// An page is what page.tmpl makes the file of.
type page struct {
	Title    string
	Policy   string
	Style    template.CSS
	Lead     string
	Parts    []*part
	Machine  []fact
	Pictures any           // what page.js draws; nil if there is nothing to draw
	Engine   template.HTML // Vega, compressed, if there are pictures
	Script   template.HTML // the whole element: its text must be as it was hashed
}

// An part is one problem's part of the page.
type part struct {
	ID       string // of its element
	Kind     string // "Verdicts"
	Name     string
	Bounds   string // the limits, and what it was measured on
	Error    []string
	Claims   []claim // the answer
	More     []claim // what is folded of it
	Doubts   []doubt
	Facts    []fact
	Heat     *heat
	Sections []section
}

// An claim is an answer, or a part of one.
type claim struct {
	Mark   sheet.Mark
	Word   string   // "faster"
	Number string   // "1.92x"; "" if there is none
	Who    string   // a submission; "" if it is about all
	Text   string   // what it means
	Notes  []string // more, in smaller letters
	Lines  []string // as they were written
}

// An fact is a name and its value.
type fact struct{ Name, Value string }

// An section is pictures and the tables of their numbers.
type section struct {
	Title    string
	Says     string // what is seen and how to read it, a sentence or two
	Key      []legendKey
	Pictures []*picture
	Tables   []table
}

// An table is a table of the page. One that is not open has to be unfolded,
// but on paper.
type table struct {
	sheet.Sheet
	Open   bool
	Titled bool // its title is shown: the section's does not say as much
}

// Head is the column that names the rows: the first that has a name itself.
func (t table) Head() int {
	return max(0, slices.IndexFunc(t.Columns, func(c sheet.Column) bool { return c.Name != "" }))
}

// Full is a row with an entry for each column, so that its line below is whole.
func (t table) Full(row []sheet.Entry) []sheet.Entry {
	return append(slices.Clone(row), make([]sheet.Entry, max(0, len(t.Columns)-len(row)))...)
}

// Numbers reports whether all columns are numbers, but the one that names the
// rows: then the table says so, and not each of its many cells.
func (t table) Numbers() bool {
	for i, c := range t.Columns {
		if i != t.Head() && !c.Number {
			return false
		}
	}
	return true
}

// Again reports whether a row belongs to the one above it, whose name it repeats.
func (t table) Again(row int) bool {
	return t.Grouped && row > 0 && len(t.Rows[row]) > 0 && len(t.Rows[row-1]) > 0 && t.Rows[row][0] == t.Rows[row-1][0]
}

// Class says how an entry looks.
func (t table) Class(column int, e sheet.Entry) string {
	class := string(e.Mark)
	switch {
	case t.Named(column):
		class = strings.TrimSpace("name " + class)
	case column < len(t.Columns) && t.Columns[column].Number && !t.Numbers():
		class = strings.TrimSpace("n " + class)
	}
	return class
}

// Named reports whether names stand in a column, which have room and may be
// broken.
func (t table) Named(column int) bool {
	return column < len(t.Columns) && t.Columns[column].Names && !t.Columns[column].Number
}

// Cut reports whether an entry may be too long for its column; the last has all
// the room there is.
func (t table) Cut(column int, e sheet.Entry) bool {
	return len(e.Text) > 32 && column < len(t.Columns)-1 && !t.Named(column)
}

// folded are tables of the numbers of pictures.
func folded(sheets ...sheet.Sheet) []table {
	var tables []table
	for _, s := range sheets {
		tables = append(tables, table{Sheet: s})
	}
	return tables
}

// open are tables that are a part of the answer; of details there may be many.
func open(sheets ...sheet.Sheet) []table {
	tables := folded(sheets...)
	for i := range tables {
		tables[i].Open = !sheets[i].Long()
		tables[i].Titled = len(sheets) > 1
	}
	return tables
}

// mostClaims is how many claims are not folded.
const mostClaims = 12

// drawnPictures is what the page's script reads.
type drawnPictures struct {
	Pictures []*picture      `json:"pictures"`
	Heats    []*heat         `json:"heats"`
	Looks    map[string]look `json:"looks"`
}

// pictures numbers all that the script fills, and returns it.
func (p *page) pictures() drawnPictures {
	drawn := drawnPictures{Pictures: []*picture{}, Heats: []*heat{}, Looks: looks}
	for _, part := range p.Parts {
		if part.Heat != nil {
			drawn.Heats = append(drawn.Heats, part.Heat)
		}
		for i := range part.Sections {
			drawn.Pictures = append(drawn.Pictures, part.Sections[i].Pictures...)
		}
	}
	for i, one := range drawn.Pictures {
		one.ID = "picture-" + strconv.Itoa(i+1)
	}
	return drawn
}

// htmlLead is the line below the title.
func htmlLead(d *record.Document) string {
	judged, measured := false, 0
	for i := range d.Problems {
		p := &d.Problems[i]
		judged = judged || p.Reports != nil || p.Err != nil
		if m := p.Measurement; m != nil {
			measured += len(m.Trials)
		}
	}
	switch {
	case d.Against != nil:
		return sheet.AgainstSummary(d.Against) + "."
	case len(d.Problems) == 0:
		return "Nothing was judged."
	case judged || measured == 0:
		return report.Summary(d) + "."
	case d.Elapsed > 0:
		return units.Count(measured, "run") + " in " + units.Duration(d.Elapsed) + "."
	}
	return units.Count(measured, "run") + "."
}

// partOf is one problem's part.
func partOf(p *record.Problem, number int) *part {
	part := &part{ID: "problem-" + strconv.Itoa(number+1), Kind: "Verdicts", Name: nameShown(p.ID), Bounds: sheet.LimitsText(p.Limits)}
	switch {
	case p.Err != nil:
		part.Error = report.ErrorLines(p.Err)
	case p.Comparison != nil:
		part.compare(p)
	case p.Scaling != nil:
		part.scale(p)
	case p.Band != nil:
		part.band(p)
	default:
		part.judged(p)
	}
	part.fold()
	part.doubtOnce()
	return part
}

// fold leaves the first claims open, of many.
func (part *part) fold() {
	if n := mostClaims; len(part.Claims) > n+1 {
		part.Claims, part.More = part.Claims[:n], part.Claims[n:]
	}
}

func machineFacts(m record.Machine) []fact {
	var facts []fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, terminal.Clip(terminal.Clean(value), 400)})
		}
	}
	add("Processor", m.CPU)
	if m.Cores > 0 {
		add("Cores", strconv.Itoa(m.Cores))
	}
	if m.OS != "" {
		add("System", strings.TrimSpace(m.OS+"/"+m.Arch+" "+m.Kernel))
	}
	add("Judge built by", m.Go)
	add("Protection", m.Protection)
	add("Not enforced", strings.Join(m.NotEnforced, ", "))
	if m.Protection != "" {
		add("Pinned to cores", map[bool]string{true: "yes", false: "no"}[m.Pinned])
		add("Addresses", map[bool]string{true: "the same on every run", false: "as the system chooses"}[m.FixedAddresses])
	}
	return facts
}

// mostShown is how many columns of a name are shown; its end says most.
const mostShown = 80

// nameShown is a name as the page shows it.
func nameShown(name string) string { return htmlClip(name, mostShown) }

// htmlClip is the end of a name. A byte that is no text is what a reader of the
// JSON document sees of it, too: one mark, so that both see the same end.
func htmlClip(name string, columns int) string {
	return terminal.ClipStart(terminal.Clean(strings.ToValidUTF8(name, "\ufffd")), columns)
}

// parted is a name as the page shows it, which may be broken after what parts its
// words, and nowhere else.
func parted(name string) template.HTML {
	return template.HTML(breaks.ReplaceAllString(template.HTMLEscapeString(nameShown(name)), "$0<wbr>"))
}

// breaks are places where a name may be broken: none of them is in what escapes
// a character.
var breaks = regexp.MustCompile(`[/_]+`)

// powers escapes a text and raises the exponents of models in it: n^1.52, 1.3^n.
func powers(text string) template.HTML {
	return template.HTML(models.ReplaceAllString(template.HTMLEscapeString(text), "$1<sup>$2</sup>"))
}

// models are powers of n and exponential functions, as modelText writes them.
var models = regexp.MustCompile(`\b(n|c|\d+(?:\.\d+)?)\^(n|k|\d+(?:\.\d+)?)\b`)

var htmlFuncs = template.FuncMap{
	"name":     nameShown,
	"parted":   parted,
	"clean":    func(s string) string { return terminal.Clip(terminal.Clean(s), 400) },
	"line":     func(s string) string { return terminal.Clip(s, 400) },
	"powers":   powers,
	"glyph":    glyph,
	"doubtful": func(note string) bool { return strings.HasPrefix(note, "doubt: ") },
	"json": func(v any) (template.JS, error) {
		b, err := json.Marshal(v) // with <, >, &, U+2028 and U+2029 escaped
		return template.JS(b), err
	},
}
