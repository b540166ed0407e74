package generate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"testing/fstest"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A File is one generated file. It can be large, so it is not always in memory.
type File struct {
	Size int64             // bytes
	Sum  [sha256.Size]byte // SHA-256

	path string // of a real file; or
	fsys fs.FS  // has the file, with this name; or
	name string
	data []byte // the contents
}

// fileOf returns a file in memory.
func fileOf(data []byte) *File {
	return &File{Size: int64(len(data)), Sum: sha256.Sum256(data), data: data}
}

// realFile returns the present contents of a real file.
func realFile(path string) (*File, error) { return (&File{path: path}).measured() }

// packageFile returns the present contents of a file of the package.
func packageFile(fsys fs.FS, name string) (*File, error) {
	f, err := (&File{fsys: fsys, name: name}).measured()
	if err != nil {
		return nil, problem.Unreadable(fsys, name, err)
	}
	return f, nil
}

// measured sets the size and the sum.
func (f *File) measured() (*File, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f.Sum, f.Size, err = sumOf(r)
	return f, err
}

func sumOf(r io.Reader) (sum [sha256.Size]byte, size int64, err error) {
	h := sha256.New()
	size, err = io.Copy(h, r)
	return [sha256.Size]byte(h.Sum(nil)), size, err
}

// open opens the file. Its contents can differ from Sum, because a program outside a
// box can write to the judge's files.
func (f *File) open() (fs.File, error) {
	switch {
	case f.path != "":
		return os.OpenFile(f.path, os.O_RDONLY|osfile.NoFollow, 0)
	case f.fsys != nil:
		return problem.OpenRegular(f.fsys, f.name)
	}
	return fstest.MapFS{"file": {Data: f.data}}.Open("file")
}

// read returns the contents, if they have at most most bytes.
func (f *File) read(most int64) ([]byte, error) {
	if f.Size > most {
		return nil, fmt.Errorf("larger than %s", terminal.Bytes(most))
	}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, most))
}

// equals reports whether a file of the package has the sum.
func equals(fsys fs.FS, name string, sum [sha256.Size]byte) bool {
	have, err := packageFile(fsys, name)
	return err == nil && have.Sum == sum
}

// A caseFS is a package that has only the files of one case. Validators check a case
// in it before the case is in the real package.
type caseFS struct {
	files map[string]*File // by name in the package
	tree  fstest.MapFS     // the same names, for folders
	under fs.FS            // the real package, for the real paths of files
}

func newCaseFS(files map[string]*File, under fs.FS) caseFS {
	tree := make(fstest.MapFS)
	for name := range files {
		tree[name] = &fstest.MapFile{}
	}
	return caseFS{files, tree, under}
}

// Where returns the real path that a file will have.
func (c caseFS) Where(name string) string { return problem.Where(c.under, name) }

// Open opens a file or folder.
func (c caseFS) Open(name string) (fs.File, error) {
	if f := c.files[name]; f != nil {
		return f.open()
	}
	return c.tree.Open(name)
}

// difference describes the first difference between two files, or returns "". A nil
// file does not exist.
func difference(a, b *File) (string, error) {
	switch {
	case a == nil:
		return "the first run left none", nil
	case b == nil:
		return "the second run left none", nil
	case a.Sum == b.Sum:
		return "", nil
	}
	ra, err := a.open()
	if err != nil {
		return "", err
	}
	defer ra.Close()
	rb, err := b.open()
	if err != nil {
		return "", err
	}
	defer rb.Close()
	return firstDifference(ra, rb)
}

// firstDifference describes the first difference between two texts, or returns "".
func firstDifference(a, b io.Reader) (string, error) {
	ra, rb := bufio.NewReaderSize(a, 64<<10), bufio.NewReaderSize(b, 64<<10)
	var prefix []byte // of the line, at most maxShown bytes
	line, offset := 1, int64(0)
	for {
		x, errX := ra.ReadByte()
		y, errY := rb.ReadByte()
		switch {
		case errX != nil && errX != io.EOF:
			return "", errX
		case errY != nil && errY != io.EOF:
			return "", errY
		case errX != nil && errY != nil:
			return "", nil
		case errX == nil && errY == nil && x == y:
			if offset++; x == '\n' {
				line, prefix = line+1, prefix[:0]
			} else if len(prefix) < maxShown {
				prefix = append(prefix, x)
			}
			continue
		}
		return fmt.Sprintf("line %d, byte %d: %s and %s", line, offset+1, restOf(prefix, x, ra, errX),
			restOf(prefix, y, rb, errY)), nil
	}
}

// maxShown limits how many bytes of a line before and after a difference are shown.
const maxShown = 24

// restOf quotes a line, given its beginning and the first byte that differs.
func restOf(prefix []byte, next byte, r *bufio.Reader, err error) string {
	if err != nil && len(prefix) == 0 {
		return "the end"
	}
	text := bytes.Clone(prefix)
	for err == nil && next != '\n' {
		if text = append(text, next); len(text) > 2*maxShown {
			text = append(text[:2*maxShown], "…"...)
			break
		}
		next, err = r.ReadByte()
	}
	return fmt.Sprintf("%q", text)
}
