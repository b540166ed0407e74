package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/terminal"
)

// show formats rows as "answer line:words | output line:words". Spans that differ are
// in brackets.
func show(rows []Row) string {
	side := func(b *strings.Builder, n int, spans []Span) {
		fmt.Fprintf(b, "%d:", n)
		for _, s := range spans {
			if s.Differs {
				fmt.Fprintf(b, "[%s]", terminal.Clean(s.Text))
			} else {
				b.WriteString(terminal.Clean(s.Text))
			}
		}
	}
	var b strings.Builder
	for _, r := range rows {
		side(&b, r.AnswerLine, r.Want)
		b.WriteString(" | ")
		side(&b, r.OutputLine, r.Got)
		b.WriteString("\n")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	tests := []struct{ name, args, answer, output, want string }{
		{"nothing", "", "", "", ""},
		{"the same", "", "1 2\n3\n", "1 2\n3\n", "1:1 2 | 1:1 2\n2:3 | 2:3\n"},
		{"a word differs", "", "1 2 3\n", "1 5 3\n", "1:1 [2] 3 | 1:1 [5] 3\n"},
		{"a word is missing", "", "1 2 3\n", "1 3\n", "1:1 [2] 3 | 1:1 3\n"},
		{"a word too many", "", "1 3\n", "1 2 3\n", "1:1 3 | 1:1 [2] 3\n"},
		{"a line is missing", "", "1\n2\n3\n", "1\n3\n", "1:1 | 1:1\n2:[2] | 0:\n3:3 | 2:3\n"},
		{"a line too many", "", "1\n3\n", "1\n2\n3\n", "1:1 | 1:1\n0: | 2:[2]\n2:3 | 3:3\n"},
		{"no output", "", "1\n2\n", "", "1:[1] | 0:\n2:[2] | 0:\n"},
		{"no answer", "", "", "1\n", "0: | 1:[1]\n"},
		{"no final newline", "", "1\n", "1", "1:1 | 1:1\n"},
		{"the same words in other lines", "", "1 2\n3 x\n", "1\n2 3 y\n", "1:1 2 | 1:1\n2:3 [x] | 2:2 3 [y]\n"},
		{"spacing within a line", "", "a  b\n", " a b \n", "1:a  b | 1: a b \n"},
		{"spacing when it counts", spaceArg, "a  b\n", "a b \n", "1:a[  ]b | 1:a[ ]b[ ]\n"},
		{"a carriage return when it counts", spaceArg, "a\n", "a\r\n", `1:a | 1:a[\r]` + "\n"},
		{"another case", "", "Yes\n", "YES\n", "1:Yes | 1:YES\n"},
		{"another case when it counts", caseArg, "Yes\n", "YES\n", "1:[Yes] | 1:[YES]\n"},
		{"numbers within the tolerance", tol, "1.0 2.0\n3.0\n", "1.0000001 2.1\n3\n", "1:1.0 [2.0] | 1:1.0000001 [2.1]\n2:3.0 | 2:3\n"},
		{"a word for a number", tol, "1.0\n", "one\n", "1:[1.0] | 1:[one]\n"},
		{"an empty line too many", "", "a\nb\n", "a\n\nb\n", "1:a | 1:a\n0: | 2:\n2:b | 3:b\n"},
		{"hostile bytes", "", "a\n", "\x1b[2J\n", `1:[a] | 1:[\x1b[2J]` + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := ParseRules(strings.Fields(test.args))
			if err != nil {
				t.Fatal(err)
			}
			rows, cut := r.Diff([]byte(test.answer), []byte(test.output))
			if diff := cmp.Diff(test.want, show(rows)); diff != "" || cut {
				t.Errorf("cut %v, -want +got\n%s", cut, diff)
			}
		})
	}
}

// lines returns n numbers, one per line.
func lines(n, from int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, from+i)
	}
	return []byte(b.String())
}

