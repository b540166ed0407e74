package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crucible/judge/language"
)

func TestOnlyWhatIsNamedIsOpened(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"abc", "bad", "xyz"} {
		for part, folder := range map[string]string{"data": "testdata", "submissions": "solutions"} {
			if err := os.CopyFS(filepath.Join(dir, folder, id), os.DirFS(filepath.Join("../transcript/sum", part))); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile("../transcript/sum/problem.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if id == "bad" {
			text = []byte("limits: fast\n")
		}
		file := filepath.Join(dir, "problems", id, "problem.yaml")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct{ name, args, opened string }{
		{"all where nothing is named", "", "abc bad! xyz"},
		{"a problem by its name", "abc", "abc"},
		{"two problems", "xyz abc", "abc xyz"},
		{"a problem by its folder", "problems/xyz", "xyz"},
		{"a file of a problem", "solutions/xyz/accepted/sum.sh", "xyz"},
		{"a name of a submission may be anyone's", "abc sum.sh", "abc bad! xyz"},
		{"a glob may cover any", "a*", "abc bad! xyz"},
	} {
		h, err := Open(language.Builtin, strings.Fields(c.args))
		if err != nil {
			t.Fatal(c.name, err)
		}
		var opened []string
		for _, s := range h.sources {
			id := s.ID
			if h.isBroken(id) {
				id += "!"
			}
			opened = append(opened, id)
		}
		h.Close()
		if got := strings.Join(opened, " "); got != c.opened {
			t.Errorf("%s: judge run %s opens %s, expected %s", c.name, c.args, got, c.opened)
		}
	}
}
