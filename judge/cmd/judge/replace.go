package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A report replaces an older file only when it is complete: it is written to a
// temporary file in the same folder, which is then renamed. After any error, such
// as a full disk, the older file still exists.

// A replacement is a regular file that will be written.
type replacement struct {
	name    string      // the name with symbolic links resolved
	old     fs.FileInfo // nil if there is no such file yet
	inPlace bool        // the file is writable, but its folder is not
}

// replacing checks that a file can be replaced or created, without changing it.
func replacing(name string) (*replacement, error) {
	r := &replacement{name: follow(name)}
	var err error
	if r.old, err = os.Stat(r.name); err == nil {
		var f *os.File
		if f, err = os.OpenFile(r.name, os.O_WRONLY, 0); err == nil {
			err = f.Close()
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		r.old, err = nil, nil
	}
	if err == nil {
		var f *os.File
		if f, err = r.beside(); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		} else if r.old != nil && !isFull(err) {
			r.inPlace, err = true, nil
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: causeOf(err)}
	}
	return r, nil
}

// beside creates a temporary file in the same folder, with the owner and the
// permissions of the older file.
func (r *replacement) beside() (*os.File, error) {
	dir, _ := filepath.Split(r.name)
	f, err := os.OpenFile(dir+".judge-"+rand.Text(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil || r.old == nil {
		return f, err
	}
	keepOwner(f, r.old)
	if err := f.Chmod(r.old.Mode().Perm()); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// write writes the file. After an error the older file is unchanged, unless it
// had to be written in place.
func (r *replacement) write(data []byte) error {
	if r.inPlace {
		return os.WriteFile(r.name, data, 0o644)
	}
	f, err := r.beside()
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err = os.Rename(f.Name(), r.name); err == nil {
		return nil
	}
	if err = errors.Join(err, os.Remove(f.Name())); r.old == nil {
		return err
	}
	// The file belongs to another user in a folder like /tmp, or is a mount point.
	// The disk has enough space, because the temporary file fitted.
	return os.WriteFile(r.name, data, 0o644)
}

// follow resolves the symbolic links of a name, also if the target does not exist
// yet.
func follow(name string) string {
	for range 40 { // as many as Linux follows
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(name) // not cleaned: dir may be a link before ..
			to = dir + to
		}
		name = to
	}
	return name
}

// isOpen reports whether a name refers to a file that is already open, such as
// /dev/fd/3 after 3>FILE in a shell. Such a file must not be replaced.
func isOpen(name string) bool {
	name = filepath.ToSlash(filepath.Clean(name))
	return name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")
}

// isFull reports whether a disk or a quota is full.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// causeOf returns the cause of an error of a file, without the file name, which
// may be that of a temporary file.
func causeOf(err error) error {
	var at *fs.PathError
	var moved *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &moved):
		return moved.Err
	}
	return err
}
