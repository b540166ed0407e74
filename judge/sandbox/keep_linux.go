//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Changes to a folder of Cmd.Writes are kept, but they must not fill the disk
// during the run: limits on single files do not bound their sum, and looks are too
// slow for fallocate. So in a box, such a folder is a copy in a file system in
// memory with a fixed size. After the run, when no process can change it, it is
// copied back, up to that size.

// mostDeep is the maximum depth of folders that are copied back. Callers need less;
// each level uses two descriptors.
const mostDeep = 70

// keep copies the folders of Cmd.Writes back to the machine. It reports whether
// their contents exceed their size; the copy is then incomplete.
func (b *box) keep() (over bool, err error) {
	if len(b.kept) == 0 {
		return false, nil
	}
	if err := b.goOut(); err != nil {
		return false, err
	}
	k := keeping{left: b.size}
	for _, p := range b.kept {
		if err = k.all(p.fd, realPath(p.path)); err != nil {
			err = fmt.Errorf("copy back %s: %w", p.path, err)
			break
		}
	}
	b.chores += k.files / 10
	if back := b.goIn(); back != nil {
		return false, back
	}
	return k.left < 0, err
}

type keeping struct {
	left  int64  // bytes that may still be copied
	dev   uint64 // device of the copied file system; mounts in it are not copied
	files int
}

func (k *keeping) all(mount int, path string) error {
	var stat unix.Stat_t
	if err := unix.Fstat(mount, &stat); err != nil {
		return err
	}
	k.dev = uint64(stat.Dev)
	from, err := folderAt(mount, ".")
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := folderAt(unix.AT_FDCWD, path)
	if err != nil {
		return err
	}
	defer to.Close()
	return k.folder(from, to, 0)
}

// folderAt opens a folder and does not follow a symbolic link.
func folderAt(at int, name string) (*os.File, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// folder makes the contents of to equal to those of from.
func (k *keeping) folder(from, to *os.File, depth int) error {
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
		if err := k.entry(from, to, name, depth); err != nil {
			return err
		}
	}
	return nil
}

func (k *keeping) entry(from, to *os.File, name string, depth int) error {
	var stat, old unix.Stat_t
	if err := unix.Fstatat(int(from.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if uint64(stat.Dev) != k.dev {
		return nil
	}
	k.files++
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
		if err := k.folder(inner, outer, depth+1); err != nil {
			return err
		}
		return unix.Fchmod(int(outer.Fd()), mode)
	case unix.S_IFREG:
		if k.left -= stat.Size; k.left < 0 {
			return nil
		}
		return k.file(int(from.Fd()), at, name, stat.Size, mode)
	case unix.S_IFLNK:
		target := make([]byte, unix.PathMax)
		n, err := unix.Readlinkat(int(from.Fd()), name, target)
		if err != nil {
			return err
		}
		return unix.Symlinkat(string(target[:n]), at, name)
	}
	// Callers only need to see that this is no regular file, so do not recreate
	// sockets and devices.
	return unix.Mknodat(at, name, unix.S_IFIFO|mode, 0)
}

func (k *keeping) file(from, to int, name string, size int64, mode uint32) error {
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

// remove deletes a file or folder that is in the way.
func remove(dir *os.File, name string) error {
	if unix.Unlinkat(int(dir.Fd()), name, 0) == nil {
		return nil
	}
	return os.RemoveAll(fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), name))
}
