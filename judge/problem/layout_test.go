package problem

import (
	"io/fs"
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
