package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/problem"
)

// layFiles writes files below a folder and returns it.
func layFiles(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, data := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(data), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// contents reads all files below a folder. The names of empty folders end in a slash.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		if e.IsDir() {
			entries, err := os.ReadDir(at)
			if len(entries) == 0 {
				found[filepath.ToSlash(rel)+"/"] = ""
			}
			return err
		}
		data, err := os.ReadFile(at)
		found[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// An error in any step undoes the steps before it.
func TestAllOrNothing(t *testing.T) {
	old := map[string]string{"a/x": "old a", "b/x": "old b", "c/x": "old c"}
	stop := errors.New("stop")
	for _, c := range []struct {
		fact     string
		replace  bool
		targets  []string
		check    error
		canceled bool
		want     map[string]string // nil: as before, and an error
	}{
		{"new folders", false, []string{"d", "new/e"}, nil, false, map[string]string{"a/x": "old a", "b/x": "old b", "c/x": "old c", "d/x": "new", "new/e/x": "new"}},
		{"old ones are replaced as a whole", true, []string{"a", "c", "d"}, nil, false, map[string]string{"a/x": "new", "b/x": "old b", "c/x": "new", "d/x": "new"}},
		{"one exists", false, []string{"d", "new/e", "b"}, nil, false, nil},
		{"one lies in a file", true, []string{"a", "d", "c/x/e"}, nil, false, nil},
		{"the check fails", true, []string{"a", "d", "new/e"}, stop, false, nil},
		{"interrupted", true, []string{"a", "d"}, nil, true, nil},
	} {
		root := layFiles(t, t.TempDir(), old)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		st := &stage{replace: c.replace}
		tmp, err := st.beside(filepath.Join(root, "above", "tmp"))
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range c.targets {
			from := layFiles(t, filepath.Join(tmp, strings.ReplaceAll(to, "/", "-")), map[string]string{"x": "new"})
			st.moves = append(st.moves, move{from: from, to: filepath.Join(root, filepath.FromSlash(to))})
		}
		if c.canceled {
			cancel()
		}
		err = st.commit(ctx, func() error { return c.check })
		if endErr := st.end(); endErr != nil {
			t.Errorf("%s: %v", c.fact, endErr)
		}
		want := c.want
		if want == nil {
			want = old
		} else {
			want["above/tmp/"] = "" // created, and not removed after success
		}
		if (err == nil) != (c.want != nil) {
			t.Errorf("%s: error %v", c.fact, err)
		}
		if diff := cmp.Diff(want, contents(t, root)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.fact, diff)
		}
	}
}

// A folder with many links is listed once for each link, up to a limit, but not inside
// itself.
func TestListingIsBounded(t *testing.T) {
	link := func(dir, name, to string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	bomb := t.TempDir()
	for _, level := range []string{"a", "b", "c", "d"} {
		for i := range 40 {
			link(bomb, level+"/"+strconv.Itoa(i), "../"+string(level[0]+1))
		}
	}
	os.Mkdir(filepath.Join(bomb, "e"), 0o755)
	deep := t.TempDir()
	os.MkdirAll(filepath.Join(deep, strings.Repeat("d/", problem.MaxListedDepth+1)), 0o755)
	around := layFiles(t, t.TempDir(), map[string]string{"a/x": ""})
	link(around, "a/b/up", "../..")
	shared := layFiles(t, t.TempDir(), map[string]string{"a/x": "", "a/y/z": ""})
	link(shared, "b", "a")
	link(shared, "c/d", "../a/y")
	for _, c := range []struct{ fact, dir, want string }{
		{"a bomb of links", bomb, "more than 1000 symbolic links to folders"},
		{"too deep", deep, "more than 64 folders deep"},
		{"a folder in itself", around, "is a symbolic link to a folder that contains it"},
		{"one folder by several names", shared, ""},
	} {
		s, err := problem.Folder(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.Files(t.Context())
		s.Close()
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q in it", c.fact, err, c.want)
			}
			continue
		}
		var names []string
		if err == nil {
			for _, f := range l.Files {
				names = append(names, f.Name)
			}
		}
		if !slices.Equal(names, []string{"a/x", "a/y/z", "b/x", "b/y/z", "c/d/z"}) {
			t.Errorf("%s: %v, %v", c.fact, names, err)
		}
	}
}
