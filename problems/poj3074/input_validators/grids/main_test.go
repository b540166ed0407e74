package main

import (
	"strings"
	"testing"
)

const (
	one  = "1.....23.84.5.27.9.3..9.6...72..359.36.....2.5....4.76..3426...6.....98....9...63\n"
	full = "159647238846532719237198645472863591361759824598214376983426157614375982725981463\n"
	// Many guesses.
	hard = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....\n"
	// Peter Norvig, "Solving Every Sudoku Puzzle": the first has no solution, the
	// second 13. Guessing in the tightest cell takes half a minute and four seconds.
	norvig0  = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n"
	norvig13 = ".....6....59.....82....8....45........3........6..3.54...325..6..................\n"
)

func edit(s string, column int, c byte) string {
	return s[:column-1] + string(c) + s[column:]
}

func TestCheck(t *testing.T) {
	blank := strings.Repeat(".", 81) + "\n"
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one puzzle", one + "end\n", ""},
		{"several puzzles", one + hard + one + "end\n", ""},
		{"a full grid is a puzzle", full + "end\n", ""},
		{"2000 puzzles", strings.Repeat(full, 2000) + "end\n", ""},

		{"2001 puzzles", strings.Repeat(full, 2001) + "end\n", "line 2001, column 1: puzzle number 2001"},
		{"no puzzle", "end\n", "line 1, column 1: end before"},
		{"nothing", "", "line 1, column 1: end of file"},
		{"no end", one, "line 2, column 1: end of file"},
		{"no newline after end", one + "end", "line 2, column 4: end of file, want a newline"},
		{"no newline after a puzzle", one[:81], "line 1, column 82: end of file, want a newline"},
		{"text after end", one + "end\n" + one, "line 3, column 1: '1' after end"},
		{"empty line after end", one + "end\n\n", `line 3, column 1: '\n' after end`},
		{"empty line", one + "\nend\n", "line 2, column 1: the line ends after 0"},
		{"carriage return after a puzzle", one[:81] + "\r\nend\n", `line 1, column 82: '\r', want the line end`},
		{"carriage return after end", one + "end\r\n", "line 2, column 1: 'e', want a digit"},
		{"space after a puzzle", one[:81] + " \nend\n", "line 1, column 82: ' '"},
		{"space after end", one + "end \n", "line 2, column 1: 'e'"},
		{"END", one + "END\n", "line 2, column 1: 'E'"},
		{"80 characters", one[1:] + "end\n", "line 1, column 81: the line ends after 80 characters, want 81"},
		{"82 characters", "." + one + "end\n", "line 1, column 82: '3', want the line end"},
		{"an endless line", strings.Repeat(".", 1<<20), "line 1, column 82: '.'"},
		{"0 for a blank", edit(one, 2, '0') + "end\n", "line 1, column 2: '0', want a digit"},
		{"a letter", edit(one, 7, 'x') + "end\n", "line 1, column 7: 'x'"},
		{"a zero byte", edit(one, 7, 0) + "end\n", `line 1, column 7: '\x00'`},
		{"a byte order mark", "\ufeff" + one + "end\n", "line 1, column 1: byte 0xef"},
		{"a digit twice in a row", edit(one, 6, '1') + "end\n", "line 1, column 6: a second 1 in this row"},
		{"a digit twice in a column", edit(one, 55, '1') + "end\n", "line 1, column 55: a second 1 in this column"},
		{"a digit twice in a box", edit(one, 12, '1') + "end\n", "line 1, column 12: a second 1 in this box"},
		{"no solution", edit(one, 2, '9') + "end\n", "line 1, column 1: no solution"},
		{"no digit", blank + "end\n", "several solutions"},
		{"no solution, hard to see", norvig0 + "end\n", "line 1, column 1: no solution"},
		{"13 solutions, hard to find", norvig13 + "end\n", "several solutions"},
		// Rows 1 and 2 can exchange 7 and 2 in columns 6 and 7: two solutions, and
		// the first cell in which they differ is named.
		{"two solutions that differ in four cells",
			edit(edit(edit(edit(full, 6, '.'), 7, '.'), 15, '.'), 16, '.') + "end\n", "line 1, column 6: several solutions"},
		{"a later puzzle is bad too", one + blank + "end\n", "line 2, column"},
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
