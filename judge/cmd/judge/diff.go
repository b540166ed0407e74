package main

import (
	"fmt"
	"strings"

	"crucible/judge/check"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

const (
	shownRows    = 40  // of one diff
	contextRows  = 2   // equal rows shown before and after a difference
	shownColumns = 160 // of one line
)

// wordDiff shows where an output departs from the answer, line by line: "-"
// before what was expected, "+" before what came, and under each the words
// that differ, which are coloured too where there is colour.
func wordDiff(palette report.Palette, rules check.Rules, answer, output []byte) string {
	rows, cut := rules.Diff(answer, output)
	var b strings.Builder
	shown, last := 0, -1
	for i, row := range rows {
		if !nearDifference(rows, i) {
			continue
		}
		if shown == shownRows {
			fmt.Fprintf(&b, "         … and more\n")
			return b.String()
		}
		if last >= 0 && i > last+1 {
			fmt.Fprintf(&b, "         …\n")
		}
		last = i
		shown++
		if !row.Differs() {
			writeSide(&b, palette, ' ', row.OutputLine, row.Got)
			continue
		}
		if row.AnswerLine > 0 {
			writeSide(&b, palette, '-', row.AnswerLine, row.Want)
		}
		if row.OutputLine > 0 {
			writeSide(&b, palette, '+', row.OutputLine, row.Got)
		}
	}
	if cut {
		fmt.Fprintf(&b, "         … only the first %d KiB are compared here\n", shownBytes>>10)
	}
	return b.String()
}

func nearDifference(rows []check.Row, i int) bool {
	for k := max(0, i-contextRows); k <= min(len(rows)-1, i+contextRows); k++ {
		if rows[k].Differs() {
			return true
		}
	}
	return false
}

// writeSide writes one line of one side.
func writeSide(b *strings.Builder, palette report.Palette, sign rune, line int, spans []check.Span) {
	var text, marks strings.Builder
	width, marked := 0, false
	for _, s := range spans {
		word := terminal.Clip(check.Escape(s.Text), shownColumns-width)
		n := terminal.Width(word)
		width += n
		if s.Differs {
			marked = true
			text.WriteString(palette.Bad(word))
			marks.WriteString(strings.Repeat("^", n))
		} else {
			text.WriteString(word)
			marks.WriteString(strings.Repeat(" ", n))
		}
		if width >= shownColumns {
			break
		}
	}
	fmt.Fprintf(b, "    %c %3d  %s\n", sign, line, strings.TrimRight(text.String(), " "))
	if marked {
		fmt.Fprintf(b, "           %s\n", strings.TrimRight(marks.String(), " "))
	}
}
