package check

import "bytes"

// maxDiff is the maximum number of bytes of each text that [Rules.Diff] reads.
const maxDiff = 64 << 10

// A Row shows a line of the answer beside a line of the output. Words that differ
// are marked. A line without a counterpart has a row with one empty side.
type Row struct {
	AnswerLine, OutputLine int // from 1; 0 if that side has no line in this row
	Want, Got              []Span
}

// A Span is a part of a line: a word or the whitespace between two words. Text is
// raw and may be hostile; print it with [Escape].
type Span struct {
	Text    string // never ""
	Differs bool   // the span has no equal counterpart on the other side
}

// Differs reports whether anything in the row differs.
func (r Row) Differs() bool {
	return r.AnswerLine == 0 || r.OutputLine == 0 || differs(r.Want) || differs(r.Got)
}

func differs(spans []Span) bool {
	for _, s := range spans {
		if s.Differs {
			return true
		}
	}
	return false
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
	d := differ{rules: &r, want: splitLines(bound(answer)), got: splitLines(bound(output))}
	sameLine := func(i, k int) bool { return d.sameLine(d.want[i], d.got[k]) }
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
	spans []Span
	words []int // indices of the spans that are words
}

func splitLines(text []byte) []line {
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
			if !space[this[0]] {
				l.words = append(l.words, len(l.spans))
			}
			l.spans = append(l.spans, Span{Text: string(this[:n])})
			this = this[n:]
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
func (d *differ) same(want, got string) bool {
	d.work++
	if want == got {
		return true
	}
	if space[want[0]] || space[got[0]] {
		return !d.rules.spaceSensitive && space[want[0]] == space[got[0]]
	}
	if d.rules.floats() {
		var a, s number
		if a.parse([]byte(want)) {
			return s.parse([]byte(got)) && d.rules.near(&s, &a)
		}
	}
	return !d.rules.caseSensitive && len(want) == len(got) && agree([]byte(want), []byte(got), true) == len(want)
}

func (d *differ) sameLine(want, got line) bool {
	if d.rules.spaceSensitive {
		if len(want.spans) != len(got.spans) {
			return false
		}
		for i := range want.spans {
			if !d.same(want.spans[i].Text, got.spans[i].Text) {
				return false
			}
		}
		return true
	}
	if len(want.words) != len(got.words) {
		return false
	}
	for i := range want.words {
		if !d.same(want.spans[want.words[i]].Text, got.spans[got.words[i]].Text) {
			return false
		}
	}
	return true
}

// hunk creates the rows for lines i to iEnd of the answer and lines k to kEnd of
// the output, and marks words that differ.
func (d *differ) hunk(i, iEnd, k, kEnd int) {
	want, got := d.spans(d.want[i:iEnd]), d.spans(d.got[k:kEnd])
	for _, s := range want {
		s.Differs = true
	}
	for _, s := range got {
		s.Differs = true
	}
	same := func(i, k int) bool { return d.same(want[i].Text, got[k].Text) }
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

// spans returns the indices of the spans that the rules compare.
func (d *differ) spans(lines []line) []*Span {
	var all []*Span
	for _, l := range lines {
		if d.rules.spaceSensitive {
			for i := range l.spans {
				all = append(all, &l.spans[i])
			}
			continue
		}
		for _, w := range l.words {
			all = append(all, &l.spans[w])
		}
	}
	return all
}