func TestDiffIsBounded(t *testing.T) {
	t.Run("a long text with one line too many is cut and aligned", func(t *testing.T) {
		answer := lines(50_000, 0)
		output := strings.Replace(string(answer), "\n77\n", "\n77\nx\n", 1)
		rows, cut := (Rules{}).Diff(answer, []byte(output))
		if !cut || len(rows) < 5000 {
			t.Fatalf("cut %v, %d rows", cut, len(rows))
		}
		for i, r := range rows {
			if r.Differs() != (i == 78) {
				t.Fatalf("row %d differs: %v", i, r.Differs())
			}
		}
	})
	t.Run("what the cut took from one side is not missing", func(t *testing.T) {
		rows, cut := (Rules{}).Diff(lines(50_000, 0), lines(10_000, 0))
		if !cut || len(rows) < 9000 {
			t.Fatalf("cut %v, %d rows", cut, len(rows))
		}
		for i, r := range rows {
			if r.Differs() {
				t.Fatalf("row %d differs", i)
			}
		}
	})
	t.Run("texts with nothing in common", func(t *testing.T) {
		rows, _ := (Rules{}).Diff(lines(10_000, 10_000), lines(10_000, 30_000))
		if len(rows) < 9000 {
			t.Fatalf("%d rows", len(rows))
		}
		for i, r := range rows {
			if !r.Differs() {
				t.Fatalf("row %d does not differ", i)
			}
		}
	})
	t.Run("a long line without an end", func(t *testing.T) {
		x := []byte(strings.Repeat("1 ", maxDiff))
		rows, cut := (Rules{}).Diff(x, append([]byte("2 "), x...))
		if !cut || len(rows) != 1 {
			t.Fatalf("cut %v, %d rows", cut, len(rows))
		}
	})
	t.Run("one endless word", func(t *testing.T) {
		rows, cut := (Rules{}).Diff([]byte(long), []byte(long+long))
		if !cut || len(rows) != 1 || len(rows[0].Want) != 1 || len(rows[0].Want[0].Text) != maxDiff {
			t.Fatalf("cut %v, %d rows", cut, len(rows))
		}
	})
}

// FuzzDiff checks that each side of the rows is equal to its text, and that the
// unmarked spans are equal on both sides and in the same order.
func FuzzDiff(f *testing.F) {
	for _, s := range vectors {
		for _, v := range s.vectors {
			if len(v.answer)+len(v.output) < 1000 {
				f.Add(v.args, v.answer, v.output)
			}
		}
	}
	f.Fuzz(func(t *testing.T, args, answer, output string) {
		r, err := ParseRules(strings.Fields(args))
		if err != nil || len(answer) > maxDiff || len(output) > maxDiff {
			return
		}
		rows, cut := r.Diff([]byte(answer), []byte(output))
		if cut {
			t.Fatal("cut")
		}
		answers, want := side(r, rows, func(row Row) (int, []Span) { return row.AnswerLine, row.Want })
		outputs, got := side(r, rows, func(row Row) (int, []Span) { return row.OutputLine, row.Got })
		if answers != strings.TrimSuffix(answer, "\n") {
			t.Fatalf("the answer is not in the rows:\n%s", show(rows))
		}
		if outputs != strings.TrimSuffix(output, "\n") {
			t.Fatalf("the output is not in the rows:\n%s", show(rows))
		}
		if len(want) != len(got) {
			t.Fatalf("%d words are unmarked in the answer, %d in the output:\n%s", len(want), len(got), show(rows))
		}
		d := differ{rules: &r}
		for i := range want {
			if !d.same(want[i], got[i]) {
				t.Fatalf("%q and %q are unmarked", want[i].Text, got[i].Text)
			}
		}
	})
}

// side returns the text of one side of the rows, and its unmarked spans.
func side(r Rules, rows []Row, of func(Row) (int, []Span)) (text string, same []*Span) {
	var b strings.Builder
	for _, row := range rows {
		n, spans := of(row)
		for i := range spans {
			s := &spans[i]
			b.WriteString(s.Text)
			if !s.Differs && (r.spaceSensitive || !space[s.Text[0]]) {
				same = append(same, s)
			}
		}
		if n > 0 {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), same
}
