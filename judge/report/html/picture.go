package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/report"
)

// A picture is a plot that page.js draws: one of the specifications in the folder
// pictures, and its rows. The names of fields are constants; a text of a package or a
// submission is only ever a value.
type picture struct {
	ID      string            `json:"id"`
	Spec    string            `json:"spec"`
	Hover   []hover           `json:"hover"` // what the page shows of a mark
	Data    map[string]*frame `json:"data"`
	Set     map[string]string `json:"set,omitempty"`  // signals of the specification
	Most    int               `json:"most,omitempty"` // maximum width in pixels; 0 means no limit
	Wide    bool              `json:"wide,omitempty"` // no other picture stands beside it
	Title   string            `json:"-"`              // "" if the title of the section is enough
	Caption string            `json:"-"`              // one sentence, for screen readers
}

// has reports whether the picture has a mark with that key.
func (p *picture) has(key string) bool {
	for _, f := range p.Data {
		at := slices.Index(f.fields, "k")
		if at >= 0 && slices.ContainsFunc(f.rows, func(row []any) bool { return row[at] == key }) {
			return true
		}
	}
	return false
}

// A hover is a field of a mark and its format: "text", "time" (seconds), "count"
// (with a decimal prefix), "size" (bytes), "ratio" or "number".
type hover struct {
	Field string `json:"field"`
	Name  string `json:"name"`
	As    string `json:"as"`
}

// sectionOf returns a section with one picture and the folded table of its numbers.
func sectionOf(title, caption string, one *picture, numbers report.Sheet) section {
	one.Caption = caption
	return section{Title: title, Caption: caption, Pictures: []*picture{one}, Tables: folded(numbers)}
}

// keys adds to the legend those of the keys that the pictures have.
func (s *section) keys(all ...legendKey) {
	for _, k := range all {
		if slices.ContainsFunc(s.Pictures, func(p *picture) bool { return p.has(k.Key) }) {
			s.Key = append(s.Key, k)
		}
	}
}

// limit draws a dashed line at a limit, and explains it. If at is 0, it draws nothing.
func (s *section) limit(at float64, name, text string) {
	s.Pictures[0].Data["limit"] = limitFrame(at, text)
	if at > 0 {
		s.Caption += " The dashed line is the " + name + ", " + text + "."
		s.Pictures[0].Caption = s.Caption
	}
}

// limitFrame returns the line of a limit; it is empty if there is no limit.
func limitFrame(at float64, text string) *frame {
	f := frameOf("x", "label")
	if at > 0 {
		f.add(at, "limit "+text)
	}
	return f
}

// A frame has the rows of a picture. The field "k" is the key of a mark, which
// determines its colour and shape.
type frame struct {
	fields []string
	rows   [][]any // float64 or string; nil if there is no value
}

func frameOf(fields ...string) *frame { return &frame{fields: fields} }

func (f *frame) add(values ...any) { f.rows = append(f.rows, values) }

// MarshalJSON writes columns, which are a third as long as rows: numbers with four
// digits, and texts as indices in a list of the distinct texts. It leaves out empty
// columns.
func (f *frame) MarshalJSON() ([]byte, error) {
	type texts struct {
		Of []string `json:"of"`
		At []int    `json:"at"`
	}
	columns := make(map[string]any)
	for i, field := range f.fields {
		numbers, words, index := make([]json.RawMessage, len(f.rows)), texts{At: make([]int, len(f.rows))}, map[string]int{}
		empty := true
		for k, row := range f.rows {
			empty = empty && row[i] == nil
			numbers[k], words.At[k] = null, -1
			switch v := row[i].(type) {
			case float64:
				numbers[k] = number(v)
			case string:
				if _, known := index[v]; !known {
					index[v], words.Of = len(words.Of), append(words.Of, v)
				}
				words.At[k] = index[v]
			}
		}
		switch {
		case words.Of != nil:
			columns[field] = words
		case !empty:
			columns[field] = numbers
		}
	}
	return json.Marshal(map[string]any{"n": len(f.rows), "columns": columns})
}

var null = json.RawMessage("null")

// number formats a number with four digits; an infinity or NaN is null.
func number(v float64) json.RawMessage {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return null
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.AppendInt(nil, int64(v), 10) // an order or a round, which needs all digits
	}
	text := strconv.AppendFloat(nil, v, 'g', 4, 64)
	return bytes.Replace(bytes.Replace(text, []byte("e+0"), []byte("e"), 1), []byte("e-0"), []byte("e-"), 1)
}

// A legendKey is an entry of a legend: the meaning of the marks of a key.
type legendKey struct {
	Key, Text string
	Line      bool // the picture has lines of the key, too
}

// A markStyle is how the marks and lines of a key are drawn.
type markStyle struct {
	Color string    `json:"color"` // a variable of style.css, which has values for light and dark screens
	Shape string    `json:"shape"`
	Dash  []float64 `json:"dash,omitempty"` // lengths of lines and gaps; nil is a line without gaps
}

