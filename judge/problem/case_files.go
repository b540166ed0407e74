package problem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"crucible/judge/internal/osfile"
)

// Input opens the input of the case. An input of at most 64 MiB in a zip is unpacked
// into memory first, so that damage is found even if the program does not read the
// entire input. Larger inputs are streamed.
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
	return memoryInput{bytes.NewReader(data)}, nil
}

// A memoryInput is an input in memory. Its method Len returns the number of unread
// bytes.
type memoryInput struct{ *bytes.Reader }

func (memoryInput) Close() error { return nil }

// WhereConfig returns the real name of the case's .yaml file, for messages. The
// file need not exist.
func (c *Case) WhereConfig() string { return Where(c.FS, c.Path(".yaml")) }

// Real returns the path of a real file with the contents of the case's file with
// that extension. It is the file itself, or a copy in dir if the package is a
// zip, the file is a symbolic link, or the file is not readable by all users,
// because a program in the sandbox runs as another user.
func (c *Case) Real(dir, ext string) (string, error) {
	if s, ok := c.FS.(*Source); ok && s.Zip == nil {
		name := s.Where(c.Path(ext))
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
			return filepath.Abs(name)
		}
	}
	return filepath.Join(dir, "case"+ext), CopyOut(c.FS, c.Path(ext), dir, "case"+ext)
}

// CopyFiles copies the case's .files to a working folder. They replace files and
// folders of the same name (2025-09, "Input"). No untrusted program may have run
// in dir before.
func (c *Case) CopyFiles(dir string) error {
	for _, name := range c.Files {
		if err := makeWay(dir, name); err != nil {
			return err
		}
		if err := CopyOut(c.FS, c.Path(".files")+"/"+name, dir, name); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// makeWay removes the entries that prevent a file from being written below a
// folder: a folder of its name, or a file in place of a parent folder.
func makeWay(dir, name string) error {
	for i, r := range name + "/" {
		if r != '/' {
			continue
		}
		at := filepath.Join(dir, filepath.FromSlash(name[:i]))
		info, err := os.Lstat(at)
		if err == nil && info.IsDir() == (i == len(name)) {
			err = osfile.RemoveAll(at)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
