package terminal

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"run", "report", "history", "verify"}
	for _, c := range []struct{ fact, given, nearest string }{
		{"two letters are swapped", "rnu", "run"},
		{"a letter is missing", "vrify", "verify"},
		{"a letter is too many", "histtory", "history"},
		{"too many letters differ", "hit", ""},
		{"nothing is given", "", ""},
	} {
		if got := Nearest(c.given, known); got != c.nearest {
			t.Errorf("%s: Nearest(%q) = %q, expected %q", c.fact, c.given, got, c.nearest)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		fact, text string
		most       int
		clipped    string
	}{
		{"a short text stays", "a\tb\nc", 9, "a\tb\nc"},
		{"a cut is marked", "abcdef", 3, "abc…"},
		{"half a character is replaced", "aé", 2, "a\uFFFD…"},
		{"escape sequences are shown", "\x1b[31m", 9, `\x1b[31m`},
		{"carriage returns are removed", "a\r\nb", 9, "a\nb"},
		{"direction marks are shown", "\u202e", 9, `\u202e`},
	} {
		if got := Excerpt(c.text, c.most); got != c.clipped {
			t.Errorf("%s: Clip(%q, %d) = %q, expected %q", c.fact, c.text, c.most, got, c.clipped)
		}
	}
}
