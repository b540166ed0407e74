package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A package of the format is one folder. In a repository it is split in three
// by who reads it, and this file is the only one that knows:
//
//	problems/ID/    everything else
//	solutions/ID/   the package's submissions/
//	testdata/ID/    the package's data/

// A Source is a package before it is opened: a folder, a split folder or a
// zip, all read as one file system that knows where its files really lie.
type Source struct {
	ID   string // base name, without .zip or .kpp
	Path string // folder or zip, as it is to be shown

	parts []part // the first whose prefix holds a name serves it
	zip   *zipFS
}

// A part is one real folder of a package.
type part struct {
	prefix string // in the package: "submissions", "data", or "" for the rest
	dir    string
	root   *os.Root // keeps symbolic links from leading out; nil if there is no such folder
	at     string   // dir below root, as a path: "." where they are the same
	own    *os.Root // dir itself, for what is written; nil until something is
}

// in returns what the root calls a name of the part.
func (p *part) in(name string) string { return filepath.FromSlash(path.Join(p.at, name)) }

// toWrite makes and opens the part's own folder. Unlike what is read, what is
// written or removed stays in it.
func (p *part) toWrite() (*os.Root, error) {
	if p.own != nil {
		return p.own, nil
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if p.own, err = os.OpenRoot(p.dir); err == nil && p.root == nil {
		p.root, err = os.OpenRoot(p.dir)
		p.at = "."
	}
	return p.own, err
}

// Close releases the folders that the source holds open.
func (s *Source) Close() error {
	var errs []error
	for _, p := range s.parts {
		for _, root := range []*os.Root{p.root, p.own} {
			if root != nil {
				errs = append(errs, root.Close())
			}
		}
	}
	if s.zip != nil {
		errs = append(errs, s.zip.Close())
	}
	return errors.Join(errs...)
}

// Folder returns the package in one folder.
func Folder(dir string) (*Source, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Source{ID: filepath.Base(abs), Path: dir}
	return s, s.add("", dir)
}

// split returns the package that lies in a repository's three folders. A
// package under problems/ that brings its own submissions/ or data/ keeps it.
func split(root, id string) (*Source, error) {
	places := Places(root, id, false)
	s := &Source{ID: id, Path: places[len(places)-1].Dir}
	for _, p := range places[:len(places)-1] {
		if isDir(filepath.Join(s.Path, p.Part)) {
			continue
		}
		if !isDir(p.Dir) {
			s.parts = append(s.parts, part{prefix: p.Part, dir: p.Dir})
			continue
		}
		if err := s.addOneOf(p.Part, p.Dir); err != nil {
			return nil, err
		}
	}
	return s, s.addOneOf("", s.Path)
}

// A Place is where one part of a package lies.
type Place struct {
	Part string // "submissions", "data", or "" for everything else
	Dir  string
}

// Places says where the parts of the problem of that id lie below root: in the
// three folders of a repository or, if whole, in one folder of the package's
// own. The place of everything else comes last.
func Places(root, id string, whole bool) []Place {
	if whole {
		return []Place{{"", filepath.Join(root, id)}}
	}
	return []Place{
		{"submissions", filepath.Join(root, "solutions", id)},
		{"data", filepath.Join(root, "testdata", id)},
		{"", filepath.Join(root, "problems", id)},
	}
}

// IsRepository reports whether packages below root are split in three.
func IsRepository(root string) bool { return isDir(filepath.Join(root, "problems")) }

// isSplit reports whether the package at problems/id is one of a repository,
// whose submissions and data lie elsewhere, and not a whole one in a folder that
// happens to be called problems.
func isSplit(root, id string) bool {
	for _, p := range Places(root, id, false)[:2] {
		if isDir(p.Dir) {
			return true
		}
	}
	for _, part := range []string{"data", "submissions"} {
		if isDir(filepath.Join(root, "problems", id, part)) {
			return false
		}
	}
	return isDir(filepath.Join(root, "solutions")) || isDir(filepath.Join(root, "testdata"))
}

// In returns where a file of the package really lies, by its name in it.
func In(places []Place, name string) string {
	i, rest := placeOfName(places, name)
	return filepath.Join(places[i].Dir, filepath.FromSlash(rest))
}

// placeOfName finds which of the places a name of the package belongs to, and
// the name in it.
func placeOfName(places []Place, name string) (i int, rest string) {
	last := len(places) - 1
	for i, p := range places[:last] {
		if rest, ok := strings.CutPrefix(name, p.Part+"/"); ok {
			return i, rest
		}
	}
	return last, name
}

// add adds a folder whose symbolic links may lead to what is in it.
func (s *Source) add(prefix, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	s.parts = append(s.parts, part{prefix: prefix, dir: dir, root: root, at: "."})
	return nil
}

// addOneOf adds a folder of a repository, whose symbolic links may also lead
// to the folders beside it: problems that are variations of each other share
// a generator so. [Pack] writes what they lead to, since a package stands
// alone.
func (s *Source) addOneOf(prefix, dir string) error {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return s.add(prefix, dir) // itself a link, which may lead anywhere
	}
	root, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return err
	}
	s.parts = append(s.parts, part{prefix: prefix, dir: dir, root: root, at: filepath.Base(dir)})
	return nil
}

