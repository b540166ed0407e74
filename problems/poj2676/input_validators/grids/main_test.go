package main

import (
	"strings"
	"testing"
)

const (
	one = "" +
		"100000230\n" +
		"840502709\n" +
		"030090600\n" +
		"072003590\n" +
		"360000020\n" +
		"500004076\n" +
		"003426000\n" +
		"600000980\n" +
		"000900063\n"
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
	blank = "" +
		"000000000\n000000000\n000000000\n" +
		"000000000\n000000000\n000000000\n" +
		"000000000\n000000000\n000000000\n"
	// Peter Norvig, "Solving Every Sudoku Puzzle": it has 13 solutions. Guessing in
	// the tightest cell takes four seconds to find one, and half an hour for 500.
	norvig13 = "" +
		"000006000\n059000008\n200008000\n" +
		"045000000\n003000000\n006003054\n" +
		"000325006\n000000000\n000000000\n"
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
		{"one grid", "1\n" + one, ""},
		{"several grids", "3\n" + one + full + one, ""},
		{"a full grid is one", "1\n" + full, ""},
		{"no givens are allowed", "1\n" + blank, ""},
		{"two solutions are allowed", "1\n" + edit(edit(edit(edit(full, 1, 6, "0"), 1, 7, "0"), 2, 6, "0"), 2, 7, "0"), ""},
		{"500 grids with few givens", "500\n" + strings.Repeat(norvig13, 500), ""},
		{"500 grids", "500\n" + strings.Repeat(full, 500), ""},

		{"501 grids", "501\n" + strings.Repeat(full, 501), "line 1, column 1: 501 grids, want at most 500"},
		{"a number of four digits", "1000\n", "line 1, column 4: '0', want the line end"},
		{"no grids", "0\n", "line 1, column 1: '0', want a number"},
		{"a leading zero", "01\n" + one, "line 1, column 1: '0', want a number"},
		{"a sign", "+1\n" + one, "line 1, column 1: '+'"},
		{"a fraction", "1.0\n" + one, "line 1, column 2: '.'"},
		{"a space after the number", "1 \n" + one, "line 1, column 2: ' '"},
		{"a carriage return after the number", "1\r\n" + one, `line 1, column 2: '\r'`},
		{"no number", one, "line 1, column 4: '0', want the line end"},
		{"an empty first line", "\n" + one, "line 1, column 1: an empty line"},
		{"nothing", "", "line 1, column 1: end of file, want the number"},
		{"a number alone", "1", "line 1, column 2: end of file, want a newline"},
		{"a grid missing", "2\n" + one, "line 11, column 1: end of file, want a row"},
		{"a line missing", "1\n" + one[:80], "line 10, column 1: end of file, want a row"},
		{"a grid too many", "1\n" + one + one, "line 11, column 1: '1', want the end of the file"},
		{"an empty line at the end", "1\n" + one + "\n", `line 11, column 1: '\n', want the end`},
		{"an empty line between grids", "2\n" + one + "\n" + one, "line 11, column 1: the line ends after 0 characters, want 9"},
		{"no newline at the end", "1\n" + one[:89], "line 10, column 10: end of file, want a newline"},
		{"eight characters", "1\n" + one[1:], "line 2, column 9: the line ends after 8 characters, want 9"},
		{"ten characters", "1\n0" + one, "line 2, column 10: '0', want the line end after 9"},
		{"an endless line", "1\n" + strings.Repeat("0", 1<<20), "line 2, column 10: '0', want the line end"},
		{"a space behind a row", "1\n" + one[:9] + " " + one[9:], "line 2, column 10: ' '"},
		{"spaces between the digits", "1\n" + strings.ReplaceAll(one, "0", "0 "), "line 2, column 3: ' ', want a digit"},
		{"a carriage return", "1\n" + one[:9] + "\r" + one[9:], `line 2, column 10: '\r'`},
		{"a dot for a blank", "1\n" + edit(one, 3, 1, "."), "line 4, column 1: '.', want a digit 1 to 9, or '0' for a blank"},
		{"a letter", "1\n" + edit(one, 9, 9, "x"), "line 10, column 9: 'x'"},
		{"a zero byte", "1\n" + edit(one, 1, 2, "\x00"), `line 2, column 2: '\x00'`},
		{"a byte order mark", "\ufeff1\n" + one, "line 1, column 1: byte 0xef"},
		{"a digit twice in a row", "1\n" + edit(one, 1, 6, "1"), "line 2, column 6: a second 1 in this row"},
		{"a digit twice in a column", "1\n" + edit(one, 7, 1, "1"), "line 8, column 1: a second 1 in this column"},
		{"a digit twice in a box", "1\n" + edit(one, 3, 3, "1"), "line 4, column 3: a second 1 in this box"},
		{"no solution", "1\n" + edit(one, 1, 2, "9"), "line 2, column 1: no solution"},
		{"a later grid is bad too", "2\n" + one + edit(one, 1, 2, "9"), "line 11, column 1: no solution"},
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
