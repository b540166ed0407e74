package judge

import (
	"cmp"
	"context"
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

// maxListedDepth bounds the folders in folders of a package or of what is imported.
const maxListedDepth = 64

// maxFolderLinks bounds how many links to folders are followed: they can make
// many folders of few.
const maxFolderLinks = 1000

// keptNames are files at the top of a package that the format ignores and
// judges read all the same.
var keptNames = []string{timeLimitFile}

// A listed is one file of a folder that is copied as a whole.
type listed struct {
	name       string // below the folder, with slashes
	size       int64
	executable bool
}

// A listing is all files below a folder. Links are followed where they
// stay in the package, so that what is listed is files alone.
type listing struct {
	ctx   context.Context
	s     *Source
	skip  func(dir, name string) bool // as if absent
	files []listed
	left  []string // names skipped
	bytes int64    // of all files
	seen  int      // files and folders, those skipped as well
	links int      // to folders
}

// files lists the files of a package in order of their names, and what the
// format has it leave out.
func (s *Source) files(ctx context.Context) (*listing, error) {
	return s.list(ctx, func(dir, name string) bool {
		return ignoredName(name) && (dir != "." || !slices.Contains(keptNames, name))
	})
}

func (s *Source) list(ctx context.Context, skip func(dir, name string) bool) (*listing, error) {
	if s.zip != nil && s.zip.broken != nil {
		return nil, s.zip.broken
	}
	l := &listing{ctx: ctx, s: s, skip: skip}
	if err := l.folder(".", nil); err != nil {
		return nil, err
	}
	slices.SortFunc(l.files, func(a, b listed) int { return cmp.Compare(a.name, b.name) })
	slices.Sort(l.left)
	return l, nil
}

// A folder is known by what it is, not by its name: links give it many.
type folderID struct {
	info fs.FileInfo // on a disk
	real string      // in an archive
}

func (l *listing) identify(dir string) (id folderID, err error) {
	if l.s.zip != nil {
		id.real, err = l.s.zip.resolve(dir)
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
func (l *listing) folder(dir string, above []folderID) error {
	if len(above) > maxListedDepth {
		return &Defect{File: l.s.Where(dir), Msg: fmt.Sprintf("more than %d folders deep", maxListedDepth)}
	}
	id, err := l.identify(dir)
	if err != nil {
		return unreadable(l.s, dir, err)
	}
	if slices.ContainsFunc(above, id.is) {
		return &Defect{File: l.s.Where(dir), Msg: "is a symbolic link to a folder that it lies in"}
	}
	above = append(slices.Clip(above), id)
	entries, err := l.s.ReadDir(dir)
	if err != nil {
		return unreadable(l.s, dir, err)
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
			return &Defect{File: l.s.Where(name), Msg: "is a symbolic link that leads nowhere, in a circle or out of the package"}
		case err != nil:
			return unreadable(l.s, name, err)
		case info.IsDir():
			if e.Type()&fs.ModeSymlink != 0 {
				if l.links++; l.links > maxFolderLinks {
					return &Defect{File: l.s.Path, Msg: fmt.Sprintf("more than %d symbolic links to folders, counted as often as they are met", maxFolderLinks)}
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

func (l *listing) file(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &Defect{File: l.s.Where(name), Msg: "is neither file nor folder"}
	}
	if l.bytes += info.Size(); l.bytes > maxZipBytes {
		return &Defect{File: l.s.Path, Msg: "more than " + Bytes(maxZipBytes) + " of files"}
	}
	f := listed{name: name, size: info.Size(), executable: info.Mode()&0o111 != 0}
	if runtime.GOOS == "windows" && l.s.zip == nil {
		// Its file systems know no such thing. What a script is, it says itself.
		f.executable = l.startsWith(name, "#!")
	}
	l.files = append(l.files, f)
	return nil
}

func (l *listing) startsWith(name, prefix string) bool {
	f, err := openRegular(l.s, name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(prefix))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == prefix
}

// meant lists those of the names left out that look as if they were meant to be
// in the package: all but hidden ones, and cases and submissions among these.
func (l *listing) meant() []string {
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

// copyFile hands a file of the package to put, with its bytes.
func (l *listing) copyFile(f listed, put func(io.Reader) error) error {
	from, err := openRegular(l.s, f.name)
	if err != nil {
		return err
	}
	err = put(interruptible{l.ctx, from})
	return errors.Join(err, from.Close())
}
