package inputs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// describe lists the quantities of a form.
func describe(f form) (all []string) {
	f.locate("")
	f.each(func(q *field, size bool) {
		what := map[kind]string{integers: "integer", decimals: "decimal", words: "word"}[q.kind]
		if size {
			what = "size"
		}
		if q.counts {
			what += " that counts"
		}
		all = append(all, q.place+": "+what)
	})
	return all
}

func TestInfer(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs []string
		want   []string
	}{
		{"a number", []string{"5\n", "7\n"}, []string{"line 1: integer"}},
		{"a list", []string{"3\n1 2 3\n", "2\n4 5\n", "1\n9\n"}, []string{"line 1: integer that counts", "line 2, tokens: integer"}},
		{"lines", []string{"2\n1 a\n2 b\n", "3\n1 a\n2 b\n3 c\n"}, []string{"line 1: integer that counts", "each line from 2, token 1: integer", "each line from 2, token 2, length: word"}},
		{"edges of a tree", []string{"3\n1 2\n2 3\n", "4\n1 2\n1 3\n1 4\n"}, []string{"line 1: integer that counts", "each line from 2, token 1: integer", "each line from 2, token 2: integer"}},
		{"a grid", []string{"2 3\n...\n.#.\n", "1 4\n....\n"}, []string{"line 1, token 1: integer that counts", "line 1, token 2: integer that counts"}},
		{"two blocks", []string{"2 1\na\nb\n7\n", "1 3\nc\n1\n2\n3\n"}, []string{
			"line 1, token 1: integer that counts", "line 1, token 2: integer that counts", "each line from 2, length: word", "each line from 2 or later: integer"}},
		{"counted sections", []string{"2\n1\nx\n2\ny\nz\n", "1\n3\nx\ny\nz\n"}, []string{
			"line 1: integer that counts", "line 1 of each section: integer that counts", "each line from 2 of each section, length: word"}},
		{"sections to the end", []string{"1 2\n0 1\n2 1\n0\n1\n", "2 2\n0 1\n1 1\n"}, []string{
			"number of sections from line 1: size", "line 1 of each section, token 1: integer that counts", "line 1 of each section, token 2: integer that counts", "each line from 2 of each section, tokens: integer"}},
		{"paragraphs", []string{"aa b\nc d\n\naa b\nc d\n", "aa b\nc d\n"}, []string{
			"number of sections from line 1: size", "each line from 1 of each section, token 1, length: word", "each line from 1 of each section, token 2, length: word"}},
		{"a last line", []string{"abc\nabd\nend\n", "xyz\nend\n", "abd\nend\n"}, []string{"number of lines from line 1: size", "each line from 1, length: word"}},
		{"a line counts its tokens", []string{"2\n1 5\n2 6 7\n", "1\n3 1 2 3\n"}, []string{
			"line 1: integer that counts", "each line from 2, token 1: integer that counts", "each line from 2, tokens from token 2: integer"}},
		{"groups of two lines", []string{"2\na\n1\nb\n2\n", "1\nc\n3\n"}, []string{
			"line 1: integer that counts", "line 1 of each section, length: word", "line 2 of each section: integer"}},
		{"decimals", []string{"1.5\n", "2\n"}, []string{"line 1: decimal"}},
		{"no structure", []string{"a b\nc\n", "d\n\ne f g\n", ""}, []string{"number of lines from line 1: size", "each line from 1, number of tokens: size", "each line from 1, tokens, length: word"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []*document
			for _, text := range c.inputs {
				gaps := strings.Contains(text, "\n\n") && c.name == "paragraphs"
				all = append(all, parse([]byte(text), gaps))
			}
			endsAlike(all)
			f, _ := infer(all)
			f.mark()
			if diff := cmp.Diff(c.want, describe(f)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for i, n := range all {
				tree, ok := f.parse(n.lines, make(env))
				if !ok {
					t.Fatalf("the form does not describe input %d", i)
				}
				n.lines = flatten(tree, nil)
				if got := string(n.bytes()); got != c.inputs[i] {
					t.Errorf("input %d: got %q, expected %q", i, got, c.inputs[i])
				}
			}
		})
	}
}

// Every change keeps the form: what the counts say is what there is.
func TestSet(t *testing.T) {
	texts := []string{"2\n2 3\n...\n.#.\n3 1 2 3\n1 1\n#\n1 9\n", "1\n1 2\n..\n2 4 5\n"}
	var all []*document
	for _, text := range texts {
		all = append(all, parse([]byte(text), false))
	}
	// The sections have no form that a token in their first line gives, so that the
	// test makes the form itself.
	count, rows, width, list := &field{counts: true}, &field{counts: true}, &field{counts: true}, &field{counts: true}
	f := form{
		{fixed: 1, rows: []*row{{columns: []*field{count}}}},
		{count: &reference{count, 1, 0}, parts: form{
			{fixed: 1, rows: []*row{{columns: []*field{rows, width}}}},
			{count: &reference{rows, 1, 0}, rows: []*row{{columns: []*field{{kind: words, length: &reference{width, 1, 0}}}}}},
			{fixed: 1, rows: []*row{{columns: []*field{list}, tail: &field{}, count: &reference{list, 1, 0}}}},
		}},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := all[random.IntN(len(all))]
		n = parse(n.bytes(), false)
		tree, ok := f.parse(n.lines, make(env))
		if !ok {
			t.Fatal("the form does not describe the input")
		}
		var occurrences []occurrence
		visit(tree, func(o occurrence) bool { occurrences = append(occurrences, o); return true })
		at := occurrences[random.IntN(len(occurrences))]
		value := fmt.Sprint(1 + random.IntN(9))
		if !at.set(value, tree, fillings[random.IntN(len(fillings))]) {
			t.Fatalf("cannot set a value to %s in %q", value, n.bytes())
		}
		n.lines = flatten(tree, nil)
		again := parse(n.bytes(), false)
		if _, ok := f.parse(again.lines, make(env)); !ok {
			t.Fatalf("after a value was set to %s, the input has another form: %q", value, n.bytes())
		}
	}
}
