package problem

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// Input opens what the program reads. An input that comes out of an archive is
// unpacked first: one that is damaged is found so even if the program does not
// read it to its end. Larger ones are not held in memory.
func (c *Case) Input() (io.ReadCloser, error) {
	const held = 64 << 20
	f, err := OpenRegular(c.FS, c.Path(".in"))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if _, real := f.(*os.File); real || err != nil || info.Size() > held {
		return f, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return heldInput{bytes.NewReader(data)}, nil
}

// A heldInput is in memory, and shows how long it is.
type heldInput struct{ *bytes.Reader }

func (heldInput) Close() error { return nil }

// WhereConfig names the file that gives the case its arguments.
func (c *Case) WhereConfig() string { return Where(c.FS, c.Path(".yaml")) }

// Real returns the path of a file of the case that a program can open: the
// file itself, or a copy in dir when the package is no folder, when the file is
// a link, which may lead anywhere, or when others cannot read it, as whom a
// program in a box counts.
func (c *Case) Real(dir, ext string) (string, error) {
	if s, ok := c.FS.(*Source); ok && s.Zip == nil {
		name := s.Where(c.Path(ext))
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
			return filepath.Abs(name)
		}
	}
	return filepath.Join(dir, "case"+ext), CopyOut(c.FS, c.Path(ext), dir, "case"+ext)
}
