package main

import (
	"strconv"
	"strings"
	"testing"
)

const good = "2 3\n2 3 1\n1 2\n"

// hundred is a row of all of 100 columns.
var hundred = func() string {
	text := "100"
	for c := 1; c <= 100; c++ {
		text += " " + strconv.Itoa(c)
	}
	return text + "\n"
}()

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one matrix", good, ""},
		{"several matrices", good + "1 1\n1 1\n" + good, ""},
		{"equal rows", "2 3\n2 3 1\n2 1 3\n", ""},
		{"1000 rows and columns", "1000 1000\n" + strings.Repeat("1 1000\n", 1000), ""},
		{"100 matrices", strings.Repeat("1 1\n1 1\n", 100), ""},
		{"100000 ones", "1000 100\n" + strings.Repeat(hundred, 1000), ""},

		{"101 matrices", strings.Repeat("1 1\n1 1\n", 101), "line 201, column 1: matrix number 101, want at most 100"},
		{"100001 ones", "1000 100\n" + strings.Repeat(hundred, 1000) + "1 1\n1 1\n", "line 1003, column 1: 100001 ones so far, want at most 100000"},
		{"1001 rows", "1001 1\n", "line 1, column 1: 1001, want the number of rows, 1 to 1000"},
		{"1001 columns", "1 1001\n", "line 1, column 3: 1001, want the number of columns, 1 to 1000"},
		{"no rows", "0 3\n", "line 1, column 1: 0, want the number of rows"},
		{"no columns", "1 0\n", "line 1, column 3: 0, want the number of columns"},
		{"a row without a one", "1 3\n0\n", "line 2, column 1: 0, want the number of ones, 1 to 3"},
		{"101 ones in a row", "1 200\n101 1\n", "line 2, column 1: 101, want the number of ones, 1 to 100"},
		{"more ones than columns", "1 3\n4 1 2 3 3\n", "line 2, column 1: 4, want the number of ones, 1 to 3"},
		{"column 0", "1 3\n1 0\n", "line 2, column 3: 0, want a column, 1 to 3"},
		{"column 4 of 3", "1 3\n1 4\n", "line 2, column 3: 4, want a column, 1 to 3"},
		{"a column twice", "1 3\n3 2 1 2\n", "line 2, column 7: column 2 a second time"},
		{"two spaces", "1 3\n2 1  2\n", "line 2, column 5: ' ', want a column"},
		{"a short row", "1 3\n2 1\n", "line 2, column 4: the end of the line, want a space"},
		{"a long row", "1 3\n2 1 2 3\n", "line 2, column 6: ' ', want the end of the line"},
		{"a row is missing", "2 1\n1 1\n", "line 3, column 1: the end of the file, want the number of ones"},
		{"zeros end nothing", good + "0 0\n", "line 4, column 1: 0, want the number of rows"},
		{"nothing", "", "line 1, column 1: the end of the file, want the number of rows, 1 to 1000"},
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
