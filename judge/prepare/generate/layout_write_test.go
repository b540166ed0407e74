package generate

import (
	"os"
	"path/filepath"
	"testing"

	"crucible/judge/problem"
)

// Files are read through the folder above that of the package, so that links may lead to
// the packages beside it. Only files of the package are written and removed.
func TestWritesStayInThePackage(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("problems/a/problem.yaml", "")
	write("testdata/a/secret/1.in", "old")
	write("testdata/secret/2.in", "of no package")
	s, err := problem.Split(root, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()

	if err := s.WriteFile("data/secret/1.in", []byte("new")); err != nil {
		t.Errorf("WriteFile: %v", err)
	}
	folder, rest, err := s.ToWrite("data/sample/1.in")
	if err != nil {
		t.Fatalf("toWrite: %v", err)
	}
	if err := folder.WriteFile(rest, []byte("made"), 0o600); err != nil {
		t.Errorf("write %s: %v", rest, err)
	}
	if err := Remove(s, []string{"secret/2.in"}); err == nil {
		t.Error("Remove of a file that is not the package's: want an error")
	}
	for name, want := range map[string]string{
		"testdata/a/secret/1.in": "new",
		"testdata/a/sample/1.in": "made",
		"testdata/secret/2.in":   "of no package",
	} {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || string(got) != want {
			t.Errorf("%s = %q, %v, want %q", name, got, err, want)
		}
	}
	if err := Remove(s, []string{"sample/1.in"}); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "testdata", "a", "sample", "1.in")); !os.IsNotExist(err) {
		t.Errorf("the file removed: %v, want none", err)
	}
}
