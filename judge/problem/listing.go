package problem

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"crucible/judge/terminal"
)

// maxFolderLinks limits how many links to folders are followed, because links can
// multiply the number of folders.
const maxFolderLinks = 1000

// keptNames lists top-level files of a package that the format ignores but judges
// read.
var keptNames = []string{timeLimitFile}

// A ListedFile is one file of a [Listing].
type ListedFile struct {
	Name       string // below the folder, with slashes
	Size       int64  // bytes
	Executable bool   // has execute permission
}

// A Listing is the list of all files below a folder. Symbolic links inside the
// package are followed, so the list contains only regular files.
type Listing struct {
	ctx   context.Context
	s     *Source
	skip  func(dir, name string) bool // reports whether an entry is left out
	Files []ListedFile                // sorted by name
	left  []string                    // skipped names
	bytes int64                       // size of all files
	seen  int                         // number of files and folders, including skipped ones
	links int                         // number of links to folders
}

// Files lists the files of a package, sorted by name, without the names that the
// format ignores.
func (s *Source) Files(ctx context.Context) (*Listing, error) {
	return s.List(ctx, func(dir, name string) bool {
		return IgnoredName(name) && (dir != "." || !slices.Contains(keptNames, name))
	})
}

// List lists the files of a package, sorted by name, without the files and
// folders for which skip returns true. It returns a [Defect] for broken links,
// special files, and packages beyond the limits.
func (s *Source) List(ctx context.Context, skip func(dir, name string) bool) (*Listing, error) {
	if s.Zip != nil && s.Zip.Broken != nil {
		return nil, s.Zip.Broken
	}
	l := &Listing{ctx: ctx, s: s, skip: skip}
	if err := l.folder(".", 0); err != nil {
		return nil, err
	}
	slices.SortFunc(l.Files, func(a, b ListedFile) int { return cmp.Compare(a.Name, b.Name) })
	slices.Sort(l.left)
	return l, nil
}

// sameFolder reports whether two names of a file system are the same folder, because links
// can give it several names.
func sameFolder(fsys fs.FS, a, b string) bool {
	if s, ok := fsys.(*Source); ok && s.Zip != nil {
		atA, errA := s.Zip.resolve(a)
		atB, errB := s.Zip.resolve(b)
		return errA == nil && errB == nil && atA == atB
	}
	infoA, errA := fs.Stat(fsys, a)
	infoB, errB := fs.Stat(fsys, b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// leadsUp reports whether a name is that of a link to a folder that contains it.
func leadsUp(fsys fs.FS, name string) bool {
	for above := path.Dir(name); ; above = path.Dir(above) {
		if sameFolder(fsys, above, name) {
			return true
		}
		if above == "." {
			return false
		}
	}
}

// folder lists a folder at that depth.
func (l *Listing) folder(dir string, depth int) error {
	if depth > MaxListedDepth {
		return Defectf(l.s.Where(dir), "more than %d folders deep", MaxListedDepth)
	}
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
			return Defectf(l.s.Path, "more than %d files and folders", maxZipFiles)
		}
		if l.skip(dir, e.Name()) {
			l.left = append(l.left, name)
			continue
		}
		info, err := l.s.Stat(name)
		switch {
		case err != nil && e.Type()&fs.ModeSymlink != 0:
			return Defectf(l.s.Where(name), "is a symbolic link whose target is missing, outside the package, or in a cycle "+
				"of links")
		case err != nil:
			return Unreadable(l.s, name, err)
		case info.IsDir():
			if e.Type()&fs.ModeSymlink != 0 {
				if l.links++; l.links > maxFolderLinks {
					return Defectf(l.s.Path, "more than %d symbolic links to folders, each counted once per visit", maxFolderLinks)
				}
				if leadsUp(l.s, name) {
					return Defectf(l.s.Where(name), "is a symbolic link to a folder that contains it")
				}
			}
			err = l.folder(name, depth+1)
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
		return Defectf(l.s.Where(name), "is neither a file nor a folder")
	}
	if l.bytes += info.Size(); l.bytes > maxZipBytes {
		return Defectf(l.s.Path, "more than %s of files", terminal.Bytes(maxZipBytes))
	}
	f := ListedFile{Name: name, Size: info.Size(), Executable: info.Mode()&0o111 != 0}
	if runtime.GOOS == "windows" && l.s.Zip == nil {
		// Windows has no execute permission, so the first line decides.
		start, err := head(l.s, name, 2)
		f.Executable = err == nil && string(start) == "#!"
	}
	l.Files = append(l.Files, f)
	return nil
}

// Meant returns the skipped names that probably belong in the package: all names
// that are not hidden, and hidden inputs and answers in data/.
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

// CopyFile opens a file of the listing and calls put with its contents.
func (l *Listing) CopyFile(f ListedFile, put func(io.Reader) error) error {
	from, err := OpenRegular(l.s, f.Name)
	if err != nil {
		return err
	}
	err = put(contextReader{l.ctx, from})
	return errors.Join(err, from.Close())
}

// A contextReader returns the cause of its context's end as an error.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (i contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(i.ctx); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
