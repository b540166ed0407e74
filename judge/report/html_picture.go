package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strconv"
)

// A picture is a plot that page.js draws: one of the specifications in
// html/pictures and the rows it draws. The fields of rows are ours alone; what
// others wrote is only ever a value.
type picture struct {
	ID    string            `json:"id"`
	Spec  string            `json:"spec"`
	Hover []htmlHover       `json:"hover"` // what is told of a mark
	Data  map[string]*frame `json:"data"`
	Title string            `json:"-"` // "" if the section's says enough
	Says  string            `json:"-"` // one sentence, for who cannot see it
}

// An htmlHover is a field of a mark and how to tell it: as "text", "time"
// (seconds), "size" (bytes), "ratio" or "number".
type htmlHover struct {
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

// An htmlKey is an entry of a legend: what the marks of a key are.
type htmlKey struct{ Key, Text string }

// mostColors is how many programs are told apart by color and shape. Of more,
// all look alike, and are told apart by pointing at them.
const mostColors = 8

// programKey is the key of the marks of a submission, of so many.
func programKey(submission, of int) string {
	if of > mostColors {
		return "px"
	}
	return "p" + strconv.Itoa(submission)
}

// programKeys is the legend of submissions; none if they all look alike.
func programKeys(names []string) []htmlKey {
	if len(names) > mostColors {
		return nil
	}
	var keys []htmlKey
	for i, name := range names {
		keys = append(keys, htmlKey{programKey(i, len(names)), name})
	}
	return keys
}

// shapes are drawn by Vega under these names; html/page.js has the keys' too.
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
}

// keyShapes are the shapes of keys, for legends.
var keyShapes = map[string]string{
	"AC": "circle", "WA": "cross", "TLE": "triangle-right", "MLE": "square", "OLE": "diamond", "RTE": "triangle-down", "CE": "triangle-up", "JE": "triangle-left",
	"p0": "circle", "p1": "square", "p2": "triangle-up", "p3": "diamond", "p4": "triangle-down", "p5": "cross", "p6": "triangle-right", "p7": "triangle-left", "px": "circle",
	"must": "circle", "never": "triangle-right", "free": "diamond",
	"safe": "square", "overlap": "square", "proposed": "bar",
}

// glyph draws a key's mark.
func glyph(key string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="glyph k-%s" viewBox="0 0 12 12" aria-hidden="true"><path d="%s"/></svg>`, key, shapes[keyShapes[key]]))
}

// labels shortens names to what an axis has room for, and keeps them apart: two
// that look alike would be drawn as one.
func labels(names []string) []string {
	const columns = 38
	list, used := make([]string, len(names)), map[string]bool{}
	for i, name := range names {
		short := htmlClip(name, columns)
		label := short
		for n := 2; used[label]; n++ {
			label = fmt.Sprintf("%s (%d)", short, n)
		}
		list[i], used[label] = label, true
	}
	return list
}
