package check

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
)

// finding returns the finding for the current place, where the texts differ.
func (m *match) finding(kind Kind) (Finding, error) {
	want, got := &m.want, &m.got
	d := &Difference{Kind: kind}
	begun := 0 // bytes of the differing token that were already read
	if kind == Differs && want.inside() && got.inside() {
		begun = want.behind()
	}
	d.Offset = begun
	if kind != Extra {
		d.Want = want.excerpt(begun, kind == Space)
	}
	if kind != Missing {
		d.Got = got.excerpt(begun, kind == Space)
	}
	distance := m.distance(d)
	w, wantErr := want.read()
	g, gotErr := got.read()
	if err := cmp.Or(wantErr, gotErr); err != nil {
		return Finding{}, err
	}
	d.Token = w.tokens
	if begun == 0 {
		d.Token++
	}
	d.Line, d.Column = g.place()
	d.AnswerLine, d.AnswerColumn = w.place()
	d.Column -= begun
	d.AnswerColumn -= begun
	return Finding{Why: d.String() + distance, Diff: d}, nil
}

// String describes the difference in one line that is safe to print.
func (d *Difference) String() string {
	at := fmt.Sprintf("line %d, column %d", d.Line, d.Column)
	if d.Line != d.AnswerLine || d.Column != d.AnswerColumn {
		at += fmt.Sprintf(" (line %d, column %d of the answer)", d.AnswerLine, d.AnswerColumn)
	}
	want, got := Clip(d.Want), Clip(d.Got)
	switch d.Kind {
	case Missing:
		return fmt.Sprintf("%s: the output ends, expected %s", at, want)
	case Extra:
		if d.Token == 1 {
			return fmt.Sprintf("%s: got %s, expected no output, as the answer is empty", at, got)
		}
		return fmt.Sprintf("%s: got %s, expected the end", at, got)
	case Space:
		return fmt.Sprintf("%s: got %s before token %d, expected %s", at, whitespace(d.Got), d.Token, whitespace(d.Want))
	case NotFloat:
		want = "a number near " + want
	case Tolerance:
		want = "a number nearer " + want
	}
	return fmt.Sprintf("%s: got %s, expected %s", at, got, want)
}

func whitespace(s string) string {
	if s == "" {
		return "no whitespace"
	}
	return "whitespace " + Clip(s)
}

// distance describes the difference of the two numbers and the tolerance.
func (m *match) distance(d *Difference) string {
	if d.Kind != Tolerance {
		return ""
	}
	w, _ := m.want.token(0) // both tokens were read before, so this cannot fail
	g, _ := m.got.token(0)
	a, _ := strconv.ParseFloat(string(w), 64) // infinite if out of range
	s, _ := strconv.ParseFloat(string(g), 64)
	text := ""
	if off := math.Abs(s - a); off > 0 && !math.IsInf(off, 0) {
		text = fmt.Sprintf(": off by %.3g", off)
		if a != 0 {
			text += fmt.Sprintf(" (%.3g relative)", off/math.Abs(a))
		}
	}
	switch abs, rel := m.absolute, m.relative; {
	case rel == nil:
		return fmt.Sprintf("%s, allowed %s", text, abs)
	case abs == nil:
		return fmt.Sprintf("%s, allowed %s relative", text, rel)
	default:
		return fmt.Sprintf("%s, allowed %s or %s relative", text, abs, rel)
	}
}
