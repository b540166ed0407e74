//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// mostDeep is the maximum depth of folders that CopyOut copies. Callers need less;
// each level uses two descriptors.
const mostDeep = 70

// CopyOut replaces the contents of the folder to with a copy of a mounted file
// system, without other file systems mounted in it. Mount is a descriptor of its
// root. CopyOut copies at most room bytes. Left is room minus the size of all files:
// if it is negative, files are missing. Files is the number of files and folders
// found in the file system.
func CopyOut(to string, mount int, room int64) (left int64, files int, err error) {
	c := copier{left: room}
	var stat unix.Stat_t
	if err := unix.Fstat(mount, &stat); err != nil {
		return c.left, 0, err
	}
	c.dev = uint64(stat.Dev)
	source, err := folderAt(mount, ".")
	if err != nil {
		return c.left, 0, err
	}
	defer source.Close()
	target, err := folderAt(unix.AT_FDCWD, to)
	if err != nil {
		return c.left, 0, err
	}
	defer target.Close()
	err = c.folder(source, target, 0)
	return c.left, c.files, err
}

// A copier copies one file system.
type copier struct {
	left  int64  // bytes that may still be copied
	dev   uint64 // device of the copied file system
	files int    // files and folders found so far
}

// folderAt opens a folder. It does not follow a symbolic link.
func folderAt(at int, name string) (*os.File, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// folder replaces the contents of the folder to with those of the folder from.
func (c *copier) folder(from, to *os.File, depth int) error {
	names, err := from.Readdirnames(-1)
	if err != nil {
		return err
	}
	old, err := to.Readdirnames(-1)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range old {
		if _, found := slices.BinarySearch(names, name); !found {
			if err := remove(to, name); err != nil {
				return err
			}
		}
	}
	for _, name := range names {
		if err := c.entry(from, to, name, depth); err != nil {
			return err
		}
	}
	return nil
}

// entry replaces the entry of that name in the folder to with the one in from.
func (c *copier) entry(from, to *os.File, name string, depth int) error {
	var stat, old unix.Stat_t
	if err := unix.Fstatat(int(from.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if uint64(stat.Dev) != c.dev {
		return nil
	}
	c.files++
	err := unix.Fstatat(int(to.Fd()), name, &old, unix.AT_SYMLINK_NOFOLLOW)
	there := err == nil
	isFolder := stat.Mode&unix.S_IFMT == unix.S_IFDIR
	if there && !(isFolder && old.Mode&unix.S_IFMT == unix.S_IFDIR) {
		if err := remove(to, name); err != nil {
			return err
		}
		there = false
	}
	at, mode := int(to.Fd()), stat.Mode&0o777
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		if depth == mostDeep {
			return nil
		}
		if !there {
			if err := unix.Mkdirat(at, name, 0o700); err != nil {
				return err
			}
		}
		inner, err := folderAt(int(from.Fd()), name)
		if err != nil {
			return err
		}
		defer inner.Close()
		outer, err := folderAt(at, name)
		if err != nil {
			return err
		}
		defer outer.Close()
		if err := c.folder(inner, outer, depth+1); err != nil {
			return err
		}
		return unix.Fchmod(int(outer.Fd()), mode)
	case unix.S_IFREG:
		if c.left -= stat.Size; c.left < 0 {
			return nil
		}
		return c.file(int(from.Fd()), at, name, stat.Size, mode)
	case unix.S_IFLNK:
		target := make([]byte, unix.PathMax)
		n, err := unix.Readlinkat(int(from.Fd()), name, target)
		if err != nil {
			return err
		}
		return unix.Symlinkat(string(target[:n]), at, name)
	}
	// A pipe stands for every other kind of file: callers only need to see that it
	// is not regular.
	return unix.Mknodat(at, name, unix.S_IFIFO|mode, 0)
}

func (c *copier) file(from, to int, name string, size int64, mode uint32) error {
	in, err := unix.Openat(from, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(in)
	out, err := unix.Openat(to, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	for size > 0 && err == nil {
		var n int
		n, err = unix.Sendfile(out, in, nil, int(min(size, 1<<30)))
		if err == unix.EINTR {
			err = nil
		}
		if n == 0 && err == nil {
			break
		}
		size -= int64(max(n, 0))
	}
	if err == nil {
		err = unix.Fchmod(out, mode)
	}
	if e := unix.Close(out); err == nil {
		err = e
	}
	return err
}

// remove deletes a file or folder with its contents.
func remove(dir *os.File, name string) error {
	if unix.Unlinkat(int(dir.Fd()), name, 0) == nil {
		return nil
	}
	return os.RemoveAll(fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), name))
}

// CopyIn copies the contents of a folder, without pipes and sockets, into another
// one. The copies belong to the user and group uid; if uid is 0, they belong to
// the current user.
func CopyIn(to, from string, uid int) error {
	own := func(name string) error {
		if uid == 0 {
			return nil
		}
		return os.Lchown(name, uid, uid)
	}
	err := filepath.WalkDir(from, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		as := filepath.Join(to, name[len(from):])
		if name == from {
			as = to + "/."
		}
		info, err := e.Info()
		switch {
		case err != nil:
			return err
		case e.IsDir():
			if name != from {
				if err := os.Mkdir(as, 0o755); err != nil {
					return err
				}
			}
		case e.Type() == os.ModeSymlink:
			target, err := os.Readlink(name)
			if err != nil {
				return err
			}
			if err := os.Symlink(target, as); err != nil {
				return err
			}
		case e.Type().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(as, data, info.Mode().Perm()|0o600); err != nil {
				return err
			}
		default:
			return nil // do not copy pipes and sockets
		}
		return own(as)
	})
	if err != nil {
		return fmt.Errorf("make a writable copy: %w", err)
	}
	return nil
}

// HasFileOf reports whether the folder has a file of at least size bytes. A program
// that only sends SIGXFSZ to itself leaves no such file.
func HasFileOf(dir string, size int64) bool {
	// A program may leave any number of files, so read folders in parts and visit a
	// bounded number of entries.
	left := 10_000
	for dirs := []string{dir}; len(dirs) > 0 && left > 0; dirs = dirs[1:] {
		f, err := os.Open(dirs[0])
		if err != nil {
			continue
		}
		for left > 0 {
			entries, _ := f.ReadDir(100)
			if len(entries) == 0 {
				break
			}
			left -= len(entries)
			for _, entry := range entries {
				if entry.IsDir() {
					dirs = append(dirs, filepath.Join(dirs[0], entry.Name()))
				} else if info, err := entry.Info(); err == nil && entry.Type().IsRegular() && info.Size() >= size {
					f.Close()
					return true
				}
			}
		}
		f.Close()
	}
	return false
}
