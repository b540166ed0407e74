package report

import (
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/terminal"
)

// This file makes a table fit a terminal. It shortens names, as little as possible
// for the smallest number of lines. Columns that still do not fit continue below,
// beside the names again. A long text in the last column wraps within its column.

const (
	leastName   = 20 // minimum columns of a shortened name
	leastBeside = 20 // minimum columns beside the names for a table that continues below
	leastProse  = 24 // minimum columns for a text that wraps
)

// table writes headings and rows, and reports whether names were shortened.
func (t Text) table(b *strings.Builder, s *Sheet) (shortened bool) {
	text := t.set(s)
	if t.Columns > 0 && !t.Verbose {
		bare := Text{Columns: t.Columns}
		longest, fewest := longestName(s), bare.height(s)
		if longest > mostName {
			fewest++ // a name wider than its column is worth shortening even for the same height
		}
		for most := min(longest-1, mostName); most >= leastName; most-- {
			one, distinct := shortNames(s, most)
			if !distinct {
				continue
			}
			if n := bare.height(one); n < fewest {
				fewest, text, shortened = n, t.set(one), true
			}
		}
	}
	b.WriteString(text)
	return shortened
}

// set returns the text of a table, in as many parts as it needs.
func (t Text) set(s *Sheet) string {
	var b strings.Builder
	for _, part := range t.parts(s) {
		t.rows(&b, &part)
	}
	return b.String()
}

// height returns the number of lines of a table. A line that is wider than the
// terminal counts as many lines.
func (t Text) height(s *Sheet) (lines int) {
	const broken = 1000
	for line := range strings.Lines(t.set(s)) {
		if lines++; terminal.Width(strings.TrimSuffix(line, "\n")) > t.Columns {
			lines += broken
		}
	}
	return lines
}

// eachName calls f with every name that may be shortened, and a function that
// replaces it. column is the index of the column of the name, or -1 for names in
// headings. Names with the same number must stay different.
func eachName(s *Sheet, f func(column int, name string, replace func(string))) {
	for i, c := range s.Columns {
		switch {
		case c.Names && c.Number: // headings must differ from each other
			f(-1, terminal.Clean(c.Name), func(short string) { s.Columns[i].Name = short })
		case c.Names:
			for _, row := range s.Rows {
				if i < len(row) {
					f(i, terminal.Clean(row[i].Text), func(short string) { row[i].Text = short })
				}
			}
		}
	}
}

func longestName(s *Sheet) (columns int) {
	eachName(s, func(_ int, name string, _ func(string)) { columns = max(columns, terminal.Width(name)) })
	return columns
}

// shortNames returns a copy of the table with names of at most that many terminal
// columns. It reports false if two different names would be shortened to the same
// text.
func shortNames(s *Sheet, most int) (*Sheet, bool) {
	one := *s
	one.Columns, one.Rows = slices.Clone(s.Columns), slices.Clone(s.Rows)
	for i := range one.Rows {
		one.Rows[i] = slices.Clone(one.Rows[i])
	}
	names, short := make(map[int][]string), make(map[int]map[string]string)
	eachName(&one, func(column int, name string, _ func(string)) { names[column] = append(names[column], name) })
	for column, list := range names {
		if short[column] = terminal.Shorten(list, most); short[column] == nil {
			return nil, false
		}
	}
	eachName(&one, func(column int, name string, replace func(string)) { replace(short[column][name]) })
	return &one, true
}

// identity returns the number of leading columns that identify a row: all up to
// the first column of names, and the columns of names that follow it.
func identity(s *Sheet) int {
	names := func(c Column) bool { return c.Names && !c.Number }
	first := slices.IndexFunc(s.Columns, names)
	if first < 0 {
		return 1
	}
	for first < len(s.Columns) && names(s.Columns[first]) {
		first++
	}
	return first
}

// parts splits a table that is wider than the terminal by columns. Each part
// begins with the columns that identify a row, and leaves out rows without entries
// in its other columns.
func (t Text) parts(s *Sheet) []Sheet {
	widths, names, beside := widthsOf(s), identity(s), t.Columns
	for _, w := range widths[:names] {
		beside -= 2 + w
	}
	if t.Columns <= 0 || beside < leastBeside {
		return []Sheet{*s}
	}
	var parts []Sheet
	for from := names; from < len(widths); {
		to, left := from, beside
		for to < len(widths) && (to == from || left >= 2+widths[to]) {
			left -= 2 + widths[to]
			to++
		}
		part := Sheet{Columns: slices.Concat(s.Columns[:names], s.Columns[from:to]), Grouped: s.Grouped}
		for _, row := range s.Rows {
			if from == names || len(row) > from {
				part.Rows = append(part.Rows, slices.Concat(row[:min(names, len(row))], row[min(from, len(row)):min(to, len(row))]))
			}
		}
		if len(part.Rows) > 0 {
			parts = append(parts, part)
		}
		from = to
	}
	return parts
}

// widthsOf returns the width of each column in terminal columns.
func widthsOf(s *Sheet) []int {
	widths := make([]int, len(s.Columns))
	for i, c := range s.Columns {
		widths[i] = terminal.Width(terminal.Clean(c.Name))
		for _, row := range s.Rows {
			if i < len(row) {
				// A longer text moves the rest of its own row only.
				if w := terminal.Width(terminal.Clean(row[i].Text)); w <= mostName {
					widths[i] = max(widths[i], w)
				}
			}
		}
	}
	return widths
}

// wrap breaks a cleaned text between words into lines that leave that many columns
// of the terminal free. Without a terminal it returns one line.
func (t Text) wrap(text string, free int) []string {
	if t.Columns <= 0 {
		return []string{text}
	}
	return wrapped(text, t.Columns-free)
}

// unit matches a number and its unit, which wrapped keeps on one line.
var unit = lazy.Regexp(`([0-9]) (%|(?:[nµm]?s|[KMG]?i?B|[KMG])\b)`)

// wrapped breaks a cleaned text between words into lines of that many columns. A
// longer word has a line of its own.
func wrapped(text string, columns int) []string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(unit().ReplaceAllString(text, "$1\u00a0$2"), " ") {
		word = strings.ReplaceAll(word, "\u00a0", " ")
		switch {
		case line == "":
			line = word
		case terminal.Width(line)+1+terminal.Width(word) > columns:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
