package problem

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"crucible/judge/internal/lazy"
	"crucible/judge/terminal"
)

// fileName matches the names that the format allows.
var fileName = lazy.Regexp(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]*$`)

// maxFileName is the largest number of bytes of such a name. It is not in the expression,
// because that would take 5 ms to compile whenever a judge or launcher starts.
const maxFileName = 255

// IgnoredName reports whether the format ignores files and folders of that name
// (2025-09, "General requirements").
func IgnoredName(name string) bool { return len(name) > maxFileName || !fileName().MatchString(name) }

// leftover matches the ends of names of copies that editors and other programs leave behind.
var leftover = lazy.Regexp(`(?i).(~|#|\.(bak|backup|copy|old|orig|rej|save|sw[op]|te?mp|part|crdownload))$`)

// WithoutLeftover returns the name of the file of which a file is a copy that an editor or
// another program left behind; false if the name is not that of such a copy.
func WithoutLeftover(name string) (string, bool) {
	at := leftover().FindStringSubmatchIndex(name)
	if at == nil {
		return name, false
	}
	return name[:at[2]], true
}

// notPrograms matches names beside programs that are none: notes, build files, headers, what
// compilers write, and folders of caches.
var notPrograms = lazy.Regexp(`(?i)^((readme|license|copying|changelog|todo|notes)(\..*)?|(gnu)?makefile|` +
	`cmakelists\.txt|` +
	`thumbs\.db|desktop\.ini|__pycache__|__macosx|.*\.(md|txt|rst|html?|pdf|mk|h|hh|hpp|o|obj|class|py[co]|exe|dll|so|` +
	`dylib|log|json|toml))$`)

// ReadBounded reads a regular file of the package. A file of more than most bytes
// is a [Defect].
func ReadBounded(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	if int64(len(data)) > most {
		return nil, Defectf(Where(fsys, name), "larger than %s", terminal.Bytes(most))
	}
	return data, nil
}

// OpenRegular opens a regular file of the package. Pipes, devices and sockets are
// a [Defect]; it does not wait for the other end of a pipe.
func OpenRegular(fsys fs.FS, name string) (fs.File, error) {
	if s, ok := fsys.(interface {
		openRegular(of fs.FS, name string) (fs.File, error)
	}); ok {
		return s.openRegular(fsys, name)
	}
	return openRegular(fsys, name)
}

// openRegular looks at a file before it opens it, because opening a pipe waits for its
// other end.
func openRegular(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, Defectf(Where(fsys, name), "expected a regular file")
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	return f, nil
}

// Absent reports whether the package has no entry of that name. A broken link is an
// entry.
func Absent(fsys fs.FS, name string) bool {
	if _, err := fs.Stat(fsys, name); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	entries, err := fs.ReadDir(fsys, path.Dir(name))
	return err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == path.Base(name) })
}
