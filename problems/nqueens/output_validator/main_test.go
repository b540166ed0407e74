package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	input  = "3\n4\n....\n....\n....\n....\n4\nQ...\n....\n....\n....\n5\n..Q..\n.....\n....#\n.....\n.....\n"
	answer = "2\n2 4 1 3\n0\n2\n3 1 4 2 5\n"
)

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name, output string
		want         string // of the defect; "" accepts
	}{
		{"the same", answer, ""},
		{"another completion", "2\n3 1 4 2\n0\n2\n3 5 2 4 1\n", ""},
		{"spacing is free", "2 2 4 1 3 0\r\n\r\n 2 3\t1 4 2 5", ""},
		{"leading zeros do no harm", "02\n2 4 1 3\n0\n2\n3 1 4 2 5\n", ""},

		{"nothing", "", "line 1, column 1: the end, want the number of completions of board 1"},
		{"a completion cut off", "2\n2 4 1", "line 2, column 6: the end, want the column of row 4 of board 1"},
		{"text after", answer + "1\n", `line 6, column 1: "1", want the end`},
		{"wrong number", "1\n2 4 1 3\n0\n2\n3 1 4 2 5\n", "line 1, column 1: board 1 has 1 completions, want 2"},
		{"none where there are some", "0\n0\n2\n3 1 4 2 5\n", "line 1, column 1: board 1 has 0 completions, want 2"},
		{"some where there are none", "2\n2 4 1 3\n1\n1 3 2 4\n2\n3 1 4 2 5\n", "line 4, column 5: the queen on row 3, column 2 of board 2 is attacked from row 2, column 3"},
		{"negative", "-2\n2 4 1 3\n", `line 1, column 1: "-2", want the number`},
		{"a fraction", "2.0\n2 4 1 3\n", `"2.0", want the number`},
		{"huge", strings.Repeat("9", 19) + "\n", "want the number of completions of board 1 from 0"},
		{"endless", strings.Repeat("9", 1<<20), `"99999999999999999999"..., want the number`},
		{"column 0", "2\n0 4 1 3\n", "line 2, column 1: 0, want the column of row 1 of board 1 from 1 to 4"},
		{"column 5 of 4", "2\n2 5 1 3\n", "line 2, column 3: 5, want the column of row 2"},
		{"same column", "2\n2 4 2 3\n", "row 3, column 2 of board 1 is attacked from row 1, column 2"},
		{"diagonal to the left", "2\n2 4 3 1\n", "row 3, column 3 of board 1 is attacked from row 2, column 4"},
		{"diagonal to the right", "2\n3 1 2 4\n", "row 3, column 2 of board 1 is attacked from row 2, column 1"},
		{"given queen moved", "2\n2 4 1 3\n0\n2\n2 4 1 3 5\n", "line 5, column 1: the queen in row 1 of board 3 is moved to column 2, want column 3"},
		{"blocked square", "2\n2 4 1 3\n0\n2\n3 1 5 2 4\n", "line 5, column 5: a queen on row 3, column 5 of board 3, which is blocked"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := judge(strings.NewReader(input), strings.NewReader(answer), strings.NewReader(test.output))
			var wrong defect
			switch {
			case err != nil && !errors.As(err, &wrong):
				t.Errorf("judge: %v, want no mistake of the jury", err)
			case test.want == "" && err != nil:
				t.Errorf("judge: %v, want it accepted", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("judge: %v, want %q", err, test.want)
			}
		})
	}
}

// The jury's mistakes are never the submission's.
func TestJury(t *testing.T) {
	for _, test := range []struct{ name, input, answer, want string }{
		{"a completion that the jury does not know", input, "0\n0\n2\n3 1 4 2 5\n", "the output has a completion of board 1, the jury has none"},
		{"a wrong answer", input, "2\n2 4 1 2\n0\n2\n3 1 4 2 5\n", "the jury's answer: line 2, column 7"},
		{"a short answer", input, "2\n2 4 1 3\n", "the jury's answer: line 3, column 1: the end"},
		{"a long answer", input, answer + "0\n", "the jury's answer: line 6"},
		{"no input", "", answer, "the jury's input: line 1, column 1: the end"},
		{"a short input", "1\n4\n....\n", answer, "the jury's input: board 1: EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := judge(strings.NewReader(test.input), strings.NewReader(test.answer), strings.NewReader(answer))
			var wrong defect
			if err == nil || errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("judge: %v, want a mistake of the jury, %q", err, test.want)
			}
		})
	}
}

func TestCommittedData(t *testing.T) {
	data := filepath.Join("..", "..", "..", "testdata", "nqueens")
	for _, dir := range []struct {
		name, output string
		accepted     bool
	}{{"sample", ".ans", true}, {"secret", ".ans", true}, {"valid_output", ".out", true}, {"invalid_output", ".out", false}} {
		files, err := filepath.Glob(filepath.Join(data, dir.name, "*.in"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s (%v)", dir.name, err)
		}
		for _, name := range files {
			t.Run(dir.name+"/"+filepath.Base(name), func(t *testing.T) {
				open := func(ext string) io.Reader {
					f, err := os.Open(strings.TrimSuffix(name, ".in") + ext)
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { f.Close() })
					return f
				}
				err := judge(open(".in"), open(".ans"), open(dir.output))
				var wrong defect
				if (err == nil) != dir.accepted || err != nil && !errors.As(err, &wrong) {
					t.Errorf("judge: %v, want accepted = %v", err, dir.accepted)
				}
			})
		}
	}
}
