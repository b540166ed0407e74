package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
)

// A stage writes files into temporary folders beside their places, and then moves
// all of them to their places or none. The format ignores the names of the
// temporary folders, in case the judge is killed before it removes them.
type stage struct {
	replace bool            // existing files are replaced, and restored if the stage fails
	places  []problem.Place // of the package that is written; the first moves are those of its parts
	tmp     []string        // temporary folders
	made    []string        // new parent folders of places; removed if nothing is moved
	moves   []move
	done    bool
}

// newStage returns a stage that writes a package.
func newStage(places []problem.Place, replace bool) *stage {
	s := &stage{replace: replace, places: places}
	for _, p := range places {
		s.moves = append(s.moves, move{to: p.Dir})
	}
	return s
}

// path returns the temporary path for a name of the package.
func (s *stage) path(name string) (string, error) {
	i, rest := problem.PlaceOfName(s.places, name)
	// Windows opens devices by names such as NUL in any folder.
	if rest != "" && !filepath.IsLocal(filepath.FromSlash(rest)) {
		return "", fmt.Errorf("%s: this system has no file of that name", name)
	}
	m := &s.moves[i]
	if m.from == "" {
		tmp, err := s.beside(filepath.Dir(m.to))
		if err != nil {
			return "", err
		}
		m.from = filepath.Join(tmp, filepath.Base(m.to))
	}
	return filepath.Join(m.from, filepath.FromSlash(rest)), nil
}

// write writes a new file of the package and returns its size in bytes.
func (s *stage) write(name string, from io.Reader, executable bool) (int64, error) {
	at, err := s.path(name)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return 0, err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%s: this file system takes the name for that of another file of the package", name)
	}
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, from)
	return n, errors.Join(err, f.Close())
}

// acceptedFolder adds the folder of accepted submissions. A package without it is invalid.
func (s *stage) acceptedFolder() error {
	at, err := s.path("submissions/accepted")
	if err != nil {
		return err
	}
	return os.MkdirAll(at, 0o755)
}

// folders returns the folders that were written.
func (s *stage) folders() (all []string) {
	for _, m := range s.moves {
		if m.from != "" {
			all = append(all, m.to)
		}
	}
	return all
}

type move struct {
	from string // "" if to is only removed
	to   string
	old  string // temporary path of what to was before; "" if it did not exist
}

// beside creates a temporary folder in dir, and dir if it does not exist.
func (s *stage) beside(dir string) (string, error) {
	if err := s.mkdir(dir); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(dir, ".judge-")
	if err == nil {
		s.tmp = append(s.tmp, tmp)
	}
	return tmp, err
}

// mkdir creates a folder and its parents, and records those that did not exist.
func (s *stage) mkdir(dir string) error {
	if osfile.IsDir(dir) {
		return nil
	}
	if _, err := os.Lstat(dir); err == nil {
		return problem.Defectf(dir, "expected a folder")
	}
	if up := filepath.Dir(dir); up != dir {
		if err := s.mkdir(up); err != nil {
			return err
		}
	}
	err := os.Mkdir(dir, 0o755)
	if err == nil {
		s.made = append(s.made, dir)
	}
	return err
}

// commit moves everything to its place and then calls check, if it is not nil. After
// an error, it moves everything back.
func (s *stage) commit(ctx context.Context, check func() error) error {
	for i := range s.moves {
		err := context.Cause(ctx)
		if err == nil {
			err = s.moveOne(&s.moves[i])
		}
		if err != nil {
			return errors.Join(err, undo(s.moves[:i]))
		}
	}
	if check != nil {
		if err := check(); err != nil {
			return errors.Join(err, undo(s.moves))
		}
	}
	s.done = true
	return nil
}

func (s *stage) moveOne(m *move) error {
	if _, err := os.Lstat(m.to); err == nil {
		if !s.replace {
			return problem.Defectf(m.to, "already exists")
		}
		tmp, err := s.beside(filepath.Dir(m.to))
		if err != nil {
			return err
		}
		old := filepath.Join(tmp, "old")
		if err := os.Rename(m.to, old); err != nil {
			return err
		}
		m.old = old
	}
	if m.from == "" {
		return nil
	}
	err := s.mkdir(filepath.Dir(m.to))
	if err == nil {
		err = os.Rename(m.from, m.to)
	}
	if err != nil && m.old != "" {
		err = errors.Join(err, os.Rename(m.old, m.to))
	}
	return err
}

// undo reverses moves.
func undo(moves []move) error {
	var errs []error
	for _, m := range slices.Backward(moves) {
		if m.from != "" {
			errs = append(errs, os.Rename(m.to, m.from))
		}
		if m.old != "" {
			errs = append(errs, os.Rename(m.old, m.to))
		}
	}
	return errors.Join(errs...)
}

// end removes the temporary folders.
func (s *stage) end() error {
	var errs []error
	for _, tmp := range s.tmp {
		errs = append(errs, osfile.RemoveAll(tmp))
	}
	if !s.done {
		for _, dir := range slices.Backward(s.made) {
			os.Remove(dir) // fails if another program has put a file into it
		}
	}
	return errors.Join(errs...)
}
