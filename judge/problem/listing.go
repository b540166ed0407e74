package problem

import (
	"cmp"
	"context"
	"crucible/judge/units"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
)

// MaxListedDepth bounds the folders in folders of a package or of what is imported.
const MaxListedDepth = 64

// maxFolderLinks bounds how many links to folders are followed: they can make
// many folders of few.
const maxFolderLinks = 1000

// keptNames are files at the top of a package that the format ignores and
// judges read all the same.
var keptNames = []string{timeLimitFile}

// A Listed is one file of a folder that is copied as a whole.
type Listed struct {
	Name       string // below the folder, with slashes
	Size       int64
	Executable bool
}

// A Listing is all files below a folder. Links are followed where they
// stay in the package, so that what is listed is files alone.
type Listing struct {
	ctx   context.Context
	s     *Source
	skip  func(dir, name string) bool // as if absent
	Files []Listed
	left  []string // names skipped
	bytes int64    // of all files
	seen  int      // files and folders, those skipped as well
	links int      // to folders
}

// Files lists the files of a package in order of their names, and what the
// format has it leave out.
func (s *Source) Files(ctx context.Context) (*Listing, error) {
	return s.List(ctx, func(dir, name string) bool {
		return IgnoredName(name) && (dir != "." || !slices.Contains(keptNames, name))
	})
}

func (s *Source) List(ctx context.Context, skip func(dir, name string) bool) (*Listing, error) {
	if s.Zip != nil && s.Zip.Broken != nil {
		return nil, s.Zip.Broken
	}
	l := &Listing{ctx: ctx, s: s, skip: skip}
	if err := l.folder(".", nil); err != nil {
		return nil, err
	}
	slices.SortFunc(l.Files, func(a, b Listed) int { return cmp.Compare(a.Name, b.Name) })
	slices.Sort(l.left)
	return l, nil
}

// A folder is known by what it is, not by its name: links give it many.
type folderID struct {
	info fs.FileInfo // on a disk
	real string      // in an archive
}

func (l *Listing) identify(dir string) (id folderID, err error) {
	if l.s.Zip != nil {
		id.real, err = l.s.Zip.resolve(dir)
		return id, err
	}
	id.info, err = l.s.Stat(dir)
	return id, err
}

func (id folderID) is(other folderID) bool {
	if id.info == nil {
		return id.real == other.real
	}
	return os.SameFile(id.info, other.info)
}

// folder lists a folder; above are those that it lies in.
func (l *Listing) folder(dir string, above []folderID) error {
	if len(above) > MaxListedDepth {
		return &Defect{File: l.s.Where(dir), Msg: fmt.Sprintf("more than %d folders deep", MaxListedDepth)}
	}
	id, err := l.identify(dir)
	if err != nil {
		return Unreadable(l.s, dir, err)
	}
	if slices.ContainsFunc(above, id.is) {
		return &Defect{File: l.s.Where(dir), Msg: "is a symbolic link to a folder that contains it"}
	}
	above = append(slices.Clip(above), id)
	entries, err := l.s.ReadDir(dir)
	if err != nil {
		return Unreadable(l.s, dir, err)
	}
	for _, e := range entries {
		if err := context.Cause(l.ctx); err != nil {
			return err
		}
		name := path.Join(dir, e.Name())
		if l.seen++; l.seen > maxZipFiles {
			return &Defect{File: l.s.Path, Msg: fmt.Sprintf("more than %d files and folders", maxZipFiles)}
		}
		if l.skip(dir, e.Name()) {
			l.left = append(l.left, name)
			continue
		}
		info, err := l.s.Stat(name)
		switch {
		case err != nil && e.Type()&fs.ModeSymlink != 0:
			return &Defect{File: l.s.Where(name), Msg: "is a symbolic link whose target is missing, outside the package, or in a cycle of links"}
		case err != nil:
			return Unreadable(l.s, name, err)
		case info.IsDir():
			if e.Type()&fs.ModeSymlink != 0 {
				if l.links++; l.links > maxFolderLinks {
					return &Defect{File: l.s.Path, Msg: fmt.Sprintf("more than %d symbolic links to folders, each counted once per visit", maxFolderLinks)}
				}
			}
			err = l.folder(name, above)
		default:
			err = l.file(name, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *Listing) file(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &Defect{File: l.s.Where(name), Msg: "is neither a file nor a folder"}
	}
	if l.bytes += info.Size(); l.bytes > maxZipBytes {
		return &Defect{File: l.s.Path, Msg: "more than " + units.Bytes(maxZipBytes) + " of files"}
	}
	f := Listed{Name: name, Size: info.Size(), Executable: info.Mode()&0o111 != 0}
	if runtime.GOOS == "windows" && l.s.Zip == nil {
		// Its file systems know no such thing. What a script is, it says itself.
		f.Executable = l.startsWith(name, "#!")
	}
	l.Files = append(l.Files, f)
	return nil
}

func (l *Listing) startsWith(name, prefix string) bool {
	f, err := OpenRegular(l.s, name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(prefix))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == prefix
}

// Meant lists those of the names left out that look as if they were meant to be
// in the package: all but hidden ones, and cases and submissions among these.
func (l *Listing) Meant() []string {
	var meant []string
	for _, name := range l.left {
		base := path.Base(name)
		ext := path.Ext(base)
		isCase := ext == ".in" || ext == ".ans"
		if !strings.HasPrefix(base, ".") || isCase && strings.HasPrefix(name, "data/") && !strings.HasPrefix(base, "._") {
			meant = append(meant, name)
		}
	}
	return meant
}

// CopyFile hands a file of the package to put, with its bytes.
func (l *Listing) CopyFile(f Listed, put func(io.Reader) error) error {
	from, err := OpenRegular(l.s, f.Name)
	if err != nil {
		return err
	}
	err = put(interruptible{l.ctx, from})
	return errors.Join(err, from.Close())
}

// An interruptible reader ends when its context does.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	if err := context.Cause(i.ctx); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
