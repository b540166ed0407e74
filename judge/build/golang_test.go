package build

import (
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
