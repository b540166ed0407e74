package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// maxPlainFile is what no file of a package should exceed, so that other tools
// take it (2025-09, "General requirements").
const maxPlainFile = 100 << 20

// A Packing is an archive being made. It is written beside its place, under a
// name that the format ignores, and moved there when it is complete.
type Packing struct {
	source *problem.Source
	to     string
	file   *os.File // nil when moved or abandoned
}

// A Packed says what is in an archive.
type Packed struct {
	Path      string
	Files     int
	Bytes     int64    // of the archive
	Unchanged bool     // there was an archive of the same bytes
	Left      []string // names that the format ignores and that look as if they were meant
	Large     []string // files of more than 100 MiB, which the format advises against
}

// BeginPack begins an archive of a package: a zip of one folder, with the
// package's id for its name and the folder's (2025-09, "General requirements").
// It makes sure that it can be written, before anything costly is done. What
// lies there already is refused, unless an earlier call made it, or force.
func BeginPack(s *problem.Source, to string, force bool) (*Packing, error) {
	if !problem.PackageName.MatchString(s.ID) {
		return nil, &problem.Defect{File: s.Path, Msg: fmt.Sprintf("problem id %s: the format wants lowercase letters and digits only", text.QuoteName(s.ID))}
	}
	if base := filepath.Base(to); base != s.ID+".zip" && base != s.ID+".kpp" {
		return nil, fmt.Errorf("%s: the format wants an archive to have its package's name: %s.zip or %s.kpp", to, s.ID, s.ID)
	}
	if s.Zip == nil {
		if _, inside := s.Within(to); inside {
			return nil, fmt.Errorf("%s: lies in the package itself; want another folder", to)
		}
	}
	if dir := filepath.Dir(to); !osfile.IsDir(dir) {
		return nil, fmt.Errorf("%s: no such folder", dir)
	}
	info, err := os.Lstat(to)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: exists and is no regular file", to)
	case err == nil && !force && !isPacked(to):
		return nil, fmt.Errorf("%s: exists and is not from judge pack; --force replaces it", to)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	f, err := createBeside(to)
	if err != nil {
		return nil, err
	}
	return &Packing{source: s, to: to, file: f}, nil
}

// createBeside makes a new file in the folder of another, with the rights that
// a file made there has.
func createBeside(to string) (*os.File, error) {
	var random [8]byte
	rand.Read(random[:])
	return os.OpenFile(filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+"-"+hex.EncodeToString(random[:])), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
}

// isPacked reports whether a file is an archive that was made here.
func isPacked(name string) bool {
	z, err := zip.OpenReader(name)
	if err != nil {
		return false
	}
	defer z.Close()
	return z.Comment == problem.PackedBy
}

// Abandon removes what was written, unless it was finished.
func (k *Packing) Abandon() error {
	if k.file == nil {
		return nil
	}
	err := errors.Join(k.file.Close(), os.Remove(k.file.Name()))
	k.file = nil
	return err
}

// Finish writes the archive and moves it to its place. The same package gives
// the same bytes: names are in order, and neither times nor owners are kept.
// Of rights, only whether a file can be executed is.
func (k *Packing) Finish(ctx context.Context) (*Packed, error) {
	defer k.Abandon()
	w, err := k.source.Files(ctx)
	if err != nil {
		return nil, err
	}
	p := &Packed{Path: k.to, Files: len(w.Files), Left: w.Meant()}
	z := zip.NewWriter(k.file)
	for _, f := range w.Files {
		if f.Size > maxPlainFile {
			p.Large = append(p.Large, f.Name)
		}
		if err := addFile(z, w, k.source.ID, f); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(z.SetComment(problem.PackedBy), z.Close()); err != nil {
		return nil, err
	}
	if p.Bytes, err = k.file.Seek(0, io.SeekEnd); err != nil {
		return nil, err
	}
	if p.Unchanged, err = sameBytes(k.file, k.to); p.Unchanged || err != nil {
		return p, err
	}
	return p, k.place(ctx)
}

// place moves the archive to its place.
func (k *Packing) place(ctx context.Context) error {
	// What the name stands for is then on the disk whatever happens.
	err := errors.Join(k.file.Sync(), k.file.Close())
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = os.Rename(k.file.Name(), k.to)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(k.file.Name()))
	}
	k.file = nil
	return err
}

// addFile adds a file to an archive.
func addFile(z *zip.Writer, w *problem.Listing, id string, f problem.Listed) error {
	h := &zip.FileHeader{
		Name:   id + "/" + f.Name,
		Method: zip.Deflate,
		// The first time that a zip can tell.
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	h.SetMode(0o644)
	if f.Executable {
		h.SetMode(0o755)
	}
	to, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	return w.CopyFile(f, func(from io.Reader) error {
		_, err := io.Copy(to, from)
		return err
	})
}

// sameBytes reports whether a file that is there holds the same as another.
func sameBytes(f *os.File, name string) (bool, error) {
	other, err := os.Open(name)
	if err != nil {
		return false, nil
	}
	defer other.Close()
	a, errA := f.Stat()
	b, errB := other.Stat()
	if errA != nil || errB != nil || a.Size() != b.Size() {
		return false, errors.Join(errA, errB)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	const block = 64 << 10
	one, two := bufio.NewReaderSize(f, block), bufio.NewReaderSize(other, block)
	var x, y [block]byte
	for {
		n, errX := io.ReadFull(one, x[:])
		m, errY := io.ReadFull(two, y[:])
		switch {
		case !bytes.Equal(x[:n], y[:m]):
			return false, nil
		case errX != nil && errX != io.EOF && errX != io.ErrUnexpectedEOF:
			return false, errX
		case errX != nil || errY != nil:
			return true, nil
		}
	}
}
