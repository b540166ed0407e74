package build

import (
	"bytes"
	"crucible/judge/internal/osfile"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Workplaces are the working folders of one program. A submission starts in a
// folder that holds its files and nothing else (2025-09, "Working directory").
// Making and removing one costs as much as starting a program, and a box is
// ready sooner if it has shown the same folder before. So a folder serves again,
// but only if it is exactly as it was: every run starts from the same state,
// whatever an earlier one did.
type workplaces struct {
	mu    sync.Mutex
	spare []string
}

// Folder returns a folder with the program's files, below tmp.
func (b *Program) Folder(tmp string) (string, error) {
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
	// In a box the program is another user. The folder above keeps out those who
	// are not in one.
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	return dir, b.layOut(dir)
}

// layOut puts the submitted files into a folder.
func (b *Program) layOut(dir string) error {
	if b.Tree != "" {
		// The umask may have taken from others what they need.
		return errors.Join(os.CopyFS(dir, os.DirFS(b.Tree)), osfile.Adopt(dir))
	}
	for name, data := range b.Sources {
		if err := osfile.WriteBelow(dir, name, data); err != nil {
			return err
		}
	}
	return nil
}

// Leave gives a folder back after a run. Unchanged says that neither the
// program nor the judge can have changed anything in it.
func (b *Program) Leave(dir string, unchanged bool) error {
	if !unchanged && !b.untouched(dir) {
		return osfile.RemoveAll(dir)
	}
	b.places.mu.Lock()
	defer b.places.mu.Unlock()
	b.places.spare = append(b.places.spare, dir)
	return nil
}

// untouched reports whether a folder holds the program's files as they were,
// and nothing else. Times are not compared: they are too coarse to prove that
// nothing was written.
func (b *Program) untouched(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || b.Tree != "" || len(entries) != len(b.Sources) {
		return false
	}
	for _, e := range entries {
		want, ok := b.Sources[e.Name()]
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
	return err == nil && info.Mode().Perm() == 0o755
}

// Vacate removes the folders that wait to serve again.
func (b *Program) Vacate() error {
	b.places.mu.Lock()
	defer b.places.mu.Unlock()
	var errs []error
	for _, dir := range b.places.spare {
		errs = append(errs, osfile.RemoveAll(dir))
	}
	b.places.spare = nil
	return errors.Join(errs...)
}
