package osfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestDraft(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	broken := errors.New("broken")
	for _, c := range []struct {
		fact, name string
		root       *os.Root
		end        func(*Draft) error
		contents   string
		err        error
	}{
		{"a committed draft has its name", filepath.Join(dir, "a"), nil, func(d *Draft) error { return d.Commit(nil) }, "new", nil},
		{"a draft in a root, too", "a", root, func(d *Draft) error { return d.Commit(nil) }, "new", nil},
		{"an error leaves the old file", filepath.Join(dir, "a"), nil, func(d *Draft) error { return d.Commit(broken) }, "old", broken},
		{"a discarded draft leaves the old file", "a", root, (*Draft).Discard, "old", nil},
		{"discarding a committed draft does nothing", "a", root, func(d *Draft) error { return errors.Join(d.Commit(nil), d.Discard()) }, "new", nil},
	} {
		t.Run(c.fact, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := NewDraft(c.root, c.name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.WriteString("new"); err != nil {
				t.Fatal(err)
			}
			if err := c.end(d); !errors.Is(err, c.err) {
				t.Errorf("error %v, expected %v", err, c.err)
			}
			if got, _ := os.ReadFile(filepath.Join(dir, "a")); string(got) != c.contents {
				t.Errorf("contents %q, expected %q", got, c.contents)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 {
				t.Errorf("the folder has %v, expected one file", left)
			}
		})
	}
	if _, err := NewDraft(root, "../b"); err == nil {
		t.Error("a draft left its root")
	}
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	one, other := open(), open()
	if Locked(other) {
		t.Error("a new file is locked")
	}
	if err := Lock(one); err != nil {
		t.Skipf("no locks here: %v", err)
	}
	if !Locked(other) {
		t.Skip("no locks here")
	}
	if err := Lock(other); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v, expected %v", err, ErrLocked)
	}
	one.Close()
	if err := Lock(other); err != nil {
		t.Errorf("closing the file left it locked: %v", err)
	}
}
