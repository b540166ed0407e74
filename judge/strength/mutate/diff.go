package mutate

import (
	"fmt"
	"strings"
)

// diffContext is the number of lines before and after a change that Diff shows.
const diffContext = 3

// Diff returns the change as a unified diff with three lines of context. Lines end
// as in the file; a last line without a line end is marked as diff marks it.
func (m *Mutant) Diff() string {
	before, after := splitLines(string(m.files[m.File])), splitLines(string(m.Source()))
	from := 0
	for from < len(before) && from < len(after) && before[from] == after[from] {
		from++
	}
	to := 0 // lines that are equal at the end
	for to < len(before)-from && to < len(after)-from && before[len(before)-1-to] == after[len(after)-1-to] {
		to++
	}
	// Edits far apart are two places with equal lines between them.
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", m.File, m.File)
	for _, h := range hunks(before[from:len(before)-to], after[from:len(after)-to], from) {
		h.write(&b, before)
	}
	return b.String()
}

// A hunk replaces lines of a file.
type hunk struct {
	at       int      // index of the first replaced line
	old, new []string // the replaced and the new lines
	shift    int      // lines that hunks before this one add
}

// hunks splits a replacement of lines at the longest part that both have in common.
// A mutant has at most two edits, which are then shown apart.
func hunks(old, new []string, at int) []hunk {
	best, bestOld, bestNew := 2*diffContext, 0, 0 // shorter parts are shown as context anyway
	for i := range old {
		for j := range min(len(new), i+3) {
			n := 0
			for i+n < len(old) && j+n < len(new) && old[i+n] == new[j+n] {
				n++
			}
			if n > best {
				best, bestOld, bestNew = n, i, j
			}
		}
	}
	if best == 2*diffContext {
		return []hunk{{at: at, old: old, new: new}}
	}
	second := hunk{at: at + bestOld + best, old: old[bestOld+best:], new: new[bestNew+best:], shift: bestNew - bestOld}
	return []hunk{{at: at, old: old[:bestOld], new: new[:bestNew]}, second}
}

// write prints the hunk with lines of the file around it.
func (h *hunk) write(b *strings.Builder, file []string) {
	from, to := max(0, h.at-diffContext), min(len(file), h.at+len(h.old)+diffContext)
	extra := to - from - len(h.old)
	start := func(at, lines int) int {
		if lines == 0 {
			return at // the line before
		}
		return at + 1
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", start(from, to-from), to-from, start(from+h.shift, extra+len(h.new)),
		extra+len(h.new))
	put := func(sign byte, lines []string) {
		for _, l := range lines {
			b.WriteByte(sign)
			b.WriteString(l)
			if !strings.HasSuffix(l, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	put(' ', file[from:h.at])
	put('-', h.old)
	put('+', h.new)
	put(' ', file[h.at+len(h.old):to])
}

// splitLines returns the lines of a text with their line ends.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
