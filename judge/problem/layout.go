package problem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/internal/osfile"
)

// A package of the format is one folder. In a repository it is split into three
// folders, and only this file depends on that layout:
//
//	problems/ID/    everything else
//	solutions/ID/   the package's submissions/
//	testdata/ID/    the package's data/

// A Source is the file system of a package: a folder, the split layout of a
// repository, or a zip. [Locate], [Folder], [Split] and [OpenZip] create one. The
// caller must close it.
type Source struct {
	ID   string // base name, without .zip or .kpp
	Path string // path of the folder or zip, for messages

	parts []part // the first one whose prefix matches a name contains it
	Zip   *ZipFS // nil unless the package is a zip
	shown []Place
}

// A part is one real folder of a package.
type part struct {
	prefix string // in the package: "submissions", "data", or "" for the rest
	dir    string
	root   *os.Root // confines symbolic links; nil if the folder does not exist
	folder *os.File // the folder of root; nil if root is
	top    uintptr  // its descriptor
	at     string   // path of dir below root, with slashes; "." if they are the same folder
	own    *os.Root // dir itself, for writing; nil before the first write
}

// Close closes the folders and the zip of the source.
func (s *Source) Close() error {
	var errs []error
	for _, p := range s.parts {
		for _, root := range []*os.Root{p.root, p.own} {
			if root != nil {
				errs = append(errs, root.Close())
			}
		}
		if p.folder != nil {
			errs = append(errs, p.folder.Close())
		}
	}
	if s.Zip != nil {
		errs = append(errs, s.Zip.Close())
	}
	return errors.Join(errs...)
}

// Departures returns the departures of a zip from its format that do not prevent reading.
// They are also among the warnings of a problem in it.
func (s *Source) Departures() []error {
	if s.Zip == nil || s.Zip.departure == nil {
		return nil
	}
	return []error{s.Zip.departure}
}

// Folder opens the package in a single folder. Symbolic links must not lead
// outside it.
func Folder(dir string) (*Source, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Source{ID: filepath.Base(abs), Path: dir}
	return s, s.add("", dir, false)
}

