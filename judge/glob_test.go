package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCoveredBy(t *testing.T) {
	for _, c := range []struct {
		name, glob, path string
		want             bool
	}{
		{"itself", "accepted/a.py", "accepted/a.py", true},
		{"a folder covers what is in it", "accepted", "accepted/a.py", true},
		{"a folder with a slash as well", "accepted/", "accepted/a.py", true},
		{"no prefix of a name", "acc", "accepted/a.py", false},
		{"a star is a name", "accepted/*", "accepted/a.py", true},
		{"a star is not a slash", "*.py", "accepted/a.py", false},
		{"a star matches nothing, too", "a*", "a", true},
		{"two stars in a name", "*a*.py", "banana.py", true},
		{"stars in two folders", "*/*_slow.*", "accepted/very_slow.go", true},
		{"a later star does not cross a slash", "a/*/c", "a/b/b/c", false},
		{"alternatives", "accepted/{a,b}.py", "accepted/b.py", true},
		{"alternatives that are folders", "{accepted,wrong_answer}/x", "wrong_answer/x", true},
		{"nested alternatives", "{a,b{c,d}}.py", "bd.py", true},
		{"an empty alternative", "a{,b}.py", "a.py", true},
		{"brackets are letters", "a[xy].py", "ax.py", false},
		{"a question mark is itself", "a?.py", "ab.py", false},
		{"cases by star", "secret/*-easy", "secret/01-easy", true},
		{"a group covers its cases", "secret/group1", "secret/group1/01", true},
		{"anchored at the start", "01", "secret/01", false},
		{"unbalanced covers nothing", "{a", "{a", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := coveredBy(c.glob, c.path); got != c.want {
				t.Errorf("coveredBy(%q, %q) = %v", c.glob, c.path, got)
			}
		})
	}
}

func TestExpandBraces(t *testing.T) {
	got, err := expandBraces("{a,b}{1,2}")
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a1", "a2", "b1", "b2"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, bad := range []string{"{", "}", "a}b{c}", "{a{b}", strings.Repeat("{a,b}", 20)} {
		if got, err := expandBraces(bad); err == nil {
			t.Errorf("expandBraces(%q) = %d alternatives; want an error", bad, len(got))
		}
	}
}

// FuzzMatchStars holds the matcher against the obvious one, which tries every
// length of every star.
func FuzzMatchStars(f *testing.F) {
	f.Add("a*/b*", "ax/by")
	f.Add("**", "a/b")
	f.Fuzz(func(t *testing.T, p, s string) {
		if len(p) > 12 || len(s) > 24 {
			return
		}
		if got, want := matchStars(p, s), matchSlowly(p, s); got != want {
			t.Errorf("matchStars(%q, %q) = %v, want %v", p, s, got, want)
		}
	})
}

func matchSlowly(p, s string) bool {
	if p == "" {
		return s == ""
	}
	if p[0] == '*' {
		for i := 0; ; i++ {
			if matchSlowly(p[1:], s[i:]) {
				return true
			}
			if i == len(s) || s[i] == '/' {
				return false
			}
		}
	}
	return s != "" && p[0] == s[0] && matchSlowly(p[1:], s[1:])
}
