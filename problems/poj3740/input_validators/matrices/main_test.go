package main

import (
	"strings"
	"testing"
)

const good = "2 3\n1 0 1\n0 1 0\n"

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one matrix", good, ""},
		{"several matrices", good + "1 1\n0\n" + good, ""},
		{"16 rows of 300 columns", "16 300\n" + strings.Repeat(strings.Repeat("1 ", 299)+"0\n", 16), ""},
		{"200 matrices", strings.Repeat("1 1\n0\n", 200), ""},
		{"120000 entries", strings.Repeat("2 300\n"+strings.Repeat(strings.Repeat("1 ", 299)+"0\n", 2), 200), ""},

		{"201 matrices", strings.Repeat("1 1\n0\n", 201), "line 401, column 1: matrix number 201, want at most 200"},
		{"more than 120000 entries", strings.Repeat("16 300\n"+strings.Repeat(strings.Repeat("1 ", 299)+"0\n", 16), 26), "line 426, column 1: 124800 entries so far, want at most 120000"},
		{"17 rows", "17 1\n" + strings.Repeat("1\n", 17), "line 1, column 1: 17, want the number of rows, 1 to 16"},
		{"301 columns", "1 301\n", "line 1, column 3: 301, want the number of columns, 1 to 300"},
		{"no rows", "0 3\n", "line 1, column 1: 0, want the number of rows"},
		{"no columns", "1 0\n\n", "line 1, column 3: 0, want the number of columns"},
		{"an entry 2", "1 2\n0 2\n", "line 2, column 3: 2, want an entry, 0 to 1"},
		{"an entry 01", "1 2\n0 01\n", "line 2, column 3: a leading zero, want an entry"},
		{"two spaces", "1 2\n0  1\n", "line 2, column 3: ' ', want an entry"},
		{"a short row", "1 2\n0\n", "line 2, column 2: the end of the line, want a space"},
		{"a long row", "1 2\n0 1 0\n", "line 2, column 4: ' ', want the end of the line"},
		{"a row is missing", "2 1\n0\n", "line 3, column 1: the end of the file, want an entry"},
		{"zeros end nothing", good + "0 0\n", "line 4, column 1: 0, want the number of rows"},
		{"nothing", "", "line 1, column 1: the end of the file, want the number of rows, 1 to 16"},
		{"an empty line first", "\n" + good, "line 1, column 1: the end of the line, want the number of rows"},
		{"no newline at the end", strings.TrimSuffix(good, "\n"), "the end of the file, want the end of the line"},
		{"carriage returns", strings.ReplaceAll(good, "\n", "\r\n"), "line 1, column 4: '\\r', want the end of the line"},
		{"a byte order mark", "\ufeff" + good, "line 1, column 1: byte 0xef, want the number of rows"},
		{"a space first", " " + good, "line 1, column 1: ' ', want the number of rows"},
		{"a space at the end of a line", strings.Replace(good, "\n", " \n", 1), "line 1, column 4: ' ', want the end of the line"},
		{"a leading zero", "0" + good, "line 1, column 1: a leading zero, want the number of rows"},
		{"a sign", "+" + good, "line 1, column 1: '+', want the number of rows"},
		{"a number that no word holds", "99999999999999999999" + good, "line 1, column 1: 9"},
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
