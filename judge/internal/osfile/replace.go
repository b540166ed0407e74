package osfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A Replacement is a regular file of the user that will be written. An older file
// is replaced only when the new one is complete. After any error, such as a full
// disk, the older file still exists.
type Replacement struct {
	Name    string      // the name with symbolic links resolved
	old     fs.FileInfo // nil if there is no such file yet
	inPlace bool        // the file is writable, but its folder is not
}

// Replacing checks that a file can be replaced or created, without changing it.
func Replacing(name string) (*Replacement, error) {
	r := &Replacement{Name: follow(name)}
	var err error
	if r.old, err = os.Stat(r.Name); err == nil {
		var f *os.File
		if f, err = os.OpenFile(r.Name, os.O_WRONLY, 0); err == nil {
			err = f.Close()
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		r.old, err = nil, nil
	}
	if err == nil {
		var d *Draft
		if d, err = r.draft(); err == nil {
			err = d.Discard()
		} else if r.old != nil && !IsFull(err) {
			r.inPlace, err = true, nil
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: Cause(err)}
	}
	return r, nil
}

// draft begins a draft with the owner and the permissions of the older file.
func (r *Replacement) draft() (*Draft, error) {
	d, err := NewDraft(nil, r.Name)
	if err != nil || r.old == nil {
		return d, err
	}
	keepOwner(d.File, r.old)
	if err := d.Chmod(r.old.Mode().Perm()); err != nil {
		return nil, errors.Join(err, d.Discard())
	}
	return d, nil
}

// Write writes the file. After an error the older file is unchanged, unless it had
// to be written in place.
func (r *Replacement) Write(data []byte) error {
	if !r.inPlace {
		d, err := r.draft()
		if err != nil {
			return err
		}
		if _, err = d.Write(data); err == nil {
			err = d.Sync()
		}
		err = d.Commit(err)
		if r.old == nil || !errors.As(err, new(*os.LinkError)) {
			return err
		}
		// The file belongs to another user in a folder like /tmp, or is a mount point.
		// The disk has enough space, because the draft fitted.
	}
	return os.WriteFile(r.Name, data, Perm)
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

// IsOpen reports whether a name refers to a file that is already open, such as
// /dev/fd/3 after 3>FILE in a shell. Such a file must not be replaced.
func IsOpen(name string) bool {
	name = filepath.ToSlash(filepath.Clean(name))
	return name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/")
}

// IsFull reports whether a disk or a quota is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// Cause returns the cause of an error of a file, without the file name, which may
// be that of a temporary file.
func Cause(err error) error {
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