// looks has the looks of all keys. No information is in the colour alone: two keys of
// one picture differ in shape, and two programs differ in shape or dash.
var markStyles = func() map[string]markStyle {
	all := map[string]markStyle{
		"limit": {"limit", "bar", []float64{5, 3}}, "proposed": {"proposed", "bar", []float64{2, 3}},
		"px":     {"px", "circle", nil},
		"slower": {"slower", "triangle-right", nil}, "faster": {"faster", "triangle-left", nil},
		"unclear":    {"unclear", "diamond", nil},
		"regression": {"slower", "triangle-right", nil}, "gain": {"faster", "triangle-left", nil},
		"held":    {"unclear", "circle", nil},
		"stopped": {"unclear", "stopped", nil}, "failed": {"unclear", "failed", nil}, "open": {"open", "diamond", nil},
		"lost": {"slower", "cross", nil}, "found": {"faster", "square", nil},
	}
	for key, shape := range map[string]string{
		"AC": "circle", "WA": "cross", "TLE": "triangle-right", "MLE": "square", "OLE": "diamond", "RTE": "triangle-down",
		"CE": "triangle-up", "JE": "triangle-left",
		"must": "circle", "never": "triangle-right", "free": "diamond", "safe": "square", "overlap": "square",
	} {
		all[key] = markStyle{Color: key, Shape: shape}
	}
	shapes := []string{"circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right",
		"triangle-left"}
	dashes := [][]float64{nil, {7, 3}, {2, 3}}
	for i := range mostPrograms {
		color, again := i%len(shapes), i/len(shapes)
		all[programKey(i, 1)] = markStyle{"p" + strconv.Itoa(color), shapes[(color+3*again)%len(shapes)], dashes[again]}
	}
	return all
}()

// mostPrograms is the maximum number of programs with looks of their own. If there
// are more, all look alike, and the page shows the name of a mark under the pointer.
const mostPrograms = 24

// programKey returns the key of the marks of a submission; all is the number of
// submissions.
func programKey(submission, all int) string {
	if all > mostPrograms {
		return "px"
	}
	return "p" + strconv.Itoa(submission)
}

// legend adds the marks of all submissions to the legend, and their lines if the
// picture has lines.
func (s *section) legend(names []string, lines bool) {
	if len(names) > mostPrograms {
		s.Caption += fmt.Sprintf(" More than %d submissions are drawn alike: point at a mark, or use the arrow keys, to "+
			"see its submission.", mostPrograms)
		return
	}
	for i, name := range names {
		s.Key = append(s.Key, legendKey{programKey(i, len(names)), name, lines})
	}
}

// shapes has the SVG path of each shape. Vega draws the shapes under these names,
// except bar, stopped and failed.
var shapes = map[string]string{
	"circle":         "M6 2a4 4 0 1 0 .01 0z",
	"square":         "M2.5 2.5h7v7h-7z",
	"diamond":        "M6 1l5 5-5 5-5-5z",
	"cross":          "M4.5 1h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
	"triangle-up":    "M6 1.5l5 9h-10z",
	"triangle-down":  "M6 10.5l5-9h-10z",
	"triangle-right": "M10.5 6l-9 5v-10z",
	"bar":            "M5 0h2v12h-2z",
	"triangle-left":  "M1.5 6l9 5v-10z",
	"failed":         "M1.6 3l1.4-1.4 3 3 3-3 1.4 1.4-3 3 3 3-1.4 1.4-3-3-3 3-1.4-1.4 3-3z",
	"stopped":        "M6 5.5a3 3 0 1 0 .01 0zM6 6.8a1.7 1.7 0 1 1 -.01 0zM5.4 5.5v-2.7h-1.7l2.3-2.8 2.3 2.8h-1.7v2.7z",
}

// glyph returns the mark of a key, and its line if it has one, as SVG.
func glyph(key legendKey) template.HTML {
	l := markStyles[key.Key]
	if !key.Line {
		return template.HTML(fmt.Sprintf(
			`<svg class="glyph k-%s" viewBox="0 0 12 12" aria-hidden="true"><path d="%s"/></svg>`, l.Color, shapes[l.Shape]))
	}
	dash := strings.Trim(fmt.Sprint(l.Dash), "[]")
	return template.HTML(fmt.Sprintf(`<svg class="glyph line k-%s" viewBox="-10 0 32 12" aria-hidden="true">`+
		`<path d="M-10 6h32" stroke-dasharray="%s"/><path d="%s"/></svg>`, l.Color, dash, shapes[l.Shape]))
}

// labelColumns is the maximum width of a label on an axis, in terminal columns.
const labelColumns = 38

// labels shortens names for an axis. Each name gets a label of its own, because
// rows with equal labels would be drawn as one.
func labels(names []string) []string {
	list, used := make([]string, len(names)), map[string]bool{}
	for i, name := range names {
		short := clipName(name, labelColumns)
		label := short
		for n := 2; used[label]; n++ {
			label = fmt.Sprintf("%s (%d)", short, n)
		}
		list[i], used[label] = label, true
	}
	return list
}
