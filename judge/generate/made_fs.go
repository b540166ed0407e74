package generate

import (
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// A CaseFS holds files that were made, under their names in the package,
// before they are in it: validators are asked about them there.
type CaseFS struct {
	Files map[string]*Made
	under fs.FS // the package, which knows where its files lie; may be nil
}

// Where says where a file will be.
func (c CaseFS) Where(name string) string {
	if c.under == nil {
		return name
	}
	return problem.Where(c.under, name)
}

func (c CaseFS) Open(name string) (fs.File, error) {
	m := c.Files[name]
	if m == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return m.open()
}

func (c CaseFS) Stat(name string) (fs.FileInfo, error) {
	if m := c.Files[name]; m != nil {
		return madeInfo{path.Base(name), m}, nil
	}
	if entries, _ := c.ReadDir(name); entries != nil {
		return madeInfo{path.Base(name), nil}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

func (c CaseFS) ReadDir(name string) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	for _, file := range slices.Sorted(maps.Keys(c.Files)) {
		rest, ok := strings.CutPrefix(file, name+"/")
		if name == "." {
			rest, ok = file, true
		}
		if !ok {
			continue
		}
		info := madeInfo{rest, c.Files[file]}
		if first, _, below := strings.Cut(rest, "/"); below {
			info = madeInfo{first, nil}
		}
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == info.name }) {
			entries = append(entries, fs.FileInfoToDirEntry(info))
		}
	}
	if entries == nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// A madeInfo tells of a file, or of a folder if made is nil.
type madeInfo struct {
	name string
	made *Made
}

func (i madeInfo) Name() string       { return i.name }
func (i madeInfo) ModTime() time.Time { return time.Time{} }
func (i madeInfo) IsDir() bool        { return i.made == nil }
func (i madeInfo) Sys() any           { return nil }

func (i madeInfo) Size() int64 {
	if i.made == nil {
		return 0
	}
	return i.made.Size
}

func (i madeInfo) Mode() fs.FileMode {
	if i.made == nil {
		return fs.ModeDir | 0o755
	}
	return osfile.Perm
}

// A heldFile is open and in memory.
type heldFile struct {
	io.ReadSeeker
	info madeInfo
}

func (f *heldFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *heldFile) Close() error               { return nil }
