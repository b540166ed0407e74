package inputs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLists removes the second element of the list that a number counts: of the number of
// that index among those that count. More examples tell counts apart that are equal in one.
func TestLists(t *testing.T) {
	tests := []struct {
		name, input string
		more        []string
		count       int
		want        string
	}{
		{"lines", "3\na 1\nb 2\nc 3\n", nil, 0, "2\na 1\nc 3\n"},
		{"two lines each", "2\na\n1\nb\n2\n", nil, 0, "1\na\n1\n"},
		{"edges of a tree", "3\n1 2\n2 3\n", nil, 0, "2\n1 2\n"},
		{"tokens", "3\n5 6 7\n", nil, 0, "2\n5 7\n"},
		{"tokens of two lists", "3\n5 6 7\na b c\n", []string{"5\n5 6 7 8 9\na b c d e\n"}, 0, "2\n5 7\na c\n"},
		{"tokens of the same line", "3 5 6 7\n", nil, 0, "2 5 7\n"},
		{"characters", "3\nabc\n", nil, 0, "2\nac\n"},
		{"characters of a grid", "2 3\nabc\ndef\n", nil, 1, "2 2\nac\ndf\n"},
		{"rows of a grid", "2 3\nabc\ndef\n", nil, 0, "1 3\nabc\n"},
		{"lines after a list", "2 2\n5 6\n1 a x\n2 b y\n", []string{"4 1\n5 6 7 8\n7 c z\n"}, 1, "2 1\n5 6\n1 a x\n"},
		{"vertices and edges", "3\n5 6 7\n1 2\n2 3\n", []string{"4\n5 6 7 8\n1 2\n1 3\n1 4\n"}, 0, "2\n5 7\n1 2\n"},
		{"a square", "3\n1 2 3\n4 5 6\n7 8 9\n", nil, 0, "2\n1 3\n7 9\n"},
		{"sections with a list each", "3\n2\n1 2\n1\n5\n3\n7 8 9\n", nil, 0, "2\n2\n1 2\n3\n7 8 9\n"},
		{"sections with edges", "3\n2 1\n1 2\n1 0\n3 2\n1 2\n2 3\n", nil, 0, "2\n2 1\n1 2\n3 2\n1 2\n2 3\n"},
		{"sections of one line", "3\n5\n6\n7\n", nil, 0, "2\n5\n7\n"},
		{"sections until zeros", "2 1\n1 2\n3 0\n1 1\n1 1\n0 0\n", []string{"5 2\n1 2\n1 3\n0 0\n"}, 0, "2 1\n1 2\n1 1\n1 1\n0 0\n"},
		{"sections with empty lines between them", "2\n1\n5\n\n2\n6\n7\n", nil, 0, "1\n1\n5\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			texts := [][]byte{[]byte(tt.input)}
			for _, text := range tt.more {
				texts = append(texts, []byte(text))
			}
			s, _ := structureOf(texts)
			d, tree := s.read(texts[0])
			w := &mutation{Mutator: NewMutator(1, nil), tree: tree}
			counts := w.counts()
			if tt.count >= len(counts) {
				t.Fatalf("no such count in %q", describe(s.form))
			}
			x := listOf(counts[tt.count], tree)
			if !x.choose(without(x.len(), 1, 2)) {
				t.Fatalf("cannot remove an element of %s", x.count.of.place)
			}
			d.lines = flatten(tree, nil)
			if diff := cmp.Diff(tt.want, string(d.bytes())); diff != "" {
				t.Errorf("%s: %s", x.count.of.place, diff)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{"1000": "1000", "10^5": "100000", "1e9": "1000000000", "5e8": "500000000", "10**6": "1000000", "2^31": "2147483648", "1'000'000": "1000000", "2_000": "2000", "10^{18}": "1000000000000000000"} {
		found := constantForms().FindString(text)
		if n := constantOf(found); n == nil || n.String() != want {
			t.Errorf("%s: %q is %v, expected %s", text, found, n, want)
		}
	}
	for _, tt := range []struct {
		text   string
		places int
	}{{"0.50", 2}, {"-0.05", 2}, {"-12.5", 1}, {"7", 0}, {"99999999999999999999", 0}} {
		if got := decimal(scaled(tt.text, tt.places), tt.places); got != tt.text {
			t.Errorf("%s became %s", tt.text, got)
		}
	}
}
