package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// maxPlainFile is the size in bytes that files of a package should not exceed, so
// that all tools accept them (2025-09, "General requirements").
const maxPlainFile = 100 << 20

// A Draft is an unfinished archive. It has a temporary name, which the format
// ignores, in the folder of the archive.
type Draft struct {
	source *problem.Source
	to     string
	file   *osfile.Draft
}

// A PackResult describes a finished archive.
type PackResult struct {
	Path      string // of the archive
	Files     int    // number of files in the archive
	Bytes     int64  // of the archive
	Unchanged bool   // the same archive existed and was not replaced
	// Files left out because the format ignores their names, although they probably belong in
	// the package.
	Left  []string
	Large []string // files of more than 100 MiB, which the format advises against
}

// BeginPack begins an archive of a package: a zip with one folder, both named
// after the id of the package (2025-09, "General requirements"). It returns an error
// if the archive cannot be written, so that a caller can check this before it checks
// the package, which takes longer. It does not replace an existing file unless force
// is set or the same command packed that package into it. The caller must call Finish or Abandon.
func BeginPack(s *problem.Source, to string, force bool) (*Draft, error) {
	if !problem.PackageName.MatchString(s.ID) {
		return nil, problem.Defectf(s.Path, "problem id %s: expected lowercase letters and digits only",
			terminal.QuoteName(s.ID))
	}
	if base := filepath.Base(to); base != s.ID+".zip" && base != s.ID+".kpp" {
		return nil, fmt.Errorf("%s: expected the name of the package, %s.zip or %s.kpp", to, s.ID, s.ID)
	}
	if s.Zip == nil {
		if _, inside := s.Within(to); inside {
			return nil, fmt.Errorf("%s: in the package itself: expected another folder", to)
		}
	}
	f, err := newZip(to, problem.ZipComment("pack", s.ID, ""), force)
	if err != nil {
		return nil, err
	}
	return &Draft{source: s, to: to, file: f}, nil
}

// newZip begins an archive that will have a comment. It does not replace an existing file
// unless force is set or the file is an archive with that comment.
func newZip(to, comment string, force bool) (*osfile.Draft, error) {
	if dir := filepath.Dir(to); !osfile.IsDir(dir) {
		return nil, problem.Defectf(dir, "no such folder")
	}
	info, err := os.Lstat(to)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, problem.Defectf(to, "expected a regular file")
	case err == nil && !force && commentOf(to) != comment:
		return nil, problem.Defectf(to, "exists, and the same command did not make it; --force replaces it")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return osfile.NewDraft(nil, to)
}

// commentOf returns the comment of a zip, or "".
func commentOf(name string) string {
	z, err := zip.OpenReader(name)
	if err != nil {
		return ""
	}
	defer z.Close()
	return z.Comment
}

// Abandon removes the archive unless Finish was called.
func (k *Draft) Abandon() error { return k.file.Discard() }

// Finish writes the archive and moves it to its place. The same package gives the
// same bytes: the archive lists files in order and records no times, no owners and
// no permissions other than executable.
func (k *Draft) Finish(ctx context.Context) (*PackResult, error) {
	defer k.Abandon()
	w, err := k.source.Files(ctx)
	if err != nil {
		return nil, err
	}
	p := &PackResult{Path: k.to, Files: len(w.Files), Left: w.Meant()}
	return p, p.write(ctx, k.file, problem.ZipComment("pack", k.source.ID, ""), func(z *zip.Writer) error {
		for _, f := range w.Files {
			if f.Size > maxPlainFile {
				p.Large = append(p.Large, f.Name)
			}
			to, err := z.CreateHeader(zipHeader(k.source.ID+"/"+f.Name, f.Executable))
			if err == nil {
				err = w.CopyFile(f, func(from io.Reader) error { _, err := io.Copy(to, from); return err })
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes an archive whose files put adds, and moves it to its place.
func (p *PackResult) write(ctx context.Context, f *osfile.Draft, comment string, put func(*zip.Writer) error) error {
	sum := sha256.New()
	z := zip.NewWriter(io.MultiWriter(f, sum))
	if err := put(z); err != nil {
		return err
	}
	if err := errors.Join(z.SetComment(comment), z.Close()); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p.Bytes = info.Size()
	if p.Unchanged = hasSum(p.Path, sum.Sum(nil)); p.Unchanged {
		return nil
	}
	// After a power failure the place has the old archive or the new one.
	return f.Commit(errors.Join(f.Sync(), context.Cause(ctx)))
}

// zipHeader returns the header of a file that is compressed.
func zipHeader(name string, executable bool) *zip.FileHeader {
	h := &zip.FileHeader{
		Name:   name,
		Method: zip.Deflate,
		// The earliest time that a zip can store.
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	h.SetMode(0o644)
	if executable {
		h.SetMode(0o755)
	}
	return h
}

// hasSum reports whether a file exists and has the SHA-256 sum.
func hasSum(name string, sum []byte) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return errors.Join(err, f.Close()) == nil && bytes.Equal(h.Sum(nil), sum)
}
