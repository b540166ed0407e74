package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/bench"
)

// manyRows is from where on a table of details would hide what stands above it.
const manyRows = 30

// measured writes a measurement: under what conditions it was made, and its
// tables.
func (t Text) measured(b *strings.Builder, p *Problem, machine Machine) {
	m := p.measurement()
	b.WriteString(t.Palette.Bold(Title(p.ID, m.Limits, len(m.Cases))) + "\n")
	for _, line := range conditions(m, machine) {
		b.WriteString(t.Palette.Faint(Clean(line)) + "\n")
	}
	left := 0
	for _, s := range Sheets(p) {
		if s.Detail && !t.Verbose && len(s.Rows) > manyRows {
			left += len(s.Rows)
			continue
		}
		b.WriteByte('\n')
		t.Sheet(b, &s)
	}
	if left > 0 {
		b.WriteString("\n" + t.Palette.Faint(fmt.Sprintf("left out: %s of details, which --verbose shows, and every report in another format", count(left, "row"))) + "\n")
	}
}

// conditions are what numbers depend on: where they were taken, and how.
func conditions(m *bench.Measurement, machine Machine) []string {
	var where, how []string
	for _, part := range []string{machine.CPU, strings.TrimSpace(machine.OS + " " + machine.Kernel)} {
		if part != "" {
			where = append(where, part)
		}
	}
	switch {
	case len(m.Cores) > 0:
		where = append(where, "pinned to processor "+numbers(m.Cores))
	case machine.Pinned:
		where = append(where, "pinned")
	default:
		where = append(where, "not pinned")
	}
	if machine.FixedAddresses {
		where = append(where, "fixed addresses")
	}
	if machine.Protection != "" {
		where = append(where, "sandbox: "+machine.Protection)
	}
	rounds := 0
	for _, trial := range m.Trials {
		rounds = max(rounds, trial.Round+1)
	}
	how = append(how, count(rounds, "round"))
	if m.Confidence > 0 {
		how = append(how, strconv.FormatFloat(100*m.Confidence, 'g', 4, 64)+" % confidence")
	}
	how = append(how, "seed "+strconv.FormatUint(m.Seed, 10))
	if ended := endings[m.Ended]; ended != "" {
		how = append(how, "ended: "+ended)
	}
	return []string{strings.Join(where, ", "), strings.Join(how, ", ")}
}

var endings = map[bench.Ending]string{
	bench.Precise:     "as precise as asked",
	bench.OutOfBudget: "out of budget",
	bench.NoRivals:    "nothing is left to compare",
	bench.Interrupted: "interrupted",
}

func numbers(all []int) string {
	var words []string
	for _, n := range all {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ", ")
}

// Sheet writes one table, its columns aligned.
func (t Text) Sheet(b *strings.Builder, s *Sheet) {
	if s.Title != "" {
		b.WriteString(t.Palette.Bold(Clean(s.Title)) + "\n")
	}
	for _, line := range s.Picture {
		if len(line) > 0 {
			b.WriteString("  ")
		}
		for _, piece := range line {
			b.WriteString(t.Palette.Mark(piece.Mark, Clean(piece.Text)))
		}
		b.WriteByte('\n')
	}
	if len(s.Rows) > 0 {
		for _, part := range t.parts(s) {
			t.rows(b, &part)
		}
	}
	for _, note := range s.Notes {
		t.note(b, Clean(note))
	}
}

// note writes a note, on a terminal in lines that break between words.
func (t Text) note(b *strings.Builder, note string) {
	line := "  "
	for word := range strings.SplitSeq(note, " ") {
		switch {
		case strings.TrimSpace(line) == "":
			line += word
		case t.Columns > 0 && Width(line)+1+Width(word) > t.Columns:
			b.WriteString(line + "\n")
			line = "    " + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}

// leastBeside is how many columns must be left beside a table's names for it to
// be told in parts.
const leastBeside = 20

// parts divides a table that is wider than the terminal by its columns. Each
// part has the names that the table begins with, and the rows that say something
// in it.
func (t Text) parts(s *Sheet) []Sheet {
	widths, names, beside := widthsOf(s), 0, t.Columns
	for names < len(widths) && !s.Columns[names].Number {
		beside -= 2 + widths[names]
		names++
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

// widthsOf are how many columns of the terminal each column takes.
func widthsOf(s *Sheet) []int {
	widths := make([]int, len(s.Columns))
	for i, c := range s.Columns {
		widths[i] = Width(Clean(c.Name))
		for _, row := range s.Rows {
			if i < len(row) {
				// A longer text pushes its own row aside, not all others.
				if w := Width(Clean(row[i].Text)); w <= mostName {
					widths[i] = max(widths[i], w)
				}
			}
		}
	}
	return widths
}

// rows writes headings and rows.
func (t Text) rows(b *strings.Builder, s *Sheet) {
	widths := widthsOf(s)
	set := func(i int, text string) string {
		if s.Columns[i].Number {
			return padLeft(text, widths[i])
		}
		return pad(text, widths[i])
	}
	line := func(cells []string, paint func(i int, s string) string) {
		last := len(cells) - 1
		for last >= 0 && strings.TrimSpace(cells[last]) == "" {
			last--
		}
		for i, cell := range cells[:last+1] {
			text := set(i, cell)
			if i == last {
				text = strings.TrimRight(text, " ")
			}
			inner := strings.Trim(text, " ") // spaces keep no colour
			if at := strings.Index(text, inner); inner != "" {
				text = text[:at] + paint(i, inner) + text[at+len(inner):]
			}
			b.WriteString("  " + text)
		}
		b.WriteByte('\n')
	}
	var headings []string
	for _, c := range s.Columns {
		headings = append(headings, Clean(c.Name))
	}
	line(headings, func(_ int, s string) string { return t.Palette.Faint(s) })
	above := ""
	for n, row := range s.Rows {
		cells := make([]string, min(len(row), len(s.Columns)))
		for i := range cells {
			cells[i] = Clean(row[i].Text)
		}
		if s.Grouped && len(cells) > 0 {
			if first := cells[0]; n > 0 && first == above {
				cells[0] = ""
			} else {
				above = first
			}
		}
		line(cells, func(i int, s string) string { return t.Palette.Mark(row[i].Mark, s) })
	}
}

// shown writes measured seconds with three digits: "41.2 ms", "1.23 s", "830 µs".
func shown(seconds float64) string {
	v, unit := seconds, "s"
	switch {
	case seconds <= 0:
		return "0 ms"
	case seconds < 0.9995e-3:
		v, unit = seconds*1e6, "µs"
	case seconds < 0.9995:
		v, unit = seconds*1e3, "ms"
	}
	switch {
	case v >= 99.95:
		return fmt.Sprintf("%.0f %s", v, unit)
	case v >= 9.995:
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.2f %s", v, unit)
}

// share writes a fraction as percents, two digits of them: "1.2 %", "35 %".
func share(x float64) string {
	switch p := 100 * x; {
	case p >= 9.95:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.095:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.2g %%", p)
	}
}
