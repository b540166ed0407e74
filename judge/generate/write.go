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

// Update writes the files of a generated case that are not in the package, or
// are there and are not the same, and returns their extensions, the keys of
// g.Files. They are written under other names first and take their own
// together, so that a judge that is stopped leaves no half of a case. Dry only
// says which it would write.
func Update(s *problem.Source, g *Generated, dry bool) (exts []string, err error) {
	for _, ext := range slices.Sorted(maps.Keys(g.Files)) {
		if !g.Files[ext].is(s, "data/"+g.Path(ext)) {
			exts = append(exts, ext)
		}
	}
	if dry || exts == nil {
		return exts, nil
	}
	if s.Zip != nil {
		return nil, &problem.Defect{File: s.Path, Msg: "is a zip, which the judge does not modify: unpack it first"}
	}
	type file struct {
		root     *os.Root
		from, to string
	}
	var files []file
	defer func() {
		for _, f := range files {
			f.root.Remove(f.from) // there only if something went wrong
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

// writeTo writes the file to a new one, and looks whether it is what it was
// when it was made.
func (m *Made) writeTo(root *os.Root, name string) error {
	from, err := m.open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	sum, _, err := sumOfReader(io.TeeReader(from, to))
	if err == nil && sum != m.Sum {
		err = errors.New("was changed by another program after it was made")
	}
	return errors.Join(err, to.Close())
}

// A Stray is a file in data/ that generators.yaml does not make.
type Stray struct {
	Name  string // below data/
	Known bool   // it is pinned and as it was when it was made, so nothing is lost with it
	Why   string // what is known of it, for people
}

// Strays finds the files in data/ that the plan does not make: files of cases
// that are not in it, files that its cases do not have any more, and whatever
// is pinned. A folder such as invalid_input that the plan says nothing of is
// left to those who filled it by hand. Made holds what was made, by path; a case of the plan that was
// not made has no strays. Files of other kinds are nobody's business.
func Strays(fsys fs.FS, plan *Plan, pins Pins, made map[string]bool) ([]Stray, error) {
	planned := Planned(plan)
	roots := rootsOf(plan)
	var all []Stray
	err := fs.WalkDir(fsys, "data", func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "data" {
			return fs.SkipAll
		}
		if err != nil {
			return problem.Unreadable(fsys, name, err)
		}
		if name == "data" || e.IsDir() && !problem.IgnoredName(e.Name()) {
			return nil
		}
		if problem.IgnoredName(e.Name()) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		name = strings.TrimPrefix(name, "data/")
		root, _, _ := strings.Cut(name, "/")
		if _, pinned := pins[name]; !pinned && !roots[root] {
			return nil
		}
		if stray, ok := strayOf(fsys, name, planned, pins, made); ok {
			all = append(all, stray)
		}
		return nil
	})
	return all, err
}

// rootsOf tells which folders of data/ the plan speaks for.
func rootsOf(plan *Plan) map[string]bool {
	roots := map[string]bool{"sample": true, "secret": true}
	for _, c := range plan.Cases {
		root, _, _ := strings.Cut(c.Name, "/")
		roots[root] = true
	}
	return roots
}

// strayOf says whether one file is a stray.
func strayOf(fsys fs.FS, name string, planned func(string) bool, pins Pins, made map[string]bool) (Stray, bool) {
	owner, ext := ownerOf(name)
	pin, pinned := pins[name]
	if made[name] || !pinned && ext == "" {
		return Stray{}, false
	}
	if ext != "" && planned(name) && !made[owner+".in"] && !made[owner+".in.download"] {
		return Stray{}, false // its case was not made this time
	}
	s := Stray{Name: name, Why: "was not generated"}
	if pinned {
		s.Known = (&Made{Sum: pin, Size: -1}).is(fsys, "data/"+name)
		s.Why = "was generated, and changed since"
		if s.Known {
			s.Why = "was generated"
		}
	}
	return s, true
}

// ownerOf cuts the name of a file below data/ into that of its case and what
// is behind it; ext is "" where it is no file of a case.
func ownerOf(name string) (owner, ext string) {
	if i := strings.Index(name, ".files/"); i >= 0 {
		return name[:i], name[i:]
	}
	for _, ext := range byLength(madeExtensions) {
		if owner, ok := strings.CutSuffix(name, ext); ok && path.Base(owner) != "." && !slices.Contains([]string{"test_group", "testdata"}, path.Base(owner)) {
			return owner, ext
		}
	}
	return name, ""
}

// byLength puts the longest first: "1.in.statement" is not of a case "1.in".
func byLength(all []string) []string {
	return slices.SortedStableFunc(slices.Values(all), func(a, b string) int { return len(b) - len(a) })
}

// Remove removes files of the package, by their names below data/, and the
// folders below sample, secret and the like that are empty then.
func Remove(s *problem.Source, names []string) error {
	if s.Zip != nil {
		return &problem.Defect{File: s.Path, Msg: "is a zip, which the judge does not modify: unpack it first"}
	}
	for _, name := range names {
		p, rest := s.Locate("data/" + name)
		if p.Root == nil {
			continue
		}
		own, err := p.ToWrite()
		if err != nil {
			return err
		}
		if err := own.Remove(filepath.FromSlash(rest)); err != nil {
			return err
		}
		for dir := path.Dir(name); strings.Contains(dir, "/"); dir = path.Dir(dir) {
			_, rest := s.Locate("data/" + dir)
			if own.Remove(filepath.FromSlash(rest)) != nil {
				break // not empty
			}
		}
	}
	return nil
}

// Planned returns what says of a file below data/ whether it is one of a case
// in the plan, or the settings of a folder.
func Planned(plan *Plan) func(name string) bool {
	planned := make(map[string]bool)
	for _, c := range plan.Cases {
		planned[c.Name] = true
	}
	for _, g := range plan.Groups {
		planned[path.Join(g.Name, g.SettingsFile)] = g.SettingsFile != ""
	}
	return func(name string) bool {
		owner, _ := ownerOf(name)
		return planned[owner]
	}
}
