package terminal

import "strings"

// A Cell is a text and its colour. The text may be of unknown origin.
type Cell struct {
	Text   string
	Colour Colour
}

// A Table is rows of cells in columns that are as wide as their widest cell. A
// row may have fewer cells than others.
type Table struct {
	Rows  [][]Cell
	Right []int // columns that are aligned at their right, as numbers are
	Most  int   // columns of the terminal that a cell may take; 0 is no bound
	Plain bool  // without colours
}

// Add adds a row of cells without colours.
func (t *Table) Add(texts ...string) {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	t.Rows = append(t.Rows, row)
}

// String returns the lines of the table, without spaces at their ends.
func (t *Table) String() string {
	var widths []int
	clean := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		for j, cell := range row {
			text := Clean(cell.Text)
			if t.Most > 0 {
				text = Clip(text, t.Most)
			}
			clean[i] = append(clean[i], text)
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], Width(text))
		}
	}
	right := make(map[int]bool)
	for _, j := range t.Right {
		right[j] = true
	}
	var b strings.Builder
	for i, row := range t.Rows {
		gap := 0 // written only if something follows
		for j, text := range clean[i] {
			room := widths[j] - Width(text)
			if right[j] {
				gap, room = gap+room, 0
			}
			if text != "" {
				b.WriteString(strings.Repeat(" ", gap))
				if !t.Plain {
					text = row[j].Colour.Paint(text)
				}
				b.WriteString(text)
				gap = 0
			}
			gap += room + 2
		}
		b.WriteByte('\n')
	}
	return b.String()
}
