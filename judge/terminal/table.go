package terminal

import (
	"slices"
	"strings"
)

// A Cell is one entry of a [Table].
type Cell struct {
	Text   string // may be untrusted: the table cleans it
	Colour Colour // of the text
}

// A Table formats rows of cells in columns that are as wide as their widest
// cell. Rows may differ in their number of cells. The zero value is an empty
// table.
type Table struct {
	Rows  [][]Cell // the rows, from top to bottom
	Right []int    // indexes of right-aligned columns, such as those of numbers
	Most  int      // maximum width of a cell in terminal columns; 0 means no limit
	Plain bool     // without colours
}

// Add appends a row of cells without colours.
func (t *Table) Add(texts ...string) {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	t.Rows = append(t.Rows, row)
}

// String returns the table, one line for each row, without trailing spaces.
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
	var b strings.Builder
	for i, row := range t.Rows {
		gap := 0 // pending spaces, written only before a non-empty cell
		for j, text := range clean[i] {
			room := widths[j] - Width(text)
			if slices.Contains(t.Right, j) {
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
