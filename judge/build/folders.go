package build

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"crucible/judge/internal/osfile"
)

// workingFolders are the working folders of one program that are not in use. A
// submission starts in a folder that contains only its files (2025-09, "Working
// directory"). Making and removing a folder takes as long as starting a program, and
// a box starts faster with a folder that it has used before. So folders are used
// again, but only if they are unchanged: every run starts from the same state,
// independently of earlier runs.
type workingFolders struct {
	mu    sync.Mutex
	spare []string
}

// Folder returns a working folder with the program's files, below tmp. The caller
// gives it back by [Program.Leave].
func (p *Program) Folder(tmp string) (string, error) {
	p.folders.mu.Lock()
	if n := len(p.folders.spare); n > 0 {
		dir := p.folders.spare[n-1]
		p.folders.spare = p.folders.spare[:n-1]
		p.folders.mu.Unlock()
		return dir, nil
	}
	p.folders.mu.Unlock()
	dir, err := os.MkdirTemp(tmp, "run-")
	if err != nil {
		return "", err
	}
	// In a box the program runs as another user. Users outside of a box have no
	// access to the folder above.
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	if p.Tree != "" {
		// The umask may have removed permissions that other users need.
		return dir, errors.Join(os.CopyFS(dir, os.DirFS(p.Tree)), osfile.Adopt(dir))
	}
	for name, data := range p.Sources {
		if err := osfile.WriteBelow(dir, name, data); err != nil {
			return dir, err
		}
	}
	return dir, nil
}

// Leave gives a folder back after a run. Unchanged means that neither the program
// nor the judge can have changed anything in it; otherwise it is checked, and
// removed if it has changed.
func (p *Program) Leave(dir string, unchanged bool) error {
	if !unchanged && !p.isUnchanged(dir) {
		return osfile.RemoveAll(dir)
	}
	p.folders.mu.Lock()
	defer p.folders.mu.Unlock()
	p.folders.spare = append(p.folders.spare, dir)
	return nil
}

// isUnchanged reports whether a folder contains exactly the program's files. Times
// are not compared: they are too coarse to prove that nothing was written.
func (p *Program) isUnchanged(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || p.Tree != "" || len(entries) != len(p.Sources) {
		return false
	}
	for _, e := range entries {
		source, ok := p.Sources[e.Name()]
		if !ok || !e.Type().IsRegular() {
			return false
		}
		info, err := e.Info()
		if err != nil || info.Size() != int64(len(source)) || info.Mode().Perm()&0o133 != 0 {
			return false
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || !bytes.Equal(data, source) {
			return false
		}
	}
	info, err := os.Lstat(dir)
	return err == nil && info.Mode().Perm() == 0o755
}

// Vacate removes the folders that are not in use.
func (p *Program) Vacate() error {
	p.folders.mu.Lock()
	defer p.folders.mu.Unlock()
	var errs []error
	for _, dir := range p.folders.spare {
		errs = append(errs, osfile.RemoveAll(dir))
	}
	p.folders.spare = nil
	return errors.Join(errs...)
}
