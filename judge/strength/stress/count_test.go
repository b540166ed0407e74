package stress

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCounts removes the second element of each count whose form is named.
func TestCounts(t *testing.T) {
	tests := []struct {
		name, input, form, want string
	}{
		{"lines", "3\na 1\nb 2\nc 3\n", "L00110", "2\na 1\nc 3\n"},
		{"two lines each", "2\na\n1\nb\n2\n", "L00120", "1\na\n1\n"},
		{"edges of a tree", "3\n1 2\n2 3\n", "L00111", "2\n1 2\n"},
		{"tokens", "3\n5 6 7\n", "T00100", "2\n5 7\n"},
		{"tokens of two lists", "3\n5 6 7\na b c\n", "T00100", "2\n5 7\na c\n"},
		{"tokens of the same line", "3 5 6 7\n", "T00000", "2 5 7\n"},
		{"characters", "3\nabc\n", "C00100", "2\nac\n"},
		{"characters of a grid", "2 3\nabc\ndef\n", "C01100", "2 2\nac\ndf\n"},
		{"rows of a grid", "2 3\nabc\ndef\n", "L00110", "1 3\nabc\n"},
		{"lines after a list", "2 2\n5 6\n1 a x\n2 b y\n", "L01210", "2 1\n5 6\n1 a x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse([]byte(tt.input))
			counts := d.counts(0, d.end())
			i := slices.IndexFunc(counts, func(c count) bool { return c.form(0) == tt.form })
			if i < 0 {
				t.Fatalf("no count %s among %+v", tt.form, counts)
			}
			d.keep(counts[i], without(counts[i].elements, 1, 2))
			if diff := cmp.Diff(tt.want, string(d.bytes())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSquareIsOneCount(t *testing.T) {
	d := parse([]byte("3\n1 2 3\n4 5 6\n7 8 9\n"))
	groups := groupsOf(d.counts(0, d.end()), 0)
	i := slices.IndexFunc(groups, func(g group) bool { return g.form == "T00100 L00110" })
	if i < 0 {
		t.Fatalf("no such group among %+v", groups)
	}
	groups[i].keep(d, []int{0, 2})
	if got := string(d.bytes()); got != "2\n1 3\n7 9\n" {
		t.Errorf("%q", got)
	}
}

func TestSections(t *testing.T) {
	tests := []struct {
		name, input, want string
	}{
		{"a list each", "3\n2\n1 2\n1\n5\n3\n7 8 9\n", "2\n2\n1 2\n3\n7 8 9\n"},
		{"edges each", "3\n2 1\n1 2\n1 0\n3 2\n1 2\n2 3\n", "2\n2 1\n1 2\n3 2\n1 2\n2 3\n"},
		{"a line each", "3\n5\n6\n7\n", "2\n5\n7\n"},
		{"until zeros", "2 1\n1 2\n3 0\n1 1\n1 1\n0 0\n", "2 1\n1 2\n1 1\n1 1\n0 0\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range parse([]byte(tt.input)).sections() {
				d := parse([]byte(tt.input))
				d.choose(s, without(len(s.starts)-1, 1, 2))
				got = append(got, string(d.bytes()))
			}
			if !slices.Contains(got, tt.want) {
				t.Errorf("without the second section: %q, expected %q", got, tt.want)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{"1000": "1000", "10^5": "100000", "1e9": "1000000000", "5e8": "500000000", "10**6": "1000000", "2^31": "2147483648", "1'000'000": "1000000", "2_000": "2000", "10^{18}": "1000000000000000000"} {
		found := numberForms.FindString(text)
		if n := numberOf(found); n == nil || n.String() != want {
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
