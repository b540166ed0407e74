package main

import (
	"strings"
	"testing"
)

const one = "2 5\n.....\n.....\n"

func TestCheck(t *testing.T) {
	full := func(h, w int) string {
		return strings.Repeat(strings.Repeat(".", w)+"\n", h)
	}
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one board", "1\n" + one, ""},
		{"20 boards", "20\n" + strings.Repeat(one, 20), ""},
		{"60 free squares", "1\n6 10\n" + full(6, 10), ""},
		{"one free square", "1\n20 20\n" + strings.Repeat(strings.Repeat("#", 20)+"\n", 19) + strings.Repeat("#", 19) + ".\n", ""},
		{"free squares apart", "1\n1 3\n.#.\n", ""},

		{"nothing", "", "line 1, column 1: end of file, want the number of boards"},
		{"no board", "0\n", "line 1, column 1: the number of boards is 0, want at least 1"},
		{"21 boards", "21\n" + strings.Repeat(one, 21), "line 1, column 1: the number of boards is more than 20"},
		{"a huge number", strings.Repeat("9", 1<<20), "line 1, column 1: the number of boards is more than 20"},
		{"leading zero", "01\n" + one, "line 1, column 1: the number of boards begins with 0"},
		{"sign", "-1\n" + one, "line 1, column 1: '-', want the number of boards from 1 to 20"},
		{"two numbers first", "1 2\n" + one, "line 1, column 2: ' ' after the number of boards"},
		{"byte order mark", "\ufeff1\n" + one, "line 1, column 1: byte 0xef"},
		{"carriage return", "1\r\n" + one, `line 1, column 2: '\r'`},
		{"empty line", "1\n\n" + one, "line 2, column 1: the line ends, want the height of a board"},
		{"height 0", "1\n0 5\n", "line 2, column 1: the height of a board is 0"},
		{"height 21", "1\n21 1\n" + full(21, 1), "line 2, column 1: the height of a board is more than 20"},
		{"width 0", "1\n5 0\n", "line 2, column 3: its width is 0"},
		{"width 21", "1\n1 21\n", "line 2, column 3: its width is more than 20"},
		{"no width", "1\n2\n" + full(2, 5), "line 2, column 2: the line ends, want a space and its width"},
		{"two spaces", "1\n2  5\n" + full(2, 5), "line 2, column 3: ' ', want its width from 1 to 20"},
		{"tab", "1\n2\t5\n" + full(2, 5), `line 2, column 2: '\t' after the height of a board, want a space`},
		{"space after", "1\n2 5 \n" + full(2, 5), "line 2, column 4: ' ' after its width, want the line end"},
		{"fewer boards", "2\n" + one, "line 5, column 1: end of file, want the height of a board"},
		{"more boards", "1\n" + one + one, "line 5, column 1: '2' after the last board"},
		{"no newline at the end", "1\n" + one[:len(one)-1], "line 4, column 6: end of file, want a newline"},
		{"row missing", "1\n3 5\n" + full(2, 5), "line 5, column 1: end of file, want row 3 of 3"},
		{"short row", "1\n2 5\n....\n.....\n", "line 3, column 5: the line ends after 4 characters, want 5"},
		{"long row", "1\n2 5\n......\n.....\n", "line 3, column 6: '.', want the line end after 5 characters"},
		{"row without end", "1\n2 5\n" + strings.Repeat("#", 1<<20), "line 3, column 6: '#', want the line end"},
		{"letter", "1\n2 5\n..x..\n.....\n", "line 3, column 3: 'x', want a dot or #"},
		{"no free square", "1\n1 5\n#####\n", "line 2, column 1: a board without a free square"},
		{"61 free squares", "1\n7 9\n" + full(7, 9), "line 9, column 7: free square number 61 of the board"},
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
