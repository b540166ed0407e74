package build

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
)

func TestGoImports(t *testing.T) {
	files := map[string][]byte{
		"a.go":   []byte("package main\nimport (\n\"fmt\"\n\"os/exec\"\n_ \"embed\"\n\"../x\"\n\"-o=/etc/passwd\"\n\"example.com/x\"\n)\n"),
		"b.go":   []byte("package main\nimport \"sort\"\n( broken"),
		"c.go":   []byte("no Go at all"),
		"d.txt":  []byte("package main\nimport \"net\"\n"),
		"go.mod": []byte("module x\n"),
	}
	got := goImports(files, strings.Fields("embed fmt net os os/exec runtime sort"))
	if diff := cmp.Diff([]string{"embed", "fmt", "os/exec", "runtime", "sort"}, got); diff != "" {
		t.Error(diff)
	}
}

// goHeader agrees with package go/parser.
func TestGoHeader(t *testing.T) {
	for _, source := range []string{
		"package main",
		"// a comment\n/* another */ package main; import \"fmt\"; func main() {}",
		"package main\nimport (\n\t\"fmt\"\n\t. \"os\"\n\t_ `embed`\n\tx \"a/b\" // comment\n)\nimport()\nvar x = 1\n",
		"package main\nimport (\"fmt\"; \"os\")\nimport \"C\"\n\nfunc main() {",
		"\ufeffpackage a\nimport \"\\x66mt\"\n",
		"package a\ntype import struct{}\n",
		"", "import \"fmt\"\n", "package\n", "package main\nimport\nvar x int\n", "package main\nimport \"fmt\" \"os\"\n",
		"package main\nimport (\"fmt\" \"os\")\n", "package main\nimport (\"fmt\"\n", "package main import \"fmt\"\n",
		"package main\nimport \"fmt\n", "package main\nimport 'x'\n", "package main\nimport fmt\n", "package 1\n",
	} {
		name, imports, ok := goHeader([]byte(source))
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
		if ok != (err == nil) {
			t.Errorf("%q: ok is %v, the parser's error %v", source, ok, err)
		}
		if err != nil {
			continue
		}
		var expected []string
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			expected = append(expected, path)
		}
		if name != file.Name.Name || !slices.Equal(imports, expected) {
			t.Errorf("%q: package %s imports %q, expected package %s with %q", source, name, imports, file.Name.Name, expected)
		}
	}
}

// Packages that the user's build cache has are copied, so that Go compiles none of them again.
func TestLibraryIsCopied(t *testing.T) {
	out, err := exec.Command("go", "env", "GOCACHE").Output() // it has them, because they are in this test
	if err != nil {
		t.Skip("no go command:", err)
	}
	own := strings.TrimSpace(string(out))
	t.Setenv("GOCACHE", own)
	b := &Builder{Cache: t.TempDir()}
	b.Tools.Cache = b.Cache
	l := language.Builtin.ByCode("go")
	tc, err := b.Tools.Find(t.Context(), l)
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(b.Cache, "go-build")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := osfile.WriteAtomic(filepath.Join(dir, "go.mod"), []byte("module library\n")); err != nil {
		t.Fatal(err)
	}
	if err := b.buildGoPackages(t.Context(), l, tc, []string{"errors"}, dir); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(goListFile(tc, dir))
	if err != nil || !strings.Contains(string(copied), "packagefile errors="+dir) || strings.Contains(string(copied), own) {
		t.Errorf("the list of packages: %v, %s", err, copied)
	}
	count := func() int {
		entries, _ := filepath.Glob(filepath.Join(dir, "*", "*-a"))
		return len(entries)
	}
	before := count()
	listed, err := b.listGoPackages(t.Context(), l, tc, []string{"errors"}, dir, "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}")
	if err != nil || count() != before {
		t.Errorf("%v, %d entries were copied, and Go made %d others", err, before, count()-before)
	}
	lines := strings.Split(strings.TrimSpace(listed), "\n")
	slices.Sort(lines)
	if diff := cmp.Diff(strings.Join(lines, "\n"), strings.TrimSpace(string(copied))); diff != "" {
		t.Error("-go list +copied", diff)
	}
	if _, err := b.copyGoPackages(t.Context(), l, tc, []string{"no/such/package"}, dir); err == nil {
		t.Error("a package that is not there: no error")
	}
}