// locate finds the part that serves a name, and the name in it.
func (s *Source) locate(name string) (*part, string) {
	for i := range s.parts {
		p := &s.parts[i]
		switch {
		case p.prefix == "":
			return p, name
		case name == p.prefix:
			return p, "."
		case strings.HasPrefix(name, p.prefix+"/"):
			return p, name[len(p.prefix)+1:]
		}
	}
	return nil, ""
}

// Open opens a file or folder of the package by its name in the format.
func (s *Source) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if s.zip != nil {
		return s.zip.Open(name)
	}
	p, rest := s.locate(name)
	if p.root == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return p.root.Open(p.in(rest))
}

// Stat tells of a file or folder without opening it: opening a pipe would wait
// for its other end.
func (s *Source) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	if s.zip != nil {
		return fs.Stat(s.zip, name)
	}
	p, rest := s.locate(name)
	if p.root == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return p.root.Stat(p.in(rest))
}

// ReadDir lists a folder of the package, in order.
func (s *Source) ReadDir(name string) ([]fs.DirEntry, error) {
	if s.zip != nil {
		return fs.ReadDir(s.zip, name)
	}
	p, rest := s.locate(name)
	if p.root == nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	entries, err := fs.ReadDir(p.root.FS(), path.Join(p.at, rest))
	if err != nil || name != "." {
		return entries, err
	}
	for i := range s.parts {
		if prefix := s.parts[i].prefix; prefix != "" && s.parts[i].root != nil {
			info, err := s.parts[i].root.Stat(s.parts[i].in("."))
			if err != nil {
				return nil, err
			}
			entries = append(entries, fs.FileInfoToDirEntry(renamed{info, prefix}))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

type renamed struct {
	fs.FileInfo
	name string
}

func (r renamed) Name() string { return r.name }

// Where names the real file behind a name of the package.
func (s *Source) Where(name string) string {
	if s.zip != nil {
		return s.Path + ":" + path.Join(s.zip.prefix, name)
	}
	p, rest := s.locate(name)
	return filepath.Join(p.dir, filepath.FromSlash(rest))
}

// WriteFile writes a file of the package, making the folders above it. A zip
// is not written to.
func (s *Source) WriteFile(name string, data []byte) error {
	if s.zip != nil {
		return &Defect{File: s.Path, Msg: "is a zip, which is not written to: unpack it first"}
	}
	root, rest, err := s.toWrite(name)
	if err != nil {
		return err
	}
	return root.WriteFile(rest, data, 0o644)
}

// Within returns the package's name for a real file or folder, if it is the
// source's own.
func (s *Source) Within(file string) (string, bool) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	if s.zip != nil {
		own, err := filepath.Abs(s.Path)
		return ".", err == nil && own == abs
	}
	for _, p := range s.parts {
		dir, err := filepath.Abs(p.dir)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(dir, abs)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		return path.Join(p.prefix, filepath.ToSlash(rel)), true
	}
	return "", false
}

// Locate returns the package at a path: a folder (also one of a split
// repository's problems/ID) or a zip.
func Locate(name string) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err // not what was called to learn it
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !info.IsDir() {
		if !isZip(name) {
			return nil, fmt.Errorf("%s: want a folder, .zip or .kpp that holds a problem package", name)
		}
		return openZip(name)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if parent := filepath.Dir(abs); filepath.Base(parent) == "problems" && isSplit(filepath.Dir(parent), filepath.Base(abs)) {
		root := filepath.Dir(parent)
		if rel, err := filepath.Rel(mustGetwd(), root); err == nil && !filepath.IsAbs(name) {
			root = rel
		}
		return split(root, filepath.Base(abs))
	}
	return Folder(name)
}

// What is searched for packages below a folder.
const (
	maxArchiveLevels  = 5
	maxArchiveFolders = 10_000
)

// Sources lists the packages below root, by id: those of a repository
// (problems/, solutions/, testdata/), root itself when it is a package, or
// else the zips directly in it and the package folders in it and below, down to
// some levels. Of two packages of one id in one folder the second cannot be
// opened, and the error names both; but a zip that [Pack] made of the package
// beside it is no second one.
func Sources(root string) ([]*Source, error) {
	if isFile(filepath.Join(root, "problem.yaml")) || !isDir(root) {
		s, err := Locate(root)
		if err != nil {
			return nil, err
		}
		return []*Source{s}, nil
	}
	dir := root
	if IsRepository(root) {
		dir = filepath.Join(root, "problems")
	}
	all, level, err := sourcesIn(dir, true)
	if err != nil {
		return nil, err
	}
	for depth, seen := 1, 0; depth < maxArchiveLevels && seen+len(level) <= maxArchiveFolders; depth++ {
		var next []string
		for _, dir := range level {
			found, folders, err := sourcesIn(dir, false)
			if err != nil {
				continue // nobody asked for this folder
			}
			all, next = append(all, found...), append(next, folders...)
		}
		seen, level = seen+len(level), next
	}
	if len(all) == 0 {
		return nil, &Defect{File: root, Msg: "no problem package here: want problem.yaml, a folder problems/, or folders or zips of packages"}
	}
	slices.SortStableFunc(all, func(a, b *Source) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// sourcesIn lists the packages in a folder, zips only if asked for, and its
// folders that are no packages.
func sourcesIn(dir string, zips bool) (all []*Source, folders []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		var s *Source
		switch {
		case ignoredName(e.Name()):
			continue
		case isDir(name) && filepath.Base(dir) == "problems" && isSplit(filepath.Dir(dir), e.Name()):
			s, err = split(filepath.Dir(dir), e.Name())
		case isDir(name) && isFile(filepath.Join(name, "problem.yaml")):
			s, err = Folder(name)
		case e.IsDir():
			folders = append(folders, name)
			continue
		case zips && isFile(name) && isZip(name):
			s, err = openZip(name)
		default:
			continue
		}
		if err != nil {
			s = &Source{ID: trimZip(e.Name()), Path: name, zip: &zipFS{broken: err}}
		}
		if i := slices.IndexFunc(all, func(other *Source) bool { return other.ID == s.ID }); i >= 0 {
			if s.packed() && all[i].zip == nil {
				s.Close()
				continue
			}
			second := &Defect{File: s.Path, Msg: fmt.Sprintf("a second problem %q; the first is %s", s.ID, all[i].Path)}
			s.Close()
			s = &Source{ID: s.ID, Path: s.Path, zip: &zipFS{broken: second}}
		}
		all = append(all, s)
	}
	return all, folders, nil
}

// Find walks up from dir to the repository or package that holds it. Inside
// one problem of a repository, focus is that problem's id; else it is "".
func Find(dir string) (root, focus string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	for at, below := abs, ""; ; {
		switch {
		case isDir(filepath.Join(at, "problems")) && at != filepath.Dir(at):
			if parts := strings.Split(filepath.ToSlash(below), "/"); len(parts) > 1 && slices.Contains([]string{"problems", "solutions", "testdata"}, parts[0]) {
				focus = parts[1]
			}
			return shorten(at), focus, nil
		case isFile(filepath.Join(at, "problem.yaml")) && filepath.Base(filepath.Dir(at)) != "problems":
			return shorten(at), "", nil
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		below = filepath.Join(filepath.Base(at), below)
		at = up
	}
	if s, err := Sources(abs); err == nil {
		for _, one := range s {
			one.Close()
		}
		return shorten(abs), "", nil
	}
	return "", "", fmt.Errorf("%s: no problem package here or above: want problem.yaml, or a folder problems/; judge new ID makes a first problem", dir)
}

// shorten writes a path relative to the working folder where that is shorter.
func shorten(abs string) string {
	rel, err := filepath.Rel(mustGetwd(), abs)
	if err != nil || len(rel) > len(abs) {
		return abs
	}
	return rel
}

func mustGetwd() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return wd
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
