package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// Rows 2 and 4 or rows 1 and 3 cover the first matrix, nothing the second.
const (
	input = "4 3\n1 1\n2 1 2\n2 2 3\n1 3\n2 2\n1 1\n1 1\n"
	right = "2 2 4\nNO\n"
)

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name, answer, output string
		want                 string // what is wrong; "" means right
	}{
		{"the answer", right, right, ""},
		{"the other cover", right, "2 1 3\nNO\n", ""},
		{"rows in another order", right, "2 4 2\nNO\n", ""},
		{"white space does not count", right, "\r\n 2\n2\t4 NO", ""},
		{"capitals do not count", right, "2 2 4\nno\n", ""},

		{"nothing", right, "", "line 1, column 1: the end, want NO or the number of rows for matrix 1, 1 to 4"},
		{"NO for a cover", right, "NO\nNO\n", "line 1, column 1: NO for matrix 1, want an exact cover, which exists"},
		{"a cover for NO that is none", right, "2 2 4\n1 1\n", "line 2, column 1: the rows leave out column 2 of matrix 2"},
		{"a column twice", right, "3 1 2 4\nNO\n", "line 1, column 5: row 2 has column 1 of matrix 1, which row 1 has"},
		{"a row twice", right, "3 2 4 4\nNO\n", "line 1, column 7: row 4 has column 3 of matrix 1, which row 4 has"},
		{"a column left out", right, "1 2\nNO\n", "line 1, column 1: the rows leave out column 3"},
		{"count too small", right, "1 2 4\nNO\n", "leave out column 3"},
		{"count too large", right, "3 2 4\nNO\n", `line 2, column 1: "NO", want a row of matrix 1, 1 to 4`},
		{"no count", right, "2 4\nNO\n", `line 2, column 1: "NO", want a row of matrix 1`},
		{"more rows than there are", right, "5 1 2 3 4 5\nNO\n", `line 1, column 1: "5", want NO or`},
		{"no rows", right, "0\nNO\n", `line 1, column 1: "0", want NO or`},
		{"row 0", right, "2 0 4\nNO\n", `line 1, column 3: "0", want a row of matrix 1, 1 to 4`},
		{"row 5 of 4", right, "2 2 5\nNO\n", `line 1, column 5: "5", want a row`},
		{"a sign", right, "2 +2 4\nNO\n", `line 1, column 3: "+2", want a row`},
		{"a leading zero", right, "2 02 4\nNO\n", `line 1, column 3: "02", want a row`},
		{"a fraction", right, "2 2.0 4\nNO\n", `line 1, column 3: "2.0", want a row`},
		{"a large number", right, "2 18446744073709551618 4\nNO\n", `line 1, column 3: "1844674407370955"..., want a row`},
		{"YES", right, "YES\n2 2 4\nNO\n", `line 1, column 1: "YES", want NO or`},
		{"the second is missing", right, "2 2 4\n", "line 2, column 1: the end, want NO or the number of rows for matrix 2"},
		{"empty lines and no second", right, "2 2 4\n\n\n", "line 4, column 1: the end, want NO or the number of rows for matrix 2"},
		{"one too many", right, "2 2 4\nNO\nNO\n", `line 3, column 1: "NO" after the last matrix`},
		{"an escape", right, "2 2 4\n\x1b[2J\n", `line 2, column 1: "\x1b[2J", want NO or`},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := judge(strings.NewReader(input), strings.NewReader(test.answer), strings.NewReader(test.output))
			var bad *wrong
			switch {
			case test.want == "" && err != nil:
				t.Errorf("judge: %v, want nothing wrong", err)
			case test.want != "" && (!errors.As(err, &bad) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("judge: %v, want %q of the output", err, test.want)
			}
		})
	}
}

// What the answer or the input is to blame for is no verdict on an output.
func TestJudgeError(t *testing.T) {
	for _, test := range []struct {
		name, input, answer, output, want string
	}{
		{"the output has a cover where the answer has NO", input, "NO\nNO\n", right, "matrix 1: the answer is NO, but the output has an exact cover in line 1"},
		{"the answer's cover is none", input, "1 2\nNO\n", right, "answer: line 1, column 1: the rows leave out column 3"},
		{"the answer is empty", input, "", right, "answer: line 1, column 1: the end"},
		{"the answer has too much", input, right + "NO\n", right, `answer: line 3, column 1: "NO" after`},
		{"the input is cut off", input[:5], right, right, "input: line 2, column 2: the end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := judge(strings.NewReader(test.input), strings.NewReader(test.answer), strings.NewReader(test.output))
			var bad *wrong
			if err == nil || errors.As(err, &bad) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("judge: %v, want %q and not of the output", err, test.want)
			}
		})
	}
}

// A file that cannot be read further is not the output's fault, whatever was read of it.
func TestBroken(t *testing.T) {
	for _, text := range []string{"", "2 ", "2 2 ", "2 2 3", "2 2 4\n", "2 2 4\nN", "2 2 4\nNO", right, right + "x"} {
		output := io.MultiReader(strings.NewReader(text), iotest.ErrReader(os.ErrClosed))
		err := judge(strings.NewReader(input), strings.NewReader(right), output)
		var bad *wrong
		if err == nil || errors.As(err, &bad) || !errors.Is(err, os.ErrClosed) {
			t.Errorf("judge of %q and then an error: %v, want the error", text, err)
		}
	}
}

// endless never ends; reading all of it would not either.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestEndlessRows(t *testing.T) {
	err := judge(strings.NewReader(input), strings.NewReader(right), io.MultiReader(strings.NewReader("4"), spaced{}))
	if err == nil || !strings.Contains(err.Error(), "row 1 has column 1 of matrix 1, which row 1 has") {
		t.Errorf("judge: %v, want the second row to be wrong", err)
	}
}

// spaced is " 1 1 1 ...", without end.
type spaced struct{}

func (spaced) Read(p []byte) (int, error) { return copy(p, " 1"), nil }

// However long a word is, it costs a few bytes.
func TestLongWord(t *testing.T) {
	out := io.MultiReader(strings.NewReader("2 "), io.LimitReader(endless('2'), 1<<26))
	w := newWords(out)
	w.advance()
	if len(w.word) != maxWord || cap(w.word) > 2*maxWord || !w.cut {
		t.Errorf("a long word: %d bytes kept, room for %d, cut off %v; want %d and true", len(w.word), cap(w.word), w.cut, maxWord)
	}
}

// The message goes where the judge looks for it.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	args := []string{file("in", input), file("ans", right), dir + "/"}
	var bad *wrong
	if err := run(args, strings.NewReader("1 1\n")); !errors.As(err, &bad) {
		t.Errorf("run: %v, want the output to be wrong", err)
	}
	message, err := os.ReadFile(filepath.Join(dir, "judgemessage.txt"))
	if want := "line 1, column 1: the rows leave out column 2 of matrix 1, want one row for each column\n"; err != nil || string(message) != want {
		t.Errorf("judgemessage.txt: %q, %v; want %q", message, err, want)
	}
	if err := run(args, strings.NewReader(right)); err != nil {
		t.Errorf("run: %v, want nothing wrong", err)
	}
	if err := run(args[:2], strings.NewReader(right)); err == nil || errors.As(err, &bad) {
		t.Errorf("run with two arguments: %v, want an error that is not the output's", err)
	}
}
