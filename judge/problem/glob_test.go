package problem

import (
	"io/fs"
	"path"
	"strings"
	"testing"
)

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		name, glob, path string
		want             bool
	}{
		{"itself", "accepted/a.py", "accepted/a.py", true},
		{"a folder covers what is in it", "accepted", "accepted/a.py", true},
		{"a folder with a slash as well", "accepted/", "accepted/a.py", true},
		{"a folder with a slash in one alternative", "a/{,b}", "a", true},
		{"a star below a folder does not cover the folder", "accepted/*", "accepted", false},
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
			if got := GlobCovers(c.glob, c.path); got != c.want {
				t.Errorf("coveredBy(%q, %q) = %v", c.glob, c.path, got)
			}
		})
	}
}

func TestMalformedGlobs(t *testing.T) {
	for _, bad := range []string{"{", "}", "a}b{c}", "{a{b}", "{a}}", "{a,{b}", strings.Repeat("{a,b}", 11), strings.Repeat("{", 5000)} {
		if _, err := CompileGlob(bad); err == nil {
			t.Errorf("Compile(%.20q) is no error", bad)
		}
		if GlobCovers(bad, "a") {
			t.Errorf("coveredBy(%.20q, a)", bad)
		}
	}
	if _, err := CompileGlob(strings.Repeat("{a,b}", 10)); err != nil {
		t.Errorf("1024 alternatives: %v", err)
	}
}

// FuzzCovers compares the matcher with a simple one, which expands all alternatives of
// the braces and tries every length for every star.
func FuzzCovers(f *testing.F) {
	for _, s := range [][2]string{
		{"a*/b*", "ax/by"}, {"**", "a/b"}, {"{a,b{c,d}}.py", "bd.py"}, {"a{,b}/", "ab/c"}, {"{a/,a}*", "a/b"}, {"a,b}", "a"}, {"{a,b", "a"},
		{"{{},x}*,", "xy,"}, {"*a*.py", "banana.py/x"}, {"{*,a}{*,b}/{,*}", "ab/c"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, globs, name string) {
		if len(globs) > 24 || len(name) > 24 || name == "." || !fs.ValidPath(name) {
			return
		}
		alternatives, ok := alternativesSlowly(globs)
		g, err := CompileGlob(globs)
		if ok != (err == nil) {
			t.Fatalf("Compile(%q): %v, %d alternatives", globs, err, len(alternatives))
		}
		if !ok {
			return
		}
		want, reaches := false, false
		for _, a := range alternatives {
			for above := name; above != "."; above = path.Dir(above) {
				want = want || matchSlowly(strings.TrimSuffix(a, "/"), above)
			}
			// Stars do not match a slash, so the name must match a prefix of the
			// alternative that ends at a slash, or the entire alternative.
			for i := range len(a) + 1 {
				reaches = reaches || (i == len(a) || a[i] == '/') && matchSlowly(a[:i], name)
			}
		}
		if got := g.Covers(name); got != want {
			t.Errorf("covers(%q, %q) = %v, want %v", globs, name, got, want)
		}
		if got := g.Reaches(name); got != reaches {
			t.Errorf("reaches(%q, %q) = %v, want %v", globs, name, got, reaches)
		}
	})
}

// alternativesSlowly expands the first braces that contain no braces, until none are
// left. It returns false if the braces are unbalanced.
func alternativesSlowly(glob string) (all []string, ok bool) {
	end := strings.IndexByte(glob, '}')
	start := strings.LastIndexByte(glob[:max(end, 0)], '{')
	if end < 0 || start < 0 {
		return []string{glob}, end < 0 && strings.IndexByte(glob, '{') < 0
	}
	for part := range strings.SplitSeq(glob[start+1:end], ",") {
		more, ok := alternativesSlowly(glob[:start] + part + glob[end+1:])
		if !ok {
			return nil, false
		}
		all = append(all, more...)
	}
	return all, true
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
