package main

import (
	"strings"
	"testing"
)

const good = "1\n3 2 2\n0 0 2 2\n2 0 3 2\n"

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        string // of the message; "" means valid
	}{
		{"one map", good, ""},
		{"two maps", "2\n" + good[2:] + "1 1 1\n0 0 1 1\n", ""},
		{"equal rectangles", "1\n3 2 2\n0 0 2 2\n0 0 2 2\n", ""},
		{"30 by 30 and 500 rectangles", "1\n30 30 500\n" + strings.Repeat("0 0 30 30\n", 500), ""},
		{"50 maps", "50\n" + strings.Repeat("1 1 1\n0 0 1 1\n", 50), ""},
		{"5000 rectangles", "10\n" + strings.Repeat("2 1 500\n"+strings.Repeat("0 0 2 1\n", 500), 10), ""},

		{"51 maps", "51\n", "line 1, column 1: 51, want the number of maps, 1 to 50"},
		{"5001 rectangles", "11\n" + strings.Repeat("2 1 500\n"+strings.Repeat("0 0 2 1\n", 500), 10) + "1 1 1\n0 0 1 1\n", "line 5012, column 1: 5001 rectangles so far, want at most 5000"},
		{"no maps", "0\n", "line 1, column 1: 0, want the number of maps"},
		{"width 31", "1\n31 2 1\n", "line 2, column 1: 31, want the width, 1 to 30"},
		{"height 31", "1\n2 31 1\n", "line 2, column 3: 31, want the height, 1 to 30"},
		{"501 rectangles", "1\n2 2 501\n", "line 2, column 5: 501, want the number of rectangles, 1 to 500"},
		{"no rectangles", "1\n2 2 0\n", "line 2, column 5: 0, want the number of rectangles"},
		{"x1 at the border", "1\n2 3 1\n2 0 2 1\n", "line 3, column 1: 2, want x1, 0 to 1"},
		{"y1 at the border", "1\n2 3 1\n0 3 1 3\n", "line 3, column 3: 3, want y1, 0 to 2"},
		{"x2 beyond", "1\n2 3 1\n0 0 3 1\n", "line 3, column 5: 3, want x2, 1 to 2"},
		{"y2 beyond", "1\n2 3 1\n0 0 1 4\n", "line 3, column 7: 4, want y2, 1 to 3"},
		{"no width", "1\n2 3 1\n1 0 1 1\n", "line 3, column 5: 1, want x2, 2 to 2"},
		{"no height", "1\n2 3 1\n0 1 1 1\n", "line 3, column 7: 1, want y2, 2 to 3"},
		{"a number is missing", "1\n2 3 1\n0 1 1\n", "line 3, column 6: the end of the line, want a space"},
		{"a number too many", "1\n2 3 1\n0 1 1 2 2\n", "line 3, column 8: ' ', want the end of the line"},
		{"a rectangle is missing", "1\n2 3 2\n0 0 1 1\n", "line 4, column 1: the end of the file, want x1"},
		{"a map is missing", "2\n1 1 1\n0 0 1 1\n", "line 4, column 1: the end of the file, want the width"},
		{"a map too many", good + "1 1 1\n0 0 1 1\n", "line 5, column 1: '1', want the end of the file after the last map"},
		{"an empty line at the end", good + "\n", "line 5, column 1: the end of the line, want the end of the file"},
		{"nothing", "", "line 1, column 1: the end of the file, want the number of maps, 1 to 50"},
		{"an empty line first", "\n" + good, "line 1, column 1: the end of the line, want the number of maps"},
		{"no newline at the end", strings.TrimSuffix(good, "\n"), "the end of the file, want the end of the line"},
		{"carriage returns", strings.ReplaceAll(good, "\n", "\r\n"), "line 1, column 2: '\\r', want the end of the line"},
		{"a byte order mark", "\ufeff" + good, "line 1, column 1: byte 0xef, want the number of maps"},
		{"a space first", " " + good, "line 1, column 1: ' ', want the number of maps"},
		{"a space at the end of a line", strings.Replace(good, "\n", " \n", 1), "line 1, column 2: ' ', want the end of the line"},
		{"a leading zero", "0" + good, "line 1, column 1: a leading zero, want the number of maps"},
		{"a sign", "+" + good, "line 1, column 1: '+', want the number of maps"},
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
