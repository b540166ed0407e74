package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

const (
	// Rows 1 and 2 can exchange 7 and 2 in columns 6 and 7.
	puzzle = "" +
		"159640038\n846530019\n237198645\n" +
		"472863591\n361759824\n598214376\n" +
		"983426157\n614375982\n725981463\n"
	first = "" +
		"159647238\n846532719\n237198645\n" +
		"472863591\n361759824\n598214376\n" +
		"983426157\n614375982\n725981463\n"
	second = "" +
		"159642738\n846537219\n237198645\n" +
		"472863591\n361759824\n598214376\n" +
		"983426157\n614375982\n725981463\n"
	input = "2\n" + puzzle + puzzle
	good  = first + second
)

// edit replaces the character in a line and column.
func edit(grids string, line, column int, c string) string {
	i := 10*(line-1) + column - 1
	return grids[:i] + c + grids[i+1:]
}

// files writes an input and an answer and returns the arguments that name them.
func files(t *testing.T, input, answer string) []string {
	t.Helper()
	dir := t.TempDir()
	args := []string{filepath.Join(dir, "in"), filepath.Join(dir, "ans"), dir + "/"}
	for i, text := range []string{input, answer} {
		if err := os.WriteFile(args[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return args
}

func TestOutputs(t *testing.T) {
	args := files(t, input, good)
	for _, test := range []struct{ name, output, want string }{
		{"the jury's answer", good, ""},
		{"another solution", second + first, ""},
		{"no newline at the end", strings.TrimSuffix(good, "\n"), ""},
		{"carriage returns", strings.ReplaceAll(good, "\n", "\r\n"), ""},
		{"empty lines", "\n" + first + "\n\n" + second + "\n", ""},
		{"rows on one line", strings.ReplaceAll(good, "\n", " "), ""},

		{"nothing", "", "line 1, column 1: the output ends, want row 1 of sudoku 1"},
		{"white space", " \n\t\n", "line 3, column 1: the output ends, want row 1 of sudoku 1"},
		{"one solution", first, "line 10, column 1: the output ends, want row 1 of sudoku 2"},
		{"a row missing", good[:170], "line 18, column 1: the output ends, want row 9 of sudoku 2"},
		{"a row cut off", good[:175], "line 18, column 6: row 9 of sudoku 2 ends after 5 digits"},
		{"text behind", good + "done\n", `line 19, column 1: "done" after the last solution`},
		{"a long text behind", good + strings.Repeat("x", 1<<20), `line 19, column 1: "xxxxxxxxxx" after`},
		{"a blank left", edit(good, 2, 6, "0"), "line 2, column 6: '0' in row 2 of sudoku 1, want a digit from 1 to 9"},
		{"the puzzle", puzzle + puzzle, "line 1, column 6: '0'"},
		{"a letter", edit(good, 18, 9, "x"), "line 18, column 9: 'x' in row 9 of sudoku 2"},
		{"a byte that is no character", edit(good, 1, 1, "\xff"), "line 1, column 1: byte 0xff"},
		{"a given changed", edit(good, 11, 1, "9"), "line 11, column 1: 9 in row 2 of sudoku 2, want the given 8"},
		{"a digit twice in a row", edit(good, 1, 6, "2"), "line 1, column 7: a second 2 in row 1 of sudoku 1"},
		{"a digit twice in a row and a column", edit(good, 2, 6, "7"), "line 2, column 6: a second 7 in column 6 of sudoku 1"},
		{"a row of ten", edit(good, 1, 9, "81"), "line 1, column 10: row 1 of sudoku 1 goes on with '1'"},
		{"a row of a million", "159647238" + strings.Repeat("1", 1<<20), "line 1, column 10: row 1 of sudoku 1 goes on with '1'"},
		{"digits apart", strings.Join(strings.Split(good, ""), " "), "line 1, column 2: row 1 of sudoku 1 ends after 1 digits"},
		{"81 digits in a row", strings.ReplaceAll(first, "\n", ""), "line 1, column 10: row 1 of sudoku 1 goes on with '8'"},
		{"the number first", input, "line 1, column 1: 2 in row 1 of sudoku 1, want the given 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := right
			if test.want != "" {
				want = wrong
			}
			message := filepath.Join(args[2], "judgemessage.txt")
			status, err := run(args, strings.NewReader(test.output))
			if status != want || err != nil {
				t.Fatalf("run = %d, %v, want %d", status, err, want)
			}
			if want == wrong {
				got, err := os.ReadFile(message)
				if err != nil || !strings.Contains(string(got), test.want) {
					t.Errorf("judgemessage.txt: %q (%v), want %q", got, err, test.want)
				}
			}
		})
	}
}

// The box is what tells these apart: its rows and columns are right.
func TestBox(t *testing.T) {
	var latin strings.Builder
	for row := range 9 {
		for col := range 9 {
			latin.WriteByte("123456789"[(row+col)%9])
		}
		latin.WriteByte('\n')
	}
	blank := "1\n" + strings.Repeat("000000000\n", 9)
	args := files(t, blank, first)
	if status, err := run(args, strings.NewReader(latin.String())); status != wrong || err != nil {
		t.Errorf("run = %d, %v, want %d", status, err, wrong)
	}
	got, err := os.ReadFile(filepath.Join(args[2], "judgemessage.txt"))
	if want := "line 2, column 1: a second 2 in box 1 of sudoku 1"; err != nil || !strings.Contains(string(got), want) {
		t.Errorf("judgemessage.txt: %q (%v), want %q", got, err, want)
	}
}

// What is the judge's fault is never a verdict.
func TestJudgeErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no arguments", nil, "0 arguments, want INPUT"},
		{"an argument too many", append(files(t, input, good), "x"), "4 arguments"},
		{"no such input", []string{"/nonexistent/in", "/nonexistent/ans", "/"}, "/nonexistent/in"},
		{"an answer that is no solution", files(t, input, first), "the jury's answer"},
		{"an answer with a given changed", files(t, input, edit(good, 1, 1, "2")), "want the given 1"},
		{"an input without a number", files(t, "", good), "want the number of grids"},
		{"an input cut off", files(t, "1\n"+puzzle[:89-10], first), "want a row of nine digits"},
		{"no folder for feedback", append(files(t, input, good)[:2], "/nonexistent/"), "judgemessage.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, err := run(test.args, strings.NewReader("wrong"))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("run = %d, %v, want an error with %q", status, err, test.want)
			}
		})
	}
	status, err := run(files(t, input, good), iotest.ErrReader(errors.New("broken disk")))
	if err == nil || !strings.Contains(err.Error(), "broken disk") {
		t.Errorf("run of an unreadable output = %d, %v, want an error", status, err)
	}
}
