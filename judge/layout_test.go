package judge

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// linked makes a repository of two problems, the second with links in its
// generator: to a file of the first, to a file beside problems/, and out of
// everything.
func linked(t *testing.T) *Source {
	t.Helper()
	root := t.TempDir()
	lay(t, root, fstest.MapFS{
		"README":                           {Data: []byte("not of a problem")},
		"problems/a/problem.yaml":          {Data: []byte("name: a\n")},
		"problems/a/generators/g/core.py":  {Data: []byte("shared = 1\n")},
		"problems/b/problem.yaml":          {Data: []byte("name: b\n")},
		"problems/b/generators/g/main.py":  {Data: []byte("import core\n")},
		"testdata/b/secret/1.in":           {Data: []byte("1\n")},
		"solutions/b/accepted/identity.py": {Data: []byte("print(input())\n")},
	})
	for name, to := range map[string]string{
		"core.py":   "../../../a/generators/g/core.py",
		"readme.py": "../../../../README",
		"passwd.py": "/etc/passwd",
	} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(root, "problems", "b", "generators", "g", name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	s, err := split(root, "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestLinkToAnotherProblemOfTheRepository(t *testing.T) {
	s := linked(t)
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
	s := linked(t)
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

func TestPackWritesWhatLinksLeadTo(t *testing.T) {
	s := linked(t)
	to := filepath.Join(t.TempDir(), "b.zip")
	if _, _, err := packTo(t, t.Context(), s, to); err == nil || !strings.Contains(err.Error(), "passwd.py") {
		t.Fatalf("with a link out of the repository: %v", err)
	}
	dir := filepath.Join(s.Path, "generators", "g")
	for _, name := range []string{"passwd.py", "readme.py"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := packTo(t, t.Context(), s, to); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(to)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		if f.Name != "b/generators/g/core.py" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != "shared = 1\n" || !f.Mode().IsRegular() {
			t.Errorf("core.py in the zip: %v %q, %v", f.Mode(), text, err)
		}
		return
	}
	t.Error("the zip has no core.py")
}
