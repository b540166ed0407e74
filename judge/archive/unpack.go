package archive

import (
	"context"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Unpacking says what becomes of a package that is unpacked.
type Unpacking struct {
	ID    string // "" means the source's name
	Whole bool   // into one folder, not into a repository's three
	Force bool   // what lies there is replaced
}

// An Unpacked says what was laid out, and where.
type Unpacked struct {
	ID      string
	Folders []string
	Files   int
	Bytes   int64
	Left    []string // names that the format ignores and that look as if they were meant
}

// Unpack lays a package out below root, as a repository has it: all of it, or
// nothing. The package need not be sound; it must have a problem.yaml.
func (u Unpacking) Unpack(ctx context.Context, s *problem.Source, root string) (un *Unpacked, err error) {
	id, err := u.id(s)
	if err != nil {
		return nil, err
	}
	w, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	if f, err := problem.OpenRegular(s, "problem.yaml"); err != nil {
		return nil, err
	} else if err := f.Close(); err != nil {
		return nil, err
	}
	places := problem.Places(root, id, u.Whole)
	if !u.Force {
		for _, p := range places {
			if _, err := os.Lstat(p.Dir); err == nil {
				return nil, fmt.Errorf("%s: exists already; --force replaces the problem", p.Dir)
			}
		}
	}
	st := &stage{replace: u.Force}
	defer func() { err = errors.Join(err, st.end()) }()
	un = &Unpacked{ID: id, Files: len(w.Files), Left: w.Meant()}
	if un.Bytes, err = layOut(st, w, places); err != nil {
		return nil, err
	}
	if err := st.commit(ctx, nil); err != nil {
		return nil, err
	}
	for _, m := range st.moves {
		if m.from != "" {
			un.Folders = append(un.Folders, m.to)
		}
	}
	return un, nil
}

// id is the problem's name: that of the archive, or else of the folder in it.
func (u Unpacking) id(s *problem.Source) (string, error) {
	if u.ID != "" {
		if !problem.PackageName.MatchString(u.ID) {
			return "", fmt.Errorf("problem id %s: want lowercase letters and digits only", text.QuoteName(u.ID))
		}
		return u.ID, nil
	}
	id := s.ID
	if s.Zip != nil && !problem.PackageName.MatchString(id) && s.Zip.Prefix != "" {
		id = s.Zip.Prefix
	}
	if !problem.PackageName.MatchString(id) {
		return "", &problem.Defect{File: s.Path, Msg: fmt.Sprintf("problem id %s: the format wants lowercase letters and digits only; --id gives another", text.QuoteName(id))}
	}
	return id, nil
}

// layOut writes a package's files beside the places that they belong to.
func layOut(st *stage, w *problem.Listing, places []problem.Place) (bytes int64, err error) {
	l := newLayout(st, places)
	defer func() { err = errors.Join(err, l.close()) }()
	for _, f := range w.Files {
		err := w.CopyFile(f, func(from io.Reader) error {
			n, err := l.write(f.Name, from, f.Executable)
			bytes += n
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	return bytes, nil
}

// A layout is a package being written, part by part, beside the places that
// its parts belong to.
type layout struct {
	st     *stage
	places []problem.Place
	roots  []*os.Root // nil for a part without files so far
	moves  []move
}

func newLayout(st *stage, places []problem.Place) *layout {
	l := &layout{st, places, make([]*os.Root, len(places)), make([]move, len(places))}
	for i, p := range places {
		l.moves[i].to = p.Dir
	}
	return l
}

// part returns the folder that a name of the package is written below, and the
// name in it.
func (l *layout) part(name string) (*os.Root, string, error) {
	i, rest := problem.PlaceOfName(l.places, name)
	if l.roots[i] != nil {
		return l.roots[i], rest, nil
	}
	tmp, err := l.st.beside(filepath.Dir(l.places[i].Dir))
	if err != nil {
		return nil, "", err
	}
	dir := filepath.Join(tmp, filepath.Base(l.places[i].Dir))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, "", err
	}
	l.moves[i].from = dir
	l.roots[i], err = os.OpenRoot(dir)
	return l.roots[i], rest, err
}

func (l *layout) write(name string, from io.Reader, executable bool) (int64, error) {
	root, rest, err := l.part(name)
	if err != nil {
		return 0, err
	}
	return layFile(root, rest, from, executable)
}

func (l *layout) mkdir(name string) error {
	root, rest, err := l.part(name)
	if err != nil {
		return err
	}
	return root.MkdirAll(filepath.FromSlash(rest), 0o755)
}

// close hands what was written to the stage. The folders are closed then, as
// Windows moves none that is open.
func (l *layout) close() error {
	var errs []error
	for _, r := range l.roots {
		if r != nil {
			errs = append(errs, r.Close())
		}
	}
	l.st.moves = append(l.st.moves, l.moves...)
	return errors.Join(errs...)
}
