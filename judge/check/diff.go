package check

import "bytes"

// maxDiff bounds how much of each text [Rules.Diff] looks at, in bytes.
const maxDiff = 64 << 10

// A Row sets a line of the answer beside a line of the output. Words that
// differ are marked; what has no counterpart has a row with one side empty.
type Row struct {
	AnswerLine, OutputLine int // counted from 1; 0 when that side has no line here
	Want, Got              []Span
}

// A Span is a part of a line: a word or the whitespace between two. Text is raw,
// and hostile if a submission wrote it; print it through [Escape].
type Span struct {
	Text    string
	Differs bool
}

// Differs tells whether anything in the row does.
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

// Diff aligns two texts for people: lines with lines, and within what differs
// words with words. Two words are the same when the rules say so, so that a
// number within the tolerance is not marked; whitespace is marked only when the
// rules are sensitive to it, and line ends are no part of a row. Each text is
// looked at up to 64 KiB, and cut tells that one of them goes on.
//
// The work is bounded. Where the texts have too little in common for a good
// alignment, lines are set beside lines, and words beside words, by their number.
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
		d.rows = d.rows[:len(d.rows)-1] // its counterpart may be in what was cut off
	}
	return d.rows, cut
}

// bound cuts a text at the last line end, or else the last word, that fits.
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

// A line is cut into spans, words and whitespace by turns.
type line struct {
	spans []Span
	words []int // which of the spans are words
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

type differ struct {
	rules     *Rules
	want, got []line
	rows      []Row
	work      int // comparisons made
}

// maxWork bounds the comparisons of words that go into one alignment of texts;
// it is enough for two texts of the full size with a hundred differences.
const maxWork = 2 << 20

func (d *differ) busy() bool { return d.work < maxWork }

// same tells whether two words, or two stretches of whitespace, are the same.
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

// hunk makes the rows for lines i to iEnd of the answer, beside lines k to kEnd
// of the output, and marks the words in them that differ.
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

// spans are those that the rules compare.
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
