package shape

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// module writes a module of one package to a temporary folder, and measures it.
func module(t *testing.T, files map[string]string) Package {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module m\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	measured, err := Load(dir, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(measured) != 1 {
		t.Fatalf("%d packages, expected 1", len(measured))
	}
	return measured[0]
}

func TestCounts(t *testing.T) {
	long := "func Long() {\n"
	for range LongFunction - 1 {
		long += "\t_ = 1\n"
	}
	p := module(t, map[string]string{
		"a.go":         "package m\n\n// A comment.\nvar A = `one\n\ntwo` // three lines\n\n" + long + "}\n",
		"b_windows.go": "package m\n\n/*\nmore\n*/\nvar b = 1\n",
		"a_test.go":    "package m\n\nvar C = 1\n",
	})
	p.Files = nil
	want := Package{Path: "m", Lines: 8 + LongFunction + 6, Code: 1 + 3 + LongFunction + 1 + 2, Exported: 2, Long: []string{"a.go:8: Long: 51"}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-expected +measured):\n%s", diff)
	}
}

// TestGroupsAndSplits also checks that references are found by the meaning of an
// identifier: fields, methods and promoted methods count, but a local variable
// of the same name does not.
func TestGroupsAndSplits(t *testing.T) {
	p := module(t, map[string]string{
		"a.go": "package m\n\ntype A struct{ f int }\n\nfunc (a A) m() { b() }\n",
		"b.go": "package m\n\nfunc b() { c() }\n\nfunc helper() {}\n",
		"c.go": "package m\n\ntype C struct{ A }\n\nfunc c() { var x C; x.m(); _ = x.f }\n",
		"d.go": "package m\n\nfunc d() { b := 1; _ = b; helper(); var c C; c.m() }\n",
	})
	want := Graph{
		{"a.go", "b.go"}: {"b"},
		{"b.go", "c.go"}: {"c"},
		{"c.go", "a.go"}: {"A", "f", "m"},
		{"d.go", "a.go"}: {"m"},
		{"d.go", "b.go"}: {"helper"},
		{"d.go", "c.go"}: {"C"},
	}
	if diff := cmp.Diff(want, p.Files); diff != "" {
		t.Errorf("references (-expected +found):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.go", "b.go", "c.go"}, p.Files.Largest()); diff != "" {
		t.Errorf("Largest (-expected +found):\n%s", diff)
	}
	cut := p.Files.Splits(2)
	if len(cut) != 1 || len(p.Files[cut[0]]) != 1 {
		t.Errorf("Splits(2) = %v, expected one reference with one name", cut)
	}
	if cut := p.Files.Splits(3); len(cut) != 0 {
		t.Errorf("Splits(3) = %v, expected none", cut)
	}
}

func TestErrorsOfTypesAreReported(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nvar a = missing\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := Load(dir, "./..."); err == nil {
		t.Errorf("Load = %v, expected an error", p)
	}
}
