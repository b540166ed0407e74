package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"crucible/judge/check"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

const (
	shownRows   = 12 // maximum number of rows of one diff
	contextRows = 2  // equal rows shown before and after a difference
	// Columns is the maximum width of one line, in terminal columns.
	Columns = 100
	// Compared is the maximum length of the compared part of an output and of an
	// answer, in bytes.
	Compared = 4 << 20
)

// A Comparison shows where an output differs from the answer.
type Comparison struct {
	Palette        report.Palette    // the colours
	Rules          check.Rules       // the rules by which the texts are compared
	At             *check.Difference // the first difference; nil if unknown
	Answer, Output []byte            // at most [Compared] bytes of each
}

// String returns the lines around the first difference: "-" marks expected lines,
// "+" marks printed lines, and carets mark the characters that differ. These are
// also coloured if the palette has colours.
func (c *Comparison) String() string {
	answer, output := window{text: c.Answer}, window{text: c.Output}
	if c.At != nil {
		answer, output = windowOf(c.Answer, c.At.AnswerLine, c.At.AnswerColumn), windowOf(c.Output, c.At.Line, c.At.Column)
	}
	rows, cut := c.Rules.Diff(answer.text, output.text)
	first := 0
	for first < len(rows) && !rows[first].Differs() {
		first++
	}
	from, same := max(0, first-contextRows), first == len(rows)
	if same {
		from = 0 // the validator rejects the output, but these rules find no difference
	}
	var b strings.Builder
	if answer.line+output.line+from > 0 {
		b.WriteString("           …\n")
	}
	i := from
	for ; i < len(rows) && i < from+shownRows && (same || near(rows, i)); i++ {
		row := rows[i]
		want, wantWord := cells(row.Want, row.AnswerLine == 1 && answer.begun)
		got, gotWord := cells(row.Got, row.OutputLine == 1 && output.begun)
		if !row.Differs() {
			writeLine(&b, c.Palette, ' ', row.OutputLine+output.line, clip(got, 0))
			continue
		}
		unmarkPrefix(wantWord, gotWord)
		left := clipLeft(want, got)
		if row.AnswerLine > 0 {
			writeLine(&b, c.Palette, '-', row.AnswerLine+answer.line, clip(want, left))
		}
		if row.OutputLine > 0 {
			writeLine(&b, c.Palette, '+', row.OutputLine+output.line, clip(got, left))
		}
	}
	switch {
	case i < len(rows):
		b.WriteString("           …\n")
	case cut:
		b.WriteString("           … and more\n")
	}
	return b.String()
}

// near reports whether row i differs or is at most contextRows away from one that
// does.
func near(rows []check.Row, i int) bool {
	for k := max(0, i-contextRows); k <= min(len(rows)-1, i+contextRows); k++ {
		if rows[k].Differs() {
			return true
		}
	}
	return false
}

// A window is the part of a text that is compared.
type window struct {
	text  []byte
	line  int  // number of lines before it
	begun bool // it begins in the middle of a line
}

// windowOf returns the text from a few lines before a place to the end.
func windowOf(text []byte, line, column int) window {
	starts := []int{0} // offsets of the last lines up to line
	w := window{}
	for n := 1; n < line; n++ {
		last := starts[len(starts)-1]
		end := bytes.IndexByte(text[last:], '\n')
		if end < 0 {
			break
		}
		if starts = append(starts, last+end+1); len(starts) > contextRows+1 {
			starts = starts[1:]
			w.line++
		}
	}
	at := starts[len(starts)-1] + column - 1
	if far := 8 << 10; at-starts[0] > far && at <= len(text) {
		// The lines are very long: start at a word shortly before the place.
		from := max(starts[len(starts)-1], at-far)
		if n := bytes.IndexAny(text[from:at], " \t"); n >= 0 && from > starts[len(starts)-1] {
			from += n + 1
		}
		w.line += len(starts) - 1
		w.begun = from > starts[len(starts)-1]
		w.text = text[from:]
		return w
	}
	w.text = text[starts[0]:]
	return w
}

// A cell is one displayed character of a line.
type cell struct {
	r      rune
	width  int
	marked bool
}

// ellipsis stands for cells that are not shown.
var ellipsis = cell{'…', 1, false}

// cells returns the characters of a line, and those of its first word that differs.
// partial means that the start of the line is missing.
func cells(spans []check.Span, partial bool) (line, first []cell) {
	if partial {
		line = append(line, ellipsis)
	}
	start, end := 0, 0
	for _, s := range spans {
		before := len(line)
		for _, r := range terminal.Clean(s.Text) {
			line = append(line, cell{r, terminal.Width(string(r)), s.Differs})
		}
		if s.Differs && end == 0 {
			start, end = before, len(line)
		}
	}
	return line, line[start:end]
}

// unmarkPrefix removes the marks from the common prefix of two long words.
func unmarkPrefix(want, got []cell) {
	const long = 16
	shorter := min(len(want), len(got))
	for i := 0; shorter > long && i < shorter-1 && want[i].r == got[i].r; i++ {
		want[i].marked, got[i].marked = false, false
	}
}

// clipLeft returns how many columns must be cut on the left of the lines so that
// the first difference is visible.
func clipLeft(lines ...[]cell) int {
	at := -1
	for _, line := range lines {
		column := 0
		for _, c := range line {
			if c.marked {
				if at < 0 || column < at {
					at = column
				}
				break
			}
			column += c.width
		}
	}
	if at < Columns*3/4 {
		return 0
	}
	return at - Columns/3
}

// clip returns the cells of a line from the column left on, in at most [Columns]. It
// replaces cells that are cut by "…".
func clip(line []cell, left int) (shown []cell) {
	skipped, width := 0, 0
	for i, c := range line {
		switch {
		case skipped < left:
			if skipped += c.width; skipped >= left {
				shown, width = append(shown, ellipsis), 1
			}
		case width+c.width >= Columns && i < len(line)-1:
			return append(shown, ellipsis)
		default:
			shown, width = append(shown, c), width+c.width
		}
	}
	return shown
}

// writeLine writes one line of one side, and carets below its marked cells.
func writeLine(b *strings.Builder, palette report.Palette, sign rune, number int, line []cell) {
	var text, marks string
	for len(line) > 0 {
		n := slices.IndexFunc(line, func(c cell) bool { return c.marked != line[0].marked })
		if n < 0 {
			n = len(line)
		}
		word, width := "", 0
		for _, c := range line[:n] {
			word, width = word+string(c.r), width+c.width
		}
		mark := " "
		if line[0].marked {
			word, mark = palette.Bad(word), "^"
		}
		text, marks = text+word, marks+strings.Repeat(mark, width)
		line = line[n:]
	}
	fmt.Fprintf(b, "    %c %3d  %s\n", sign, number, strings.TrimRight(text, " "))
	if marks = strings.TrimRight(marks, " "); marks != "" {
		fmt.Fprintf(b, "           %s\n", marks)
	}
}
