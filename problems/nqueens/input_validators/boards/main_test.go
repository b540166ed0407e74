package main

import (
	"strings"
	"testing"
)

const four = "4\n....\n.Q..\n...#\n....\n"

func TestCheck(t *testing.T) {
	blocked := func(n int) string {
		return strings.Repeat(strings.Repeat("#", n)+"\n", n)
	}
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one board", "1\n" + four, ""},
		{"several boards", "2\n" + four + "1\nQ\n", ""},
		{"20 boards", "20\n" + strings.Repeat(four, 20), ""},
		{"a board of 24", "1\n24\n" + blocked(24), ""},
		{"no free square", "1\n1\n#\n", ""},

		{"nothing", "", "line 1, column 1: end of file, want the number of boards"},
		{"no board", "0\n", "line 1, column 1: the number of boards is 0, want at least 1"},
		{"21 boards", "21\n" + strings.Repeat(four, 21), "line 1, column 1: the number of boards is more than 20"},
		{"a huge number", strings.Repeat("9", 1<<20), "line 1, column 1: the number of boards is more than 20"},
		{"leading zero", "01\n" + four, "line 1, column 1: the number of boards begins with 0"},
		{"zeros without end", strings.Repeat("0", 1<<20), "line 1, column 1: the number of boards begins with 0"},
		{"sign", "+1\n" + four, "line 1, column 1: '+', want the number of boards from 1 to 20"},
		{"space after the number", "1 \n" + four, "line 1, column 2: ' ' after the number of boards"},
		{"byte order mark", "\ufeff1\n" + four, "line 1, column 1: byte 0xef"},
		{"carriage return", "1\r\n" + four, `line 1, column 2: '\r'`},
		{"empty line", "1\n\n" + four, "line 2, column 1: the line ends, want the size of a board"},
		{"size 0", "1\n0\n", "line 2, column 1: the size of a board is 0"},
		{"size 25", "1\n25\n" + blocked(25), "line 2, column 1: the size of a board is more than 24"},
		{"fewer boards", "2\n" + four, "line 7, column 1: end of file, want the size of a board"},
		{"more boards", "1\n" + four + four, "line 7, column 1: '4' after the last board"},
		{"empty line at the end", "1\n" + four + "\n", `line 7, column 1: '\n' after the last board`},
		{"no newline at the end", "1\n" + four[:len(four)-1], "line 6, column 5: end of file, want a newline"},
		{"row missing", "1\n4\n....\n....\n....\n", "line 6, column 1: end of file, want row 4 of 4"},
		{"short row", "1\n4\n...\n....\n....\n....\n", "line 3, column 4: the line ends after 3 characters, want 4"},
		{"long row", "1\n4\n.....\n....\n....\n....\n", "line 3, column 5: '.', want the line end after 4 characters"},
		{"row without end", "1\n24\n" + strings.Repeat("#", 1<<20), "line 3, column 25: '#', want the line end"},
		{"small letter", "1\n4\n....\n..q.\n....\n....\n", "line 4, column 3: 'q', want a dot, Q or #"},
		{"zero byte", "1\n1\n\x00\n", `line 3, column 1: '\x00'`},
		{"row", "1\n4\nQ..Q\n....\n....\n....\n", "line 3, column 4: a queen that is attacked from row 1, column 1"},
		{"column", "1\n4\n..Q.\n....\n....\n..Q.\n", "line 6, column 3: a queen that is attacked from row 1, column 3"},
		{"diagonals", "1\n4\n...Q\n....\n.Q..\n....\n", "line 5, column 2: a queen that is attacked from row 1, column 4"},
		{"many completions", "1\n13\n" + strings.Repeat(strings.Repeat(".", 13)+"\n", 13), "line 2, column 1: a board with more than 20000 completions"},
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

// The numbers of placements are in the On-Line Encyclopedia of Integer
// Sequences, A000170.
func TestCompletions(t *testing.T) {
	for i, want := range []int{1, 0, 0, 2, 10, 4, 40, 92, 352, 724} {
		b := board{n: i + 1}
		if got := b.completions(1000); got != want {
			t.Errorf("completions of the empty board of %d = %d, want %d", i+1, got, want)
		}
	}
	b := board{n: 8}
	b.put(0, 0)
	if got := b.completions(1000); got != 4 {
		t.Errorf("completions with a queen in the corner = %d, want 4", got)
	}
	if got := b.completions(3); got != 3 {
		t.Errorf("completions(3) = %d, want 3", got)
	}
}
