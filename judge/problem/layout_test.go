package problem

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"crucible/judge/internal/testkit"
)

// second opens the problem b of a repository.
func second(t *testing.T, root string) *Source {
	t.Helper()
	s, err := Split(root, "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestLinkToAnotherProblemOfTheRepository(t *testing.T) {
	s := second(t, testkit.Linked(t))
	if text, err := fs.ReadFile(s, "generators/g/core.py"); err != nil || string(text) != "shared = 1\n" {
		t.Errorf("reading through the link = %q, %v", text, err)
	}
	for _, name := range []string{"readme.py", "passwd.py"} {
		if text, err := fs.ReadFile(s, "generators/g/"+name); err == nil {
			t.Errorf("%s, which leads out of problems/, gives %q", name, text)
		}
	}
}

func TestWritingStaysInTheProblem(t *testing.T) {
	s := second(t, testkit.Linked(t))
	if err := s.WriteFile("generators/g/core.py", []byte("shared = 2\n")); err == nil {
		t.Error("a link to another problem was written through")
	}
	if text, err := fs.ReadFile(s, "generators/g/core.py"); err != nil || string(text) != "shared = 1\n" {
		t.Errorf("after writing: %q, %v", text, err)
	}
	if err := s.WriteFile("generators/g/new.py", []byte("new = 1\n")); err != nil {
		t.Error(err)
	}
}

// A copy of a package names the same paths in messages as the original.
func TestShowAs(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"problems/two", "solutions/two/accepted", "testdata/two/secret"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	split, err := Split(root, "two")
	if err != nil {
		t.Fatal(err)
	}
	defer split.Close()
	whole, err := Folder(filepath.Join(root, "problems/two"))
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	packed := &Source{ID: "two", Path: "two.zip", Zip: &ZipFS{}}
	below := &Source{ID: "two", Path: "two.zip", Zip: &ZipFS{Prefix: "two"}}
	for _, s := range []*Source{split, whole, packed, below} {
		c := &Source{ID: "digest", Path: "/cache/digest"}
		if err := c.ShowAs(s.ID, s.Path, s.Shown()); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".", "problem.yaml", "data", "data/secret/1.in", "submissions", "submissions/accepted/a.go", "data2"} {
			if got, want := c.Where(name), s.Where(name); got != want {
				t.Errorf("%s: a copy names %s, want %s", name, got, want)
			}
		}
	}
	if new(Source).ShowAs("two", "two", []Place{{"data", "x"}}) == nil {
		t.Error("a list without the rest of the package: no error")
	}
}
