package terminal

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// evil is output of a hostile program: terminal escapes, line breaks and bytes
// that are not UTF-8.
const evil = "\x1b[2J\x1b]0;owned\x07 \r\n\u202e\xff\x00"

func TestClean(t *testing.T) {
	tests := []struct{ fact, given, want string }{
		{"plain text stays", "secret/01: wänt \"1\", 数", "secret/01: wänt \"1\", 数"},
		{"escapes do not get through", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"nor their one-character forms", "\u009b31m", `\u009b31m`},
		{"lines are not broken", "a\r\nb\u2028", `a\r\nb\u2028`},
		{"directions are not turned", "\u202eabc", `\u202eabc`},
		{"bytes that are no UTF-8 are told", "\xff\xc3", `\xff\xc3`},
		{"what stands for such bytes stays", "\ufffd", "\ufffd"},
		{"nothing is there unseen", "\u200b\u00ad\u00a0", `\u200b\u00ad\u00a0`},
	}
	for _, tt := range tests {
		if got := Clean(tt.given); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, expected %q", tt.fact, tt.given, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add(evil, 10)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		clean := Clean(s)
		if !utf8.ValidString(clean) || strings.ContainsFunc(clean, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("Clean(%q) = %q", s, clean)
		}
		if again := Clean(clean); again != clean {
			t.Errorf("Clean(%q) = %q", clean, again)
		}
		columns = min(max(columns, 0), 1000)
		for _, cut := range []string{Clip(clean, columns), ClipStart(clean, columns)} {
			if Width(cut) > columns {
				t.Errorf("%q cut to %d columns has %d: %q", clean, columns, Width(cut), cut)
			}
			if columns > 0 && Width(clean) <= columns && cut != clean {
				t.Errorf("%q fits %d columns and became %q", clean, columns, cut)
			}
		}
	})
}

func TestWidth(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"", 0}, {"secret/01", 9}, {"é", 1}, {"e\u0301", 1}, {"Привет", 6}, {"数独", 4}, {"한글", 4}, {"🙂", 2},
		{"“a”…", 4}, {"→≤", 2}, {"·▸⠋⠏│", 5},
	}
	for _, tt := range tests {
		if got := Width(tt.text); got != tt.want {
			t.Errorf("Width(%q) = %d, expected %d", tt.text, got, tt.want)
		}
	}
}

func TestClip(t *testing.T) {
	tests := []struct {
		given       string
		columns     int
		start, tail string // results of Clip and ClipStart
	}{
		{"abcdef", 6, "abcdef", "abcdef"},
		{"abcdef", 5, "abcd…", "…cdef"},
		{"abcdef", 1, "…", "…"},
		{"abcdef", 0, "", ""},
		{"数独数独", 8, "数独数独", "数独数独"},
		{"数独数独", 7, "数独数…", "…独数独"},
		{"数独数独", 6, "数独…", "…数独"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…", "…e\u0301"},
	}
	for _, tt := range tests {
		if got := Clip(tt.given, tt.columns); got != tt.start {
			t.Errorf("Clip(%q, %d) = %q, expected %q", tt.given, tt.columns, got, tt.start)
		}
		if got := ClipStart(tt.given, tt.columns); got != tt.tail {
			t.Errorf("ClipStart(%q, %d) = %q, expected %q", tt.given, tt.columns, got, tt.tail)
		}
	}
}
