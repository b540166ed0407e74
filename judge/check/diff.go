package check

import (
	"bytes"
	"slices"
)

// maxDiff is the maximum number of bytes of each text that [Rules.Diff] reads.
const maxDiff = 64 << 10

// A Row shows a line of the answer beside a line of the output. Words that differ
// are marked. A line without a counterpart has a row with one empty side.
type Row struct {
	AnswerLine, OutputLine int    // from 1; 0 if that side has no line in this row
	Want, Got              []Span // the lines of the answer and of the output; nil if that side has no line
}

// A Span is a part of a line: a word or the whitespace between two words. Text is
// raw and may be hostile; print it with [Clip].
type Span struct {
	Text    string // never ""
	Differs bool   // the span has no equal counterpart on the other side
}

// Differs reports whether anything in the row differs.
func (r Row) Differs() bool {
	differs := func(s Span) bool { return s.Differs }
	return r.AnswerLine == 0 || r.OutputLine == 0 || slices.ContainsFunc(r.Want, differs) ||
		slices.ContainsFunc(r.Got, differs)
}

// Diff aligns two texts for display: lines with lines, and words with words in
// lines that differ. Words are equal if the rules accept one for the other: a number
// within the tolerance is not marked. Whitespace is marked only if the rules are
// sensitive to it. Line ends are not part of a row. Diff reads at most 64 KiB of each
// text; cut reports that a text is longer.
//
// The work is bounded. If the texts have too little in common for a good alignment,
// lines and words are paired by number.
func (r Rules) Diff(answer, output []byte) (rows []Row, cut bool) {
	cut = len(answer) > maxDiff || len(output) > maxDiff
	d := differ{rules: &r, want: r.lines(bound(answer)), got: r.lines(bound(output))}
	sameLine := func(i, k int) bool { return slices.EqualFunc(d.want[i].compared, d.got[k].compared, d.same) }
	i, k := 0, 0
	for _, p := range align(len(d.want), len(d.got), sameLine, d.busy) {
		d.hunk(i, p.i, k, p.k)
		d.hunk(p.i, p.i+1, p.k, p.k+1)
		i, k = p.i+1, p.k+1
	}
	d.hunk(i, len(d.want), k, len(d.got))
	for cut && len(d.rows) > 0 && (d.rows[len(d.rows)-1].AnswerLine == 0 || d.rows[len(d.rows)-1].OutputLine == 0) {
		d.rows = d.rows[:len(d.rows)-1] // the line's counterpart may be in the part that was cut
	}
	return d.rows, cut
}

// bound cuts a text after the last line end that fits, or else after the last word.
func bound(text []byte) []byte {
	if len(text) <= maxDiff {
		return text
	}
	if n := bytes.LastIndexByte(text[:maxDiff], '\n'); n >= 0 {
		return text[:n+1]
	}
	if n := tail(text[:maxDiff]); n < maxDiff {
		return text[:maxDiff-n]
	}
	return text[:maxDiff]
}

// A line is split into spans that alternate between words and whitespace.
type line struct {
	spans    []Span
	compared []*Span // those that the rules compare
}

func (r *Rules) lines(text []byte) []line {
	var lines []line
	for len(text) > 0 {
		var this []byte
		this, text, _ = bytes.Cut(text, []byte{'\n'})
		var l line
		for len(this) > 0 {
			n := 1
			for n < len(this) && space[this[n]] == space[this[0]] {
				n++
			}
			l.spans = append(l.spans, Span{Text: string(this[:n])})
			this = this[n:]
		}
		for i := range l.spans {
			if r.spaceSensitive || !space[l.spans[i].Text[0]] {
				l.compared = append(l.compared, &l.spans[i])
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// A differ aligns two texts and collects the rows.
type differ struct {
	rules     *Rules
	want, got []line
	rows      []Row
	work      int // comparisons so far
}

// maxWork is the maximum number of word comparisons in one alignment of texts. It
// is enough for two texts of full size with a hundred differences.
const maxWork = 2 << 20

func (d *differ) busy() bool { return d.work < maxWork }

// same reports whether two words, or two pieces of whitespace, are equal.
func (d *differ) same(a, b *Span) bool {
	d.work++
	if a.Text == b.Text {
		return true
	}
	if x, y := space[a.Text[0]], space[b.Text[0]]; x || y {
		return !d.rules.spaceSensitive && x == y
	}
	if !d.rules.floats() && (d.rules.caseSensitive || len(a.Text) != len(b.Text)) {
		return false // before the texts are copied
	}
	want, got := []byte(a.Text), []byte(b.Text)
	if d.rules.floats() {
		var a, s number
		if a.parse(want) {
			return s.parse(got) && d.rules.near(&s, &a)
		}
	}
	return !d.rules.caseSensitive && len(want) == len(got) && agree(want, got, true) == len(want)
}

// hunk creates the rows for lines i to iEnd of the answer and lines k to kEnd of
// the output, and marks words that differ.
func (d *differ) hunk(i, iEnd, k, kEnd int) {
	want, got := compared(d.want[i:iEnd]), compared(d.got[k:kEnd])
	for _, s := range slices.Concat(want, got) {
		s.Differs = true
	}
	same := func(i, k int) bool { return d.same(want[i], got[k]) }
	for _, p := range align(len(want), len(got), same, d.busy) {
		want[p.i].Differs, got[p.k].Differs = false, false
	}
	for i < iEnd || k < kEnd {
		var row Row
		if i < iEnd {
			row.Want = d.want[i].spans
			i++
			row.AnswerLine = i
		}
		if k < kEnd {
			row.Got = d.got[k].spans
			k++
			row.OutputLine = k
		}
		d.rows = append(d.rows, row)
	}
}

// compared returns the spans of several lines that the rules compare.
func compared(lines []line) (all []*Span) {
	for _, l := range lines {
		all = append(all, l.compared...)
	}
	return all
}
