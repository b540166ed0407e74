package judge

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Workplaces are the working folders of one program. A submission starts in a
// folder that holds its files and nothing else (2025-09, "Working directory").
// Making and removing one costs as much as starting a program, so a folder
// serves again, but only if it is exactly as it was: every run starts from the
// same state, whatever an earlier one did.
type workplaces struct {
	mu    sync.Mutex
	spare []string
}

const filePerm = 0o644

// workplace returns a folder with the program's files, below tmp.
func (b *built) workplace(tmp string) (string, error) {
	b.places.mu.Lock()
	if n := len(b.places.spare); n > 0 {
		dir := b.places.spare[n-1]
		b.places.spare = b.places.spare[:n-1]
		b.places.mu.Unlock()
		return dir, nil
	}
	b.places.mu.Unlock()
	dir, err := os.MkdirTemp(tmp, "run-")
	if err != nil {
		return "", err
	}
	return dir, b.layOut(dir)
}

// layOut puts the submitted files into a folder.
func (b *built) layOut(dir string) error {
	if b.tree != "" {
		return os.CopyFS(dir, os.DirFS(b.tree))
	}
	for name, data := range b.sources {
		if err := writeBelow(dir, name, data); err != nil {
			return err
		}
	}
	return nil
}

// leave gives a folder back after a run.
func (b *built) leave(dir string) error {
	if !b.untouched(dir) {
		return removeAll(dir)
	}
	b.places.mu.Lock()
	defer b.places.mu.Unlock()
	b.places.spare = append(b.places.spare, dir)
	return nil
}

// removeAll removes a folder also when whoever wrote to it took away the
// rights that removing needs.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	filepath.WalkDir(dir, func(name string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() {
			os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// untouched reports whether a folder holds the program's files as they were,
// and nothing else. Times are not compared: they are too coarse to prove that
// nothing was written.
func (b *built) untouched(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || b.tree != "" || len(entries) != len(b.sources) {
		return false
	}
	for _, e := range entries {
		want, ok := b.sources[e.Name()]
		if !ok || !e.Type().IsRegular() {
			return false
		}
		info, err := e.Info()
		if err != nil || info.Size() != int64(len(want)) || info.Mode().Perm()&0o133 != 0 {
			return false
		}
		have, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || !bytes.Equal(have, want) {
			return false
		}
	}
	info, err := os.Lstat(dir)
	return err == nil && info.Mode().Perm() == 0o700
}

// vacate removes the folders that wait to serve again.
func (b *built) vacate() error {
	b.places.mu.Lock()
	defer b.places.mu.Unlock()
	var errs []error
	for _, dir := range b.places.spare {
		errs = append(errs, os.RemoveAll(dir))
	}
	b.places.spare = nil
	return errors.Join(errs...)
}

// writeBelow writes one file of a package below a real folder.
func writeBelow(dir, name string, data []byte) error {
	to := filepath.Join(dir, filepath.FromSlash(name))
	if strings.Contains(name, "/") {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
	}
	return os.WriteFile(to, data, filePerm)
}
