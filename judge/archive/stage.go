package archive

import (
	"context"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A stage keeps files beside where they belong until all are written, and then
// moves them there: all of them, or none. Its folders have names that the
// format ignores, in case the judge is killed between.
type stage struct {
	replace bool     // what lies where files belong goes, and comes back should the others fail
	tmp     []string // folders to be removed at the end
	made    []string // folders made above targets, which go if nothing was moved
	moves   []move
	done    bool
}

type move struct {
	from string // "" if what is at to only goes
	to   string
	old  string // where what was at to has gone; "" if there was nothing
}

// beside makes a temporary folder in a folder, which is made as well.
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

// mkdir makes a folder and those above it, and remembers which were not there.
func (s *stage) mkdir(dir string) error {
	if osfile.IsDir(dir) {
		return nil
	}
	if _, err := os.Lstat(dir); err == nil {
		return &problem.Defect{File: dir, Msg: "is no folder"}
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

// commit moves everything to where it belongs, and asks whether it is sound
// there, if check is not nil. After an error all is as before.
func (s *stage) commit(ctx context.Context, check func() error) error {
	for i := range s.moves {
		err := context.Cause(ctx)
		if err == nil {
			err = s.moveOne(&s.moves[i])
		}
		if err != nil {
			return errors.Join(err, s.undo(i))
		}
	}
	if check != nil {
		if err := check(); err != nil {
			return errors.Join(err, s.undo(len(s.moves)))
		}
	}
	s.done = true
	return nil
}

func (s *stage) moveOne(m *move) error {
	if _, err := os.Lstat(m.to); err == nil {
		if !s.replace {
			return &problem.Defect{File: m.to, Msg: "exists already"}
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
		m.old = ""
	}
	return err
}

// undo takes the first n moves back.
func (s *stage) undo(n int) error {
	var errs []error
	for i := n - 1; i >= 0; i-- {
		m := &s.moves[i]
		if m.from != "" {
			errs = append(errs, os.Rename(m.to, m.from))
		}
		if m.old != "" {
			errs = append(errs, os.Rename(m.old, m.to))
		}
	}
	return errors.Join(errs...)
}

// end removes what is not needed any more.
func (s *stage) end() error {
	var errs []error
	for _, tmp := range s.tmp {
		errs = append(errs, osfile.RemoveAll(tmp))
	}
	if !s.done {
		for i := len(s.made) - 1; i >= 0; i-- {
			// Not if somebody else has put something there meanwhile.
			os.Remove(s.made[i])
		}
	}
	return errors.Join(errs...)
}

// layFile writes a new file below a folder, and the folders above it.
func layFile(root *os.Root, name string, from io.Reader, executable bool) (int64, error) {
	name = filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return 0, err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%s: the file system here takes it for another file of the package", name)
	}
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, from)
	return n, errors.Join(err, f.Close())
}
