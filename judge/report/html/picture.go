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
)

// A picture is a plot that page.js draws: one of the specifications in
// html/pictures and the rows it draws. The fields of rows are ours alone; what
// others wrote is only ever a value.
type picture struct {
	ID    string            `json:"id"`
	Spec  string            `json:"spec"`
	Hover []hover           `json:"hover"` // what is told of a mark
	Data  map[string]*frame `json:"data"`
	Most  int               `json:"most,omitempty"` // pixels that it may be wide; 0 is all there are
	Wide  bool              `json:"wide,omitempty"` // none stands beside it
	Title string            `json:"-"`              // "" if the section's says enough
	Says  string            `json:"-"`              // one sentence, for who cannot see it
}

// An hover is a field of a mark and how to tell it: as "text", "time"
// (seconds), "size" (bytes), "ratio" or "number".
type hover struct {
	Field string `json:"field"`
	Name  string `json:"name"`
	As    string `json:"as"`
}

// A frame is rows of a picture. The field "k" is the key of a mark, which gives
// it its color and shape.
type frame struct {
	fields []string
	rows   [][]any // float64 or string; nil where there is none
}

func frameOf(fields ...string) *frame { return &frame{fields: fields} }

func (f *frame) add(values ...any) { f.rows = append(f.rows, values) }

// has reports whether a row has that value in a field.
func (f *frame) has(field string, value any) bool {
	at := slices.Index(f.fields, field)
	return slices.ContainsFunc(f.rows, func(row []any) bool { return row[at] == value })
}

// MarshalJSON writes columns, which is a third of rows: numbers with four
// digits, and texts as places in a list of those there are. Empty columns are
// left out.
func (f *frame) MarshalJSON() ([]byte, error) {
	type texts struct {
		Of []string `json:"of"`
		At []int    `json:"at"`
	}
	columns := make(map[string]any)
	for i, field := range f.fields {
		var numbers []json.RawMessage
		var words texts
		place, empty := map[string]int{}, true
		for _, row := range f.rows {
			empty = empty && row[i] == nil
			switch v := row[i].(type) {
			case float64:
				numbers = append(numbers, number(v))
			case string:
				if _, ok := place[v]; !ok {
					place[v] = len(words.Of)
					words.Of = append(words.Of, v)
				}
				words.At = append(words.At, place[v])
			default:
				numbers, words.At = append(numbers, json.RawMessage("null")), append(words.At, -1)
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

// number writes four digits; what is no number in JSON is null.
func number(v float64) json.RawMessage {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return json.RawMessage("null")
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.AppendInt(nil, int64(v), 10) // orders and rounds, in full
	}
	text := strconv.AppendFloat(nil, v, 'g', 4, 64)
	return bytes.Replace(bytes.Replace(text, []byte("e+0"), []byte("e"), 1), []byte("e-0"), []byte("e-"), 1)
}

// An legendKey is an entry of a legend: what the marks of a key are.
type legendKey struct {
	Key, Text string
	Line      bool // there are lines of the key, too
}

// A look is how the marks and lines of a key are drawn.
type look struct {
	Color string    `json:"color"` // of the style, which knows of light, dark and paper
	Shape string    `json:"shape"`
	Dash  []float64 `json:"dash,omitempty"` // none is a line without gaps
}

// looks are those of all keys. Nothing is told by color alone: no two keys of
// one picture share a shape, and no two programs' both shape and dash.
var looks = func() map[string]look {
	all := map[string]look{
		"limit": {"limit", "bar", []float64{5, 3}}, "proposed": {"proposed", "bar", []float64{2, 3}}, "px": {"px", "circle", nil},
		"slower": {"slower", "triangle-right", nil}, "faster": {"faster", "triangle-left", nil}, "unclear": {"unclear", "diamond", nil},
		"regression": {"slower", "triangle-right", nil}, "gain": {"faster", "triangle-left", nil}, "held": {"unclear", "circle", nil},
		"stopped": {"unclear", "stopped", nil}, "failed": {"unclear", "failed", nil}, "open": {"open", "diamond", nil}, "lost": {"slower", "cross", nil}, "found": {"faster", "square", nil},
	}
	for key, shape := range map[string]string{
		"AC": "circle", "WA": "cross", "TLE": "triangle-right", "MLE": "square", "OLE": "diamond", "RTE": "triangle-down", "CE": "triangle-up", "JE": "triangle-left",
		"must": "circle", "never": "triangle-right", "free": "diamond", "safe": "square", "overlap": "square",
	} {
		all[key] = look{Color: key, Shape: shape}
	}
	shapes := []string{"circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"}
	dashes := [][]float64{nil, {7, 3}, {2, 3}}
	for i := range mostPrograms {
		color, again := i%len(shapes), i/len(shapes)
		all[programKey(i, 1)] = look{"p" + strconv.Itoa(color), shapes[(color+3*again)%len(shapes)], dashes[again]}
	}
	return all
}()

// mostPrograms is how many programs are told apart by color, shape and dash. Of
// more, all look alike, and are told apart by pointing at them.
const mostPrograms = 24

// programKey is the key of the marks of a submission, of so many.
func programKey(submission, of int) string {
	if of > mostPrograms {
		return "px"
	}
	return "p" + strconv.Itoa(submission)
}

// legend says which marks, and lines if there are any, are a submission's.
func (s *section) legend(names []string, lines bool) {
	if len(names) > mostPrograms {
		s.Says += fmt.Sprintf(" More than %d submissions are drawn alike: whose a mark is, pointing at it and arrow keys tell.", mostPrograms)
		return
	}
	for i, name := range names {
		s.Key = append(s.Key, legendKey{programKey(i, len(names)), name, lines})
	}
}

// shapes are drawn by Vega under these names, except bar, stopped and failed.
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

// glyph draws a key's mark, and its line if there is one.
func glyph(key legendKey) template.HTML {
	l := looks[key.Key]
	if !key.Line {
		return template.HTML(fmt.Sprintf(`<svg class="glyph k-%s" viewBox="0 0 12 12" aria-hidden="true"><path d="%s"/></svg>`, l.Color, shapes[l.Shape]))
	}
	dash := ""
	for i, n := range l.Dash {
		dash += strings.Repeat(" ", min(i, 1)) + strconv.FormatFloat(n, 'g', -1, 64)
	}
	return template.HTML(fmt.Sprintf(`<svg class="glyph line k-%s" viewBox="-10 0 32 12" aria-hidden="true"><path d="M-10 6h32" stroke-dasharray="%s"/><path d="%s"/></svg>`, l.Color, dash, shapes[l.Shape]))
}

// labelColumns are those that an axis has room for.
const labelColumns = 38

// labels shortens names to what an axis has room for, and keeps them apart: two
// that look alike would be drawn as one.
func labels(names []string) []string {
	list, used := make([]string, len(names)), map[string]bool{}
	for i, name := range names {
		short := htmlClip(name, labelColumns)
		label := short
		for n := 2; used[label]; n++ {
			label = fmt.Sprintf("%s (%d)", short, n)
		}
		list[i], used[label] = label, true
	}
	return list
}
