package osfile

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// A Draft is a file that is being written under a temporary name beside its final
// name. Readers of the final name see either the complete old or the complete new
// contents.
type Draft struct {
	*os.File
	To string // the final name; it may be changed until Commit, within the file system

	in   folder
	temp string
}

// A folder has the operations of [os.Root] that a draft needs.
type folder interface {
	OpenFile(name string, flag int, perm os.FileMode) (*os.File, error)
	Rename(from, to string) error
	Remove(name string) error
}

type osFolder struct{}

func (osFolder) OpenFile(name string, flag int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (osFolder) Rename(from, to string) error { return os.Rename(from, to) }
func (osFolder) Remove(name string) error     { return os.Remove(name) }

// NewDraft begins a file that replaces or creates name. If root is not nil, name is
// relative to it, and the draft cannot leave it.
func NewDraft(root *os.Root, name string) (*Draft, error) {
	d := &Draft{in: osFolder{}, To: name}
	if root != nil {
		d.in = root
	}
	// Not cleaned: the folder may be a symbolic link before "..".
	dir, _ := filepath.Split(name)
	d.temp = dir + ".judge-" + rand.Text()
	var err error
	if d.File, err = d.in.OpenFile(d.temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, Perm); err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: Cause(err)}
	}
	return d, nil
}

// Commit closes the draft and gives it its final name. If err is not nil, or the
// draft cannot be renamed, Commit removes the draft and returns the errors.
func (d *Draft) Commit(err error) error {
	if err = errors.Join(err, d.Close()); err == nil {
		err = d.in.Rename(d.temp, d.To)
	}
	d.File = nil
	if err != nil {
		err = errors.Join(err, d.in.Remove(d.temp))
	}
	return err
}

// WriteIn replaces or creates the file name below root. perm are its permissions; 0 means
// those of a new file. After an error the older file is unchanged.
func WriteIn(root *os.Root, name string, data []byte, perm os.FileMode) error {
	d, err := NewDraft(root, name)
	if err != nil {
		return err
	}
	if perm != 0 {
		err = d.Chmod(perm)
	}
	if err == nil {
		_, err = d.Write(data)
	}
	if err == nil {
		err = d.Sync()
	}
	return d.Commit(err)
}

// WriteSynced is [WriteAtomic] for a file in a folder that exists, which only the user can
// read. When it returns, the file is on the disk: a loss of power leaves it complete.
func WriteSynced(name string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	if err := WriteIn(root, filepath.Base(name), data, 0o600); err != nil {
		return err
	}
	if d, err := root.Open("."); err == nil {
		d.Sync() // not all systems can
		d.Close()
	}
	return nil
}

// Discard removes a draft that has not been committed.
func (d *Draft) Discard() error {
	if d.File == nil {
		return nil
	}
	err := errors.Join(d.Close(), d.in.Remove(d.temp))
	d.File = nil
	return err
}
