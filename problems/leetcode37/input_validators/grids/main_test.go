package main

import (
	"strings"
	"testing"
)

const (
	one = "" +
		"1.....23.\n" +
		"84.5.27.9\n" +
		".3..9.6..\n" +
		".72..359.\n" +
		"36.....2.\n" +
		"5....4.76\n" +
		"..3426...\n" +
		"6.....98.\n" +
		"...9...63\n"
	full = "" +
		"159647238\n" +
		"846532719\n" +
		"237198645\n" +
		"472863591\n" +
		"361759824\n" +
		"598214376\n" +
		"983426157\n" +
		"614375982\n" +
		"725981463\n"
)

// edit replaces the character in a line and column of a grid.
func edit(grid string, line, column int, c string) string {
	i := 10*(line-1) + column - 1
	return grid[:i] + c + grid[i+1:]
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"a grid", one, ""},
		{"a full grid is one", full, ""},

		{"two grids", one + one, "line 10, column 1: '1', want the end of the file"},
		{"two grids with a line between", one + "\n" + one, `line 10, column 1: '\n', want the end`},
		{"nothing", "", "line 1, column 1: end of file, want a row"},
		{"an empty first line", "\n" + one, "line 1, column 1: the line ends after 0 characters, want 9"},
		{"a number first", "1\n" + one, "line 1, column 2: the line ends after 1"},
		{"a line missing", one[:80], "line 9, column 1: end of file, want a row"},
		{"an empty line at the end", one + "\n", `line 10, column 1: '\n', want the end`},
		{"no newline at the end", one[:89], "line 9, column 10: end of file, want a newline"},
		{"eight characters", one[1:], "line 1, column 9: the line ends after 8 characters, want 9"},
		{"ten characters", "." + one, "line 1, column 10: '.', want the line end after 9"},
		{"all on one line", strings.ReplaceAll(one, "\n", "") + "\n", "line 1, column 10: '8', want the line end"},
		{"an endless line", strings.Repeat(".", 1<<20), "line 1, column 10: '.', want the line end"},
		{"a space behind a row", one[:9] + " " + one[9:], "line 1, column 10: ' '"},
		{"a carriage return", one[:9] + "\r" + one[9:], `line 1, column 10: '\r'`},
		{"0 for a blank", edit(one, 3, 1, "0"), "line 3, column 1: '0', want a digit 1 to 9, or '.' for a blank"},
		{"an array of characters", "[[\"1\"," + one, `line 1, column 1: '[', want a digit`},
		{"a letter", edit(one, 9, 9, "x"), "line 9, column 9: 'x'"},
		{"a zero byte", edit(one, 1, 2, "\x00"), `line 1, column 2: '\x00'`},
		{"a byte order mark", "\ufeff" + one, "line 1, column 1: byte 0xef"},
		{"a digit twice in a row", edit(one, 1, 6, "1"), "line 1, column 6: a second 1 in this row"},
		{"a digit twice in a column", edit(one, 7, 1, "1"), "line 7, column 1: a second 1 in this column"},
		{"a digit twice in a box", edit(one, 3, 3, "1"), "line 3, column 3: a second 1 in this box"},
		{"no solution", edit(one, 1, 2, "9"), "line 1, column 1: no solution"},
		// Rows 1 and 2 can exchange 7 and 2 in columns 6 and 7: two solutions, and
		// the first cell in which they differ is named.
		{"two solutions that differ in four cells",
			edit(edit(edit(edit(full, 1, 6, "."), 1, 7, "."), 2, 6, "."), 2, 7, "."), "line 1, column 6: several solutions"},
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
