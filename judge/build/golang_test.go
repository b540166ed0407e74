package build

import (
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
