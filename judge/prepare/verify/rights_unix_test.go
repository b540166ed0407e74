//go:build unix

package verify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"crucible/judge/build"
	"crucible/judge/problem"
)

// lowerFiles limits the number of descriptors that the test may have open.
func lowerFiles(t *testing.T, n uint64) {
	t.Helper()
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
			t.Error(err)
		}
	})
}

// Programs in a box run as another user, with any umask of the judge.
func TestUmask(t *testing.T) {
	defer unix.Umask(unix.Umask(0o077))
	tmp := t.TempDir()
	tree := filepath.Join(tmp, "tree")
	script := &build.Program{Tree: tree}
	if err := errors.Join(os.MkdirAll(filepath.Join(tree, "sub"), 0o755), os.WriteFile(filepath.Join(tree, "run"), nil, 0o755), os.WriteFile(filepath.Join(tree, "sub/data"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	file := &build.Program{Sources: map[string][]byte{"a.sh": nil, "sub/b.sh": nil}}
	for _, b := range []*build.Program{script, file} {
		dir, err := b.Folder(tmp)
		if err == nil {
			err = problem.CopyOut(fstest.MapFS{"x": {Data: []byte("x")}}, "x", dir, "own/of/case.txt")
		}
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			want := fs.FileMode(0o644)
			if e.IsDir() || e.Name() == "run" {
				want = 0o755
			}
			if info, err := e.Info(); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has rights %v (%v), want %v", name, info.Mode(), err, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