// Split opens the package id in the three folders of the repository root. If
// problems/id has its own submissions/ or data/, that folder is used instead.
func Split(root, id string) (*Source, error) {
	places := Places(root, id, false)
	s := &Source{ID: id, Path: places[len(places)-1].Dir}
	for _, p := range places {
		switch {
		case p.Part != "" && osfile.IsDir(filepath.Join(s.Path, p.Part)):
		case p.Part != "" && !osfile.IsDir(p.Dir):
			s.parts = append(s.parts, part{prefix: p.Part, dir: p.Dir})
		default:
			if err := s.add(p.Part, p.Dir, true); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
	}
	return s, nil
}

// A Place is the folder of one part of a package.
type Place struct {
	Part string `json:"part"` // "submissions", "data", or "" for everything else
	Dir  string `json:"dir"`  // real folder
}

// Places returns the folders of the parts of problem id below root: the three
// folders of a repository or, if whole is set, the single folder root/id. The
// place with Part "" is the last.
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

// IsRepository reports whether root is a repository, that is, has a folder
// problems/.
func IsRepository(root string) bool { return osfile.IsDir(filepath.Join(root, "problems")) }

// isSplit reports whether the package at problems/id has its submissions and data
// in other folders of a repository. Otherwise it is a complete package in a folder
// that is named problems by chance.
func isSplit(root, id string) bool {
	below := func(parts ...string) bool { return osfile.IsDir(filepath.Join(append([]string{root}, parts...)...)) }
	switch {
	case below("solutions", id), below("testdata", id):
		return true
	case below("problems", id, "data"), below("problems", id, "submissions"):
		return false
	}
	return below("solutions") || below("testdata")
}

// In returns the real path of a file, given its name in the package.
func In(places []Place, name string) string {
	i, rest := PlaceOfName(places, name)
	return filepath.Join(places[i].Dir, filepath.FromSlash(rest))
}

// PlaceOfName returns the index of the place that contains a name of the package,
// and the name relative to that place.
func PlaceOfName(places []Place, name string) (i int, rest string) {
	last := len(places) - 1
	for i, p := range places[:last] {
		if rest, ok := strings.CutPrefix(name, p.Part+"/"); ok {
			return i, rest
		}
	}
	return last, name
}

// add adds a folder, whose symbolic links must stay inside it. With shared set, they may
// also lead to the folders beside it, so that variants of a problem in a repository can
// share a generator. A packed package contains copies of the targets.
func (s *Source) add(prefix, dir string, shared bool) error {
	top, at := dir, "."
	// A link may lead out of the repository.
	if info, err := os.Lstat(dir); shared && err == nil && info.IsDir() {
		top, at = filepath.Dir(dir), filepath.Base(dir)
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	folder, err := root.Open(".")
	if err != nil {
		return errors.Join(err, root.Close())
	}
	s.parts = append(s.parts, part{prefix: prefix, dir: dir, root: root, folder: folder, top: folder.Fd(), at: at})
	return nil
}

// locate returns the part that contains a name, and the name relative to it. A zip has
// no parts.
func (s *Source) locate(name string) (*part, string) {
	for i := range s.parts {
		p := &s.parts[i]
		rest, below := strings.CutPrefix(name, p.prefix+"/")
		switch {
		case p.prefix == "":
			return p, name
		case name == p.prefix:
			return p, "."
		case below:
			return p, rest
		}
	}
	return nil, ""
}

// in returns the file system that contains a name of the package, and the name in it.
func (s *Source) in(op, name string) (fsys fs.FS, at string, err error) {
	p, rest := s.locate(name)
	switch {
	case !fs.ValidPath(name):
		err = fs.ErrInvalid
	case s.Zip != nil:
		return s.Zip, name, nil
	case p.root == nil:
		err = fs.ErrNotExist
	default:
		return p.root.FS(), path.Join(p.at, rest), nil
	}
	return nil, "", &fs.PathError{Op: op, Path: name, Err: err}
}

// Open opens a file or folder of the package by its name in the format.
func (s *Source) Open(name string) (fs.File, error) {
	fsys, at, err := s.in("open", name)
	if err != nil {
		return nil, err
	}
	return fsys.Open(at)
}

// openRegular is [OpenRegular], which looks up a usual name only once. What embeds a source
// may have other files.
func (s *Source) openRegular(of fs.FS, name string) (fs.File, error) {
	if p, rest := s.locate(name); of == fs.FS(s) && fs.ValidPath(name) && p != nil && p.root != nil {
		if f, err := osfile.OpenBelow(p.root, p.top, path.Join(p.at, rest)); err == nil {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				return f, nil
			}
			f.Close()
		}
	}
	return openRegular(of, name) // returns the error
}

// Stat describes a file or folder of the package. It follows symbolic links. It
// does not open the file, because opening a pipe waits for its other end.
func (s *Source) Stat(name string) (fs.FileInfo, error) {
	fsys, at, err := s.in("stat", name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(fsys, at)
}

// ReadDir lists a folder of the package, sorted by name.
func (s *Source) ReadDir(name string) ([]fs.DirEntry, error) {
	fsys, at, err := s.in("readdir", name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, at)
	if err != nil || name != "." {
		return entries, err
	}
	for _, p := range s.parts {
		if p.prefix != "" && p.root != nil {
			info, err := fs.Stat(p.root.FS(), p.at)
			if err != nil {
				return nil, err
			}
			entries = append(entries, fs.FileInfoToDirEntry(renamedInfo{info, p.prefix}))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// renamedInfo describes a folder by another name.
type renamedInfo struct {
	fs.FileInfo
	name string
}

func (r renamedInfo) Name() string { return r.name }

// Where returns the real path of a name of the package, for messages. In a zip it
// is the path of the zip, a colon, and the path in the zip.
func (s *Source) Where(name string) string {
	if s.shown != nil {
		i := slices.IndexFunc(s.shown, func(p Place) bool {
			return p.Part == "" || name == p.Part ||
				strings.HasPrefix(name, p.Part+"/")
		})
		dir, rest := s.shown[i].Dir, strings.TrimPrefix(strings.TrimPrefix(name, s.shown[i].Part), "/")
		if strings.HasSuffix(dir, ":") {
			return dir + path.Clean(rest)
		}
		return filepath.Join(dir, filepath.FromSlash(rest))
	}
	if s.Zip != nil {
		return s.Path + ":" + path.Join(s.Zip.Prefix, name)
	}
	p, rest := s.locate(name)
	return filepath.Join(p.dir, filepath.FromSlash(rest))
}

// Shown returns the paths of the parts of the package that [Source.Where] gives for
// messages; the last one has Part "". That of a zip ends with a colon if the package is
// not in a folder of it.
func (s *Source) Shown() []Place {
	if s.shown != nil {
		return s.shown
	}
	if s.Zip != nil {
		return []Place{{Dir: s.Path + ":" + strings.TrimPrefix(path.Clean(s.Zip.Prefix), ".")}}
	}
	var places []Place
	for _, p := range s.parts {
		places = append(places, Place{p.prefix, p.dir})
	}
	return places
}

// ShowAs makes messages name the paths of another copy of the package, of which shown is
// the result of [Source.Shown], and gives this one its id and its path. It must be called
// before the package is opened.
func (s *Source) ShowAs(id, path string, shown []Place) error {
	if len(shown) == 0 || shown[len(shown)-1].Part != "" {
		return errors.New("the last part of a package has a name: expected the part that contains the rest")
	}
	s.ID, s.Path, s.shown = id, path, shown
	return nil
}

// Within returns the name in the package of a real file or folder. It returns
// false if the package does not contain it.
func (s *Source) Within(file string) (string, bool) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	if s.Zip != nil {
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

// Locate opens the package at a path: a folder, problems/ID of a repository, or a
// zip.
func Locate(name string) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err // omit the name of the system call
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !info.IsDir() {
		if !isZip(name) {
			return nil, fmt.Errorf("%s: expected a problem package: a folder, .zip or .kpp", name)
		}
		return OpenZip(name)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if parent := filepath.Dir(abs); filepath.Base(parent) == "problems" &&
		isSplit(filepath.Dir(parent), filepath.Base(abs)) {
		root := filepath.Dir(parent)
		if rel, err := filepath.Rel(osfile.Getwd(), root); err == nil && !filepath.IsAbs(name) {
			root = rel
		}
		return Split(root, filepath.Base(abs))
	}
	return Folder(name)
}

// ToWrite creates the parent folders of a file of the package, and returns the
// root and the path below it at which to write or remove the file. Reads may follow
// links to other folders of a repository; the root is confined to the package. For a zip
// it returns a [Defect].
func (s *Source) ToWrite(name string) (root *os.Root, rest string, err error) {
	if err := s.Writable(); err != nil {
		return nil, "", err
	}
	p, rest := s.locate(name)
	if p.own == nil {
		if err := os.MkdirAll(p.dir, 0o755); err != nil {
			return nil, "", err
		}
		if p.own, err = os.OpenRoot(p.dir); err != nil {
			return nil, "", err
		}
	}
	if p.root == nil {
		if p.root, err = os.OpenRoot(p.dir); err != nil {
			return nil, "", err
		}
		p.at = "."
	}
	rest = filepath.FromSlash(rest)
	return p.own, rest, p.own.MkdirAll(filepath.Dir(rest), 0o755)
}

// Writable returns nil, or a [Defect] for a zip.
func (s *Source) Writable() error {
	if s.Zip != nil {
		return Defectf(s.Path, "is a zip, which the judge does not modify: unpack it first")
	}
	return nil
}

// WriteFile writes a file of the package and creates its parent folders. A file that
// exists is replaced at once, so that it is complete even if the judge is killed. For a zip
// it returns a [Defect].
func (s *Source) WriteFile(name string, data []byte) error {
	root, rest, err := s.ToWrite(name)
	if err != nil {
		return err
	}
	old, err := root.Lstat(rest)
	if err == nil && !old.Mode().IsRegular() { // such as a link to another file of the package
		return root.WriteFile(rest, data, 0o644)
	}
	var mode fs.FileMode
	if err == nil {
		mode = old.Mode().Perm()
	}
	return osfile.WriteIn(root, rest, data, mode)
}

// zipComment begins the zip comments of the archives that the judge makes.
const zipComment = "made by judge "

// ZipComment returns the comment of an archive that a command makes of a problem, or of a
// contest, in a format: "made by judge export sum domjudge". A file with another comment is
// replaced only with --force. The format of judge pack is "".
func ZipComment(command, id, format string) string {
	return strings.TrimSpace(zipComment + command + " " + id + " " + format)
}

// exported returns the id of the problem in an archive of judge export that is still named
// after it and the format; "" for other archives.
func (s *Source) exported() string {
	if s.Zip == nil || s.Zip.r == nil {
		return ""
	}
	words := strings.Fields(strings.TrimPrefix(s.Zip.r.Comment, zipComment))
	base := trimZip(path.Base(filepath.ToSlash(s.Path)))
	if len(words) == 3 && words[0] == "export" && PackageName.MatchString(words[1]) && base == words[1]+"-"+words[2] {
		return words[1]
	}
	return ""
}

// packed reports whether the judge created this archive.
func (s *Source) packed() bool {
	return s.Zip != nil && s.Zip.r != nil && strings.HasPrefix(s.Zip.r.Comment, zipComment)
}
