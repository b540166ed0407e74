package osfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"crucible/judge/terminal"
)

// A folder that a program could write to is hostile: it may contain links to other
// places, pipes that never end, folders without permissions and folders nested too
// deep. This file has all operations on such folders. They run after the program has
// ended, so the folder no longer changes, unless the sandbox does not confine programs.

const (
	maxBuiltFiles = 100_000
	MaxBytes      = 1 << 30 // of all files in a folder together
	MaxDepth      = 64      // of nested folders
)

// A FoundError describes a file of an untrusted program that is not allowed. It is
// a failure of the program, not of the judge.
type FoundError struct{ name, what string }

// Error returns the name of the file and the problem.
func (e *FoundError) Error() string { return e.name + ": " + e.what }

// ReadBack reads at most most bytes of a file that a program wrote directly in
// dir. ok is false if there is no such regular file.
func ReadBack(dir, name string, most int64) (data []byte, ok bool, err error) {
	if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
		return nil, false, nil
	}
	// Another program may have replaced the file by a link or a pipe.
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|NoFollow, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, err
	}
	data, err = io.ReadAll(io.LimitReader(f, most))
	return data, err == nil, err
}

// Adopt sets the owner of everything in a folder to the judge, and permissions
// that let all users read and run it. It returns a [*FoundError] for entries that
// cannot be part of a program.
func Adopt(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	a := adoption{root: root, uid: os.Geteuid(), gid: os.Getegid()}
	return a.folder(".", 0)
}

type adoption struct {
	root     *os.Root
	uid, gid int
	files    int
	bytes    int64
}

func (a *adoption) folder(name string, depth int) error {
	if depth > MaxDepth {
		return &FoundError{name, fmt.Sprintf("more than %d folders deep", MaxDepth)}
	}
	if err := a.own(name, 0o755); err != nil {
		return err
	}
	f, err := a.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1000)
		for _, e := range entries {
			if err := a.entry(path.Join(name, e.Name()), depth); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func (a *adoption) entry(name string, depth int) error {
	if a.files++; a.files > maxBuiltFiles {
		return &FoundError{name, fmt.Sprintf("more than %d files", maxBuiltFiles)}
	}
	info, err := a.root.Lstat(name)
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return a.folder(name, depth+1)
	case mode.IsRegular():
		if a.bytes += info.Size(); a.bytes > MaxBytes {
			return &FoundError{name, "with it there is more than " + terminal.Bytes(MaxBytes)}
		}
		if mode&0o111 != 0 {
			return a.own(name, 0o755)
		}
		return a.own(name, 0o644)
	case mode&fs.ModeSymlink != 0:
		// Stat follows links, but not out of the folder.
		if _, err := a.root.Stat(name); err != nil {
			return &FoundError{name, "a link that leads nowhere, or out of the program's folder"}
		}
		return a.lchown(name)
	}
	return &FoundError{name, "neither a file nor a folder"}
}

// own makes the judge the owner of a file or folder that is not a link.
func (a *adoption) own(name string, mode fs.FileMode) error {
	// The owner comes first, because changing it removes permissions, and only the
	// owner and root can change permissions.
	if err := a.lchown(name); err != nil {
		return err
	}
	return a.root.Chmod(name, mode)
}

func (a *adoption) lchown(name string) error {
	if a.uid != 0 {
		return nil // only root runs programs as another user, and only root can change owners
	}
	return a.root.Lchown(name, a.uid, a.gid)
}

// OpenUp lets all users write to a folder that the judge created, and to everything
// in it. A parent folder must exclude other users.
func OpenUp(dir string) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		return os.Chmod(name, info.Mode().Perm()|0o666|(info.Mode().Perm()&0o100)/0o100*0o111)
	})
}

// RemoveAll removes a folder and everything in it, even if permissions are missing
// or the folders are nested too deep for descriptors or path lengths.
func RemoveAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	if root, e := os.OpenRoot(dir); e == nil {
		flatten(root)
		root.Close()
	} else if info, e := os.Lstat(dir); e == nil && info.IsDir() && info.Mode().Perm()&0o700 != 0o700 {
		if os.Chmod(dir, 0o700) == nil {
			return RemoveAll(dir)
		}
	}
	return os.RemoveAll(dir)
}

// flatten removes the contents of a folder level by level: it moves subfolders up
// before it removes their parent. Entries that cannot be removed stay.
func flatten(root *os.Root) {
	root.Chmod(".", 0o700)
	for {
		gone := false
		f, err := root.Open(".")
		if err != nil {
			return
		}
		entries, _ := f.ReadDir(1000)
		f.Close()
		for _, e := range entries {
			gone = flattenOne(root, e) || gone
		}
		if !gone {
			return
		}
	}
}

// flattenOne removes one entry of a folder, and reports whether it is gone.
func flattenOne(root *os.Root, e fs.DirEntry) bool {
	if !e.IsDir() {
		return root.Remove(e.Name()) == nil
	}
	root.Chmod(e.Name(), 0o700)
	f, err := root.Open(e.Name())
	if err != nil {
		return false
	}
	defer f.Close()
	for {
		below, err := f.ReadDir(1000)
		for _, b := range below {
			name := path.Join(e.Name(), b.Name())
			if !b.IsDir() {
				root.Remove(name)
				continue
			}
			// Moving a folder writes to it.
			root.Chmod(name, 0o700)
			root.Rename(name, ".judge-moved-"+rand.Text())
		}
		if err != nil || len(below) == 0 {
			break
		}
	}
	return root.Remove(e.Name()) == nil
}
