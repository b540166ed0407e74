package main

import (
	"strings"
	"testing"
)

const (
	one = "" +
		"1 ? ? ? ? ? 2 3 ?\n" +
		"8 4 ? 5 ? 2 7 ? 9\n" +
		"? 3 ? ? 9 ? 6 ? ?\n" +
		"? 7 2 ? ? 3 5 9 ?\n" +
		"3 6 ? ? ? ? ? 2 ?\n" +
		"5 ? ? ? ? 4 ? 7 6\n" +
		"? ? 3 4 2 6 ? ? ?\n" +
		"6 ? ? ? ? ? 9 8 ?\n" +
		"? ? ? 9 ? ? ? 6 3\n"
	full = "" +
		"1 5 9 6 4 7 2 3 8\n" +
		"8 4 6 5 3 2 7 1 9\n" +
		"2 3 7 1 9 8 6 4 5\n" +
		"4 7 2 8 6 3 5 9 1\n" +
		"3 6 1 7 5 9 8 2 4\n" +
		"5 9 8 2 1 4 3 7 6\n" +
		"9 8 3 4 2 6 1 5 7\n" +
		"6 1 4 3 7 5 9 8 2\n" +
		"7 2 5 9 8 1 4 6 3\n"
)

// edit replaces the character of a cell of a grid, row and column from 1.
func edit(grid string, row, column int, c string) string {
	i := 18*(row-1) + 2*(column-1)
	return grid[:i] + c + grid[i+1:]
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one grid", one, ""},
		{"several grids", one + "\n" + full + "\n" + one, ""},
		{"a full grid is one", full, ""},
		{"200 grids", full + strings.Repeat("\n"+full, 199), ""},

		{"201 grids", full + strings.Repeat("\n"+full, 200), "line 2001, column 1: grid number 201, want at most 200"},
		{"nothing", "", "line 1, column 1: end of file, want a row"},
		{"an empty first line", "\n" + one, "line 1, column 1: the line ends after 0 characters, want 17"},
		{"a line missing", one[:144], "line 9, column 1: end of file, want a row"},
		{"a line missing before the next grid", one[:144] + "\n" + one, "line 9, column 1: the line ends after 0"},
		{"no line between grids", one + one, "line 10, column 1: '1', want the line end after 0 characters"},
		{"two lines between grids", one + "\n\n" + one, "line 11, column 1: the line ends after 0"},
		{"a space between grids", one + " \n" + one, "line 10, column 1: ' ', want the line end"},
		{"an empty line at the end", one + "\n", "line 10, column 1: an empty line behind the last grid"},
		{"no newline at the end", one[:161], "line 9, column 18: end of file, want a newline"},
		{"a number first", "1\n" + one, "line 1, column 2: the line ends after 1"},
		{"eight cells", one[2:], "line 1, column 16: the line ends after 15 characters, want 17"},
		{"ten cells", "? " + one, "line 1, column 18: ' ', want the line end after 17"},
		{"an endless line", strings.Repeat("? ", 1<<20), "line 1, column 18: ' ', want the line end"},
		{"a space behind a row", one[:17] + " " + one[17:], "line 1, column 18: ' '"},
		{"a space before a row", " " + one, "line 1, column 1: ' ', want a digit"},
		{"two spaces", one[:1] + " " + one[1:], "line 1, column 3: ' ', want a digit"},
		{"no spaces", strings.ReplaceAll(one, " ", ""), "line 1, column 2: '?', want a space"},
		{"a tab", one[:1] + "\t" + one[2:], `line 1, column 2: '\t', want a space`},
		{"a carriage return", one[:17] + "\r" + one[17:], `line 1, column 18: '\r'`},
		{"0 for a blank", edit(one, 3, 1, "0"), "line 3, column 1: '0', want a digit 1 to 9, or '?' for a blank"},
		{"a letter", edit(one, 9, 9, "x"), "line 9, column 17: 'x'"},
		{"a zero byte", edit(one, 1, 2, "\x00"), `line 1, column 3: '\x00'`},
		{"a byte order mark", "\ufeff" + one, "line 1, column 1: byte 0xef"},
		{"a digit twice in a row", edit(one, 1, 6, "1"), "line 1, column 11: a second 1 in this row"},
		{"a digit twice in a column", edit(one, 7, 1, "1"), "line 7, column 1: a second 1 in this column"},
		{"a digit twice in a box", edit(one, 3, 3, "1"), "line 3, column 5: a second 1 in this box"},
		{"no solution", edit(one, 1, 2, "9"), "line 1, column 1: no solution"},
		// Rows 1 and 2 can exchange 7 and 2 in columns 6 and 7: two solutions, and
		// the first cell in which they differ is named.
		{"two solutions that differ in four cells",
			edit(edit(edit(edit(full, 1, 6, "?"), 1, 7, "?"), 2, 6, "?"), 2, 7, "?"), "line 1, column 11: several solutions"},
		{"a later grid is bad too", one + "\n" + edit(one, 1, 2, "9"), "line 11, column 1: no solution"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := check(strings.NewReader(test.input))
			switch {
			case test.want == "" && err != nil:
				t.Errorf("check: %v, want no defect", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("check: %v, want %q", err, test.want)
			}
		})
	}
}
