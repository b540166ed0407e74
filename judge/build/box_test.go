package build

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/problem"
)

func TestCompilersInABoxDoNotSeeTheUsersPATH(t *testing.T) {
	testkit.NeedsBox(t)
	t.Setenv("PATH", os.Getenv("PATH")+":/home/someone/private/bin")
	w, counted := newBuilder(t, t.TempDir())
	w.Runner = counted.Runner // which has the method Protection
	l := *language.Builtin.ByCode("bash")
	l.Compile = []string{"{runtime}", "-c", "echo $PATH"}
	if _, err := w.Tools.Find(t.Context(), &l); err != nil {
		t.Skip(err)
	}
	_, c, err := w.Build(t.Context(), Source{What: "a.sh", Files: map[string][]byte{"a.sh": nil}, Language: &l}, enough)
	if err != nil || c.Message == "" || strings.Contains(c.Message, "private") {
		t.Errorf("%+v, %v; expected a PATH without the user's own folders", c, err)
	}
}

// A source cannot make the compiler read files of the judge or of the machine.
func TestCompilersInABox(t *testing.T) {
	testkit.NeedsBox(t)
	if testkit.Raced {
		t.Skip("runs compilers, which the race detector does not see into")
	}
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("int secret;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cache := testkit.Cache(t)
	for i, c := range []struct {
		name, code, text string
		refused          bool
	}{
		{"a file in C", "c", "#include \"" + secret + "\"\nint main(void) {}\n", true},
		{"the look-alike", "c", "#include <stdio.h>\nint main(void) {}\n", false},
		{"a file of bytes", "c", "__asm__(\".incbin \\\"" + secret + "\\\"\");\nint main(void) {}\n", true},
		{"passwords", "cpp", "#include \"/etc/shadow\"\nint main() {}\n", true},
		{"another program", "c", "#include \"" + filepath.Join(cache, "toolchains.json") + "\"\nint main(void) {}\n", true},
		{"no end", "c", "#include \"/dev/zero\"\nint main(void) {}\n", true},
		{"a large array", "c", "char a[1L << 36] = {1};\nint main(void) { return a[0]; }\n", true},
		{"text in Rust", "rust", "fn main() { print!(\"{}\", include_str!(\"" + secret + "\")); }\n", true},
		{"a parent folder in Go", "go", "package main\n\nimport _ \"embed\"\n\n//go:embed ../bin\nvar s string\n\nfunc main() {}\n", true},
		{"C in Go", "go", "package main\n\n// #cgo LDFLAGS: -Wl,--dynamic-list=/etc/passwd\nimport \"C\"\n\nfunc main() {}\n", true},
		{"no program in Go", "go", "package other\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if i > 2 {
				testkit.InMatrix(t)
			}
			l := language.Builtin.ByCode(c.code)
			w, _ := newBuilder(t, cache)
			if _, err := w.Tools.Find(t.Context(), l); err != nil {
				t.Skip(err)
			}
			name := "a" + l.Ext()
			// The comment makes the source new in each test, so no result is from the cache.
			files := map[string][]byte{name: fmt.Appendf([]byte(c.text), "\n// %d\n", time.Now().UnixNano())}
			p, refusal, err := w.Build(t.Context(), Source{What: name, Files: files, Language: l, Memory: 1 << 30}, problem.Guarantee{Time: 20 * time.Second, Memory: 1 << 30})
			if err != nil || (p == nil) != c.refused {
				t.Errorf("built: %v, %+v, %v; expected it refused: %v", p != nil, refusal, err, c.refused)
			}
			if p != nil {
				osfile.RemoveAll(p.Dir)
			}
			if strings.Contains(refusal.Message, "int secret") {
				t.Errorf("the compiler quotes the secret: %s", refusal.Message)
			}
		})
	}
}

// Compiling a submission does not change the cache that later compilations read.
func TestGoCacheHoldsTheLibraryOnly(t *testing.T) {
	testkit.NeedsBox(t)
	testkit.Needs(t, "go")
	if testing.Short() || testkit.Raced {
		t.Skip("compiles Go's library, which the race detector does not see into")
	}
	cache := t.TempDir()
	w, _ := newBuilder(t, cache)
	entries := func() (names []string) {
		filepath.WalkDir(filepath.Join(cache, "go-build"), func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				names = append(names, name)
			}
			return nil
		})
		return names
	}
	build := func(text string) {
		t.Helper()
		p, c, err := w.Build(t.Context(), Source{What: "a.go", Files: map[string][]byte{"a.go": []byte(text)}, Language: language.Builtin.ByCode("go"), Memory: 1 << 30}, enough)
		if err != nil || p == nil {
			t.Fatal(c, err)
		}
		if info, err := os.Stat(p.Args[0]); err != nil || testkit.Owner(info) != os.Geteuid() {
			t.Errorf("the program belongs to %d (%v), expected it to be the judge's", testkit.Owner(info), err)
		}
	}
	build("package main\n\nfunc main() { println(1) }\n")
	before := entries()
	if len(before) < 10 {
		t.Fatalf("Go's cache has %d files, expected the library", len(before))
	}
	build("package main\n\nfunc main() { println(2) }\n")
	if after := entries(); !slices.Equal(before, after) {
		t.Errorf("Go's cache had %d files and has %d; expected another program to leave nothing there", len(before), len(after))
	}
	build("package main\n\nimport \"container/list\"\n\nfunc main() { list.New() }\n")
	if after := entries(); len(after) <= len(before) {
		t.Errorf("Go's cache has %d files as before; expected a package of the library that was not used yet", len(after))
	}
}
