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

// A report takes the place of an older one when it is complete: it is written
// beside it under another name, which is then changed. Whatever goes wrong, a
// full disk above all, the older one is still there.

// A replacement is a regular file that is to be written.
type replacement struct {
	name    string      // where symbolic links lead
	old     fs.FileInfo // nil if there is no such file yet
	inPlace bool        // it can be written, but nothing can be made beside it
}

// replacing makes sure that a file can be replaced, or made, and leaves nothing.
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

// beside makes a file in the same folder, with the rights of the older one.
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

// write writes the file. After an error the older one is as it was, unless it
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
	// It is another user's in a folder like /tmp, or mounted on its own. There
	// was room for all of it just now.
	return os.WriteFile(r.name, data, 0o644)
}

// follow returns where the symbolic links of a name lead, also to what is not
// there yet.
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

// isOpen reports whether a name is of a file that is open already, as that of a
// shell's 3>FILE: whoever opened it reads it by that.
func isOpen(name string) bool {
	name = filepath.ToSlash(filepath.Clean(name))
	return name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")
}

// isFull reports whether there was no room.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// causeOf is what went wrong, without the name of a file that nobody asked for.
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
