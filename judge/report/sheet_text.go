package report

import (
	"fmt"
	"strings"

	"crucible/judge/record"
	"crucible/judge/terminal"
)

// measured writes the conditions and the tables of a measurement.
func (t Text) measured(b *strings.Builder, p *record.Problem, part *Part, machine record.Machine) {
	b.WriteString(t.Palette.Bold(terminal.Clean(p.ID)+"  "+part.Bounds) + "\n")
	for _, line := range []string{place(machine), part.Conditions} {
		for i, part := range t.wrap(terminal.Clean(line), 2) {
			b.WriteString(strings.Repeat("  ", min(i, 1)) + t.Palette.Faint(part) + "\n")
		}
	}
	t.sheets(b, part.sheets(p))
}

// sheets writes tables, and what the reader must know about those that are shortened
// or left out.
func (t Text) sheets(b *strings.Builder, all []Sheet) {
	left, shortened := 0, false
	for _, s := range all {
		if s.Long() && !t.Verbose {
			left += len(s.Rows)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		shortened = t.Sheet(b, &s) || shortened
	}
	if shortened {
		b.WriteString("\n" + t.Palette.Faint("…: names are shortened to fit the terminal; --verbose shows them in full") +
			"\n")
	}
	if left > 0 {
		b.WriteString("\n" + t.Palette.Faint(fmt.Sprintf("left out: %s of details; --verbose and all other formats show them",
			terminal.Count(left, "row"))) + "\n")
	}
}

// Sheet writes one table with aligned columns and its notes. It reports
// whether it shortened names to fit the terminal.
func (t Text) Sheet(b *strings.Builder, s *Sheet) (shortened bool) {
	if s.Title != "" {
		b.WriteString(t.Palette.Bold(terminal.Clean(s.Title)) + "\n")
	}
	if len(s.Rows) > 0 {
		shortened = t.table(b, s)
	}
	for _, note := range s.Notes {
		t.note(b, terminal.Clean(note))
	}
	return shortened
}

// note writes a note, wrapped between words on a terminal.
func (t Text) note(b *strings.Builder, note string) {
	b.WriteString("  " + strings.Join(t.wrap(note, 4), "\n    ") + "\n")
}

// rows writes the headings and rows of a table.
func (t Text) rows(b *strings.Builder, s *Sheet) {
	widths := widthsOf(s)
	var headings []string
	for _, c := range s.Columns {
		headings = append(headings, terminal.Clean(c.Name))
	}
	t.row(b, s, widths, headings, func(_ int, s string) string { return t.Palette.Faint(s) })
	above := ""
	for n, row := range s.Rows {
		cells := make([]string, min(len(row), len(s.Columns)))
		for i := range cells {
			cells[i] = terminal.Clean(row[i].Text)
		}
		if s.Grouped && len(cells) > 0 {
			if first := cells[0]; n > 0 && first == above {
				cells[0] = ""
			} else {
				above = first
			}
		}
		t.row(b, s, widths, cells, func(i int, s string) string { return t.Palette.Mark(row[i].Mark, s) })
	}
}

// row writes cleaned cells in columns of these widths, without trailing spaces. A long
// text in the last column wraps within its column. paint colours a cell.
func (t Text) row(b *strings.Builder, s *Sheet, widths []int, cells []string,
	paint func(i int, s string) string) {
	last := len(cells) - 1
	for last >= 0 && strings.TrimSpace(cells[last]) == "" {
		last--
	}
	at := 0
	for i, cell := range cells[:last+1] {
		text := terminal.Pad(cell, widths[i])
		if s.Columns[i].Number {
			text = terminal.PadLeft(cell, widths[i])
		}
		if i == last {
			text = strings.TrimRight(text, " ")
			if room := t.Columns - at - 2; t.Columns > 0 && !s.Columns[i].Number && terminal.Width(text) > room &&
				room >= leastProse {
				lines := wrapped(text, room)
				for _, one := range lines[:len(lines)-1] {
					b.WriteString("  " + paint(i, one) + "\n" + strings.Repeat(" ", at))
				}
				text = lines[len(lines)-1]
			}
		}
		at += 2 + terminal.Width(text)
		inner := strings.Trim(text, " ") // spaces are not coloured
		if before, after, found := strings.Cut(text, inner); found && inner != "" {
			text = before + paint(i, inner) + after
		}
		b.WriteString("  " + text)
	}
	b.WriteByte('\n')
}
