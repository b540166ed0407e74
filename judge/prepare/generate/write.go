package generate

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/problem"
)

// Update writes the files of a generated case that the package does not have or that
// differ, and returns their extensions, which are keys of g.Files. All files are
// written under temporary names before they are renamed, so that a judge that is
// stopped does not leave half of a case. If dry is set, Update writes nothing.
func Update(s *problem.Source, g *Result, dry bool) (exts []string, err error) {
	for _, ext := range slices.Sorted(maps.Keys(g.Files)) {
		if !equals(s, "data/"+g.Path(ext), g.Files[ext].Sum) {
			exts = append(exts, ext)
		}
	}
	if dry || exts == nil {
		return exts, nil
	}
	type file struct {
		root     *os.Root
		from, to string
	}
	var files []file
	defer func() {
		for _, f := range files {
			f.root.Remove(f.from) // exists only after an error
		}
	}()
	for _, ext := range exts {
		root, to, err := s.ToWrite("data/" + g.Path(ext))
		if err != nil {
			return nil, err
		}
		from := filepath.Join(filepath.Dir(to), ".writing-"+rand.Text())
		files = append(files, file{root, from, to})
		if err := g.Files[ext].writeTo(root, from); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Where("data/"+g.Path(ext)), err)
		}
	}
	for _, f := range files {
		if err := f.root.Rename(f.from, f.to); err != nil {
			return nil, err
		}
	}
	return exts, nil
}

// writeTo writes the file to a new one, and checks that it has not changed since it was
// made.
func (f *File) writeTo(root *os.Root, name string) error {
	from, err := f.open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	sum, _, err := sumOf(io.TeeReader(from, to))
	if err == nil && sum != f.Sum {
		err = errors.New("was changed by another program after it was made")
	}
	return errors.Join(err, to.Close())
}

// A Stray is a file in data/ that generators.yaml does not make.
type Stray struct {
	Name  string // below data/
	Known bool   // it is pinned and has not changed since it was made, so it can be removed without loss
	Why   string // its origin, as far as known: "was generated"
}

// Strays returns the files in data/ that the plan does not make: files of other cases,
// further files of its cases, and pinned files. It skips folders such as invalid_input
// if the plan has nothing in them, and files that are not part of the format. made has
// the paths of files that were made; a case of the plan that was not made has no
// strays.
func Strays(fsys fs.FS, plan *Plan, pins Pins, made map[string]bool) ([]Stray, error) {
	roots := plan.roots()
	var all []Stray
	err := fs.WalkDir(fsys, "data", func(path string, e fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, "data/")
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == "data":
			return fs.SkipAll
		case err != nil:
			return problem.Unreadable(fsys, path, err)
		case path != "data" && problem.IgnoredName(e.Name()):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir() || made[name]:
			return nil
		}
		owner, ext := ownerOf(name)
		pin, pinned := pins[name]
		switch {
		case !pinned && (ext == "" || !roots[rootOf(name)]):
		case ext != "" && plan.Makes(name) && !made[owner+".in"] && !made[owner+".in.download"]:
			// The case was not made this time.
		case !pinned:
			all = append(all, Stray{name, false, "was not generated"})
		case equals(fsys, path, pin):
			all = append(all, Stray{name, true, "was generated"})
		default:
			all = append(all, Stray{name, false, "was generated, and has changed since"})
		}
		return nil
	})
	return all, err
}

// Remove removes files of the package, by their names below data/, and folders of
// groups that become empty.
func Remove(s *problem.Source, names []string) error {
	for _, name := range names {
		root, rest, err := s.ToWrite("data/" + name)
		if err != nil {
			return err
		}
		if err := root.Remove(rest); err != nil {
			return err
		}
		for dir := path.Dir(name); strings.Contains(dir, "/"); dir = path.Dir(dir) {
			if rest = filepath.Dir(rest); root.Remove(rest) != nil {
				break // not empty
			}
		}
	}
	return nil
}
