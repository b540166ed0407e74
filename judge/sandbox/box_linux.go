//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A box is the file system of programs: a separate root with read-only views of the
// machine's programs and libraries, and a few private file systems in memory. It
// belongs to one launcher, which is process 1 in it, and is kept between runs.
//
// The launcher's thread switches between two mount namespaces. The outside one
// shows the machine as the judge sees it; in it, the launcher opens the files for a
// program. The inside one shows the box; the launcher is there most of the time, so
// that programs start in it.
type box struct {
	outside, inside int // mount namespaces
	proc            int // a descriptor of a /proc that shows all processes of the box
	root            int // a writable view of the box's root, for creating mount points
	tmp, shm        private
	work            private   // the scratch copy of the working folder; fd -1 if there is none
	kept            []private // copies of the folders of Cmd.Writes
	uid             int       // user id of the programs; 0 means the launcher's
	size            int64     // bytes, of each private file system
	view            view      // the places that are mounted now
	chores          int       // mounts created since the start
}

// Sizes of private file systems: bytes if there is no limit, and number of files.
const (
	usualPrivate = 1 << 30
	inodes       = "nr_inodes=65536"
)

// build creates the box. The process must be alone in new namespaces.
func (b *box) build() error {
	b.work.fd, b.size = -1, usualPrivate
	// Later mounts and unmounts on the machine take effect here, too.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	var err error
	if b.proc, err = unix.Open("/proc", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	root, err := tmpfs("mode=0755", "size=16m", "nr_inodes=8192")
	if err != nil {
		return err
	}
	defer unix.Close(root)
	// The box must be mounted somewhere while it is built.
	candidates := []string{"/sys", "/mnt", "/media", "/srv", "/opt"}
	i := slices.IndexFunc(candidates, isFolder)
	if i < 0 {
		return fmt.Errorf("no folder to build the box in: expected one of %s", strings.Join(candidates, ", "))
	}
	mountPoint := candidates[i]
	if err := attach(root, mountPoint); err != nil {
		return err
	}
	if err := b.populate(mountPoint); err != nil {
		return err
	}
	return b.enter(root, mountPoint)
}

// enter makes a new root the root of an inside namespace. The root is mounted at the
// folder mountPoint, which shows the machine again in the outside namespace.
func (b *box) enter(root int, mountPoint string) (err error) {
	if b.root, err = unix.OpenTree(root, "", unix.AT_EMPTY_PATH|unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC); err != nil {
		return fmt.Errorf("open_tree of the box: %w", err)
	}
	if err := unix.MountSetattr(root, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY |
		unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}); err != nil {
		return fmt.Errorf("make the box's root read-only: %w", err)
	}
	if b.outside, err = unix.Open("/proc/thread-self/ns/mnt", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("unshare the mounts: %w", err)
	}
	if b.inside, err = unix.Open("/proc/thread-self/ns/mnt", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"enter the box", func() error { return unix.Chdir(mountPoint) }},
		{"pivot_root", func() error { return unix.PivotRoot(".", ".") }},
		{"unmount the old root", func() error { return unix.Unmount(".", unix.MNT_DETACH) }},
		{"enter the new root", func() error { return unix.Chdir("/") }},
		{"leave the box", b.goOut},
		{"unmount the box outside", func() error { return unix.Unmount(mountPoint, unix.MNT_DETACH) }},
		{"return to the box", b.goIn},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	b.tmp.path, b.shm.path, b.tmp.fd, b.shm.fd = "/tmp", "/dev/shm", -1, -1
	return errors.Join(b.renew(&b.tmp), b.renew(&b.shm))
}

func (b *box) goOut() error { return setns(b.outside) }
func (b *box) goIn() error  { return setns(b.inside) }

// populate creates the files and folders that all programs see in the new root.
func (b *box) populate(root string) error {
	for _, folder := range systemFolders {
		if err := populateWith(root, folder); err != nil {
			return err
		}
	}
	for _, folder := range []string{"/etc", "/dev", "/dev/shm", "/proc", "/tmp", "/var"} {
		if err := os.Mkdir(root+folder, 0o755); err != nil {
			return err
		}
	}
	if err := b.populateEtc(root); err != nil {
		return err
	}
	for _, device := range []string{"null", "zero", "full", "random", "urandom"} {
		if err := os.WriteFile(root+"/dev/"+device, nil, 0o666); err != nil {
			return err
		}
		if err := bind("/dev/"+device, root+"/dev/"+device, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|
			unix.MOUNT_ATTR_NOEXEC); err != nil {
			return err
		}
	}
	for link, target := range map[string]string{
		"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1",
		"/dev/stderr": "/proc/self/fd/2",
		"/var/tmp":    "/tmp",
	} {
		if err := os.Symlink(target, root+link); err != nil {
			return err
		}
	}
	proc, err := newFilesystem("proc", unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|
		unix.MOUNT_ATTR_NOEXEC, "hidepid=invisible", "subset=pid")
	if err != nil {
		return err
	}
	defer unix.Close(proc)
	return attach(proc, root+"/proc")
}

// populateEtc copies or binds the selected files of /etc.
func (b *box) populateEtc(root string) error {
	for _, pattern := range systemFiles {
		names, err := filepath.Glob("/etc/" + pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := populateWith(root, name); err != nil {
				return err
			}
		}
	}
	passwd := fmt.Sprintf("root:x:0:0::/:/bin/false\nsubmission:x:%d:%d::/tmp:/bin/sh\n", b.user(), b.user())
	group := fmt.Sprintf("root:x:0:\nsubmission:x:%d:\n", b.user())
	return errors.Join(os.WriteFile(root+"/etc/passwd", []byte(passwd), 0o644),
		os.WriteFile(root+"/etc/group", []byte(group), 0o644))
}

// populateWith creates a folder, file or link of the machine at the same path below
// root. A folder is a read-only view. A file is a copy, if all users may read it
// and it is small.
func populateWith(root, name string) error {
	info, err := os.Lstat(name)
	switch {
	case err != nil:
	case info.Mode()&os.ModeSymlink != 0:
		if target, err := os.Readlink(name); err == nil {
			return os.Symlink(target, root+name)
		}
	case info.IsDir():
		if err := os.Mkdir(root+name, 0o755); err != nil {
			return err
		}
		return bind(name, root+name, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	case info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 && info.Size() < 1<<20:
		if data, err := os.ReadFile(name); err == nil {
			return os.WriteFile(root+name, data, 0o644)
		}
	}
	return nil
}

// user returns the user id of the programs.
func (b *box) user() int {
	if b.uid != 0 {
		return b.uid
	}
	return os.Getuid()
}

// renew replaces a private file system with an empty one.
func (b *box) renew(p *private) error {
	b.chores++
	mount, err := tmpfs("mode=1777", b.room(), inodes)
	if err != nil {
		return err
	}
	b.drop(p)
	p.fd = mount
	if err := attach(mount, p.path); err != nil {
		return err
	}
	return unix.Fstat(mount, &p.clean)
}

// room returns the mount option for the size of a private file system. The size is
// a little above the limit, so that used can exceed the limit.
func (b *box) room() string { return fmt.Sprintf("size=%d", b.size+2*int64(pageSize)) }

// drop unmounts a private file system.
func (b *box) drop(p *private) {
	if p.fd >= 0 {
		unix.Unmount(p.path, unix.MNT_DETACH)
		unix.Close(p.fd)
		p.fd = -1
	}
}

// used returns the number of bytes that a run has left in the private file systems.
func (b *box) used() int64 {
	sum := b.tmp.used() + b.shm.used() + b.work.used()
	for i := range b.kept {
		sum += b.kept[i].used()
	}
	return sum
}

// touched reports whether a run may have changed anything in the box.
func (b *box) touched() bool {
	return b.tmp.touched() || b.shm.touched() || b.work.fd >= 0 || len(b.kept) > 0
}

// tidy removes the view and replaces the private file systems that a run has
// changed. The next run needs a new show.
func (b *box) tidy() error {
	tmp, shm := b.tmp.touched(), b.shm.touched()
	b.leave(0)
	var errs []error
	if tmp {
		errs = append(errs, b.renew(&b.tmp))
	}
	if shm {
		errs = append(errs, b.renew(&b.shm))
	}
	return errors.Join(errs...)
}

// show mounts a view; places that are already mounted stay. Size is the size of
// each private file system in bytes; 0 means the default.
func (b *box) show(v view, size int64) error {
	if size == 0 {
		size = usualPrivate
	}
	if size != b.size {
		b.size = size
		b.leave(0)
		if err := errors.Join(b.renew(&b.tmp), b.renew(&b.shm)); err != nil {
			return err
		}
	}
	same := 0
	for same < len(v) && same < len(b.view) && v[same] == b.view[same] {
		same++
	}
	b.leave(same)
	for _, p := range v[same:] {
		if err := b.place(p); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		b.view = append(b.view, p)
	}
	return errors.Join(b.tmp.note(v), b.shm.note(v))
}

// leave unmounts the places of the view from the n-th on.
func (b *box) leave(n int) {
	for i := len(b.view) - 1; i >= n; i-- {
		p := b.view[i]
		last := len(b.kept) - 1
		switch {
		case p.kind == scratch:
			b.drop(&b.work)
		case last >= 0 && b.kept[last].path == p.path:
			b.drop(&b.kept[last])
			b.kept = b.kept[:last]
		default:
			unix.Unmount(p.path, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
		}
		// Remove the mount point and the folders that were created for it.
		dir, rest := b.ground(p.path)
		for rest != "." && rest != "" {
			if unix.Unlinkat(dir, rest, 0) != nil && unix.Unlinkat(dir, rest, unix.AT_REMOVEDIR) != nil {
				break
			}
			rest = filepath.Dir(rest)
		}
	}
	b.view = b.view[:n]
}

// ground returns the folder in which mount points for a path are created, and the
// rest of the path.
func (b *box) ground(path string) (int, string) {
	for _, p := range []*private{&b.tmp, &b.shm} {
		if rest, ok := strings.CutPrefix(path, p.path+"/"); ok && p.fd >= 0 {
			return p.fd, rest
		}
	}
	return b.root, path[1:]
}

// place mounts one place in the box.
func (b *box) place(p place) error {
	b.chores++
	if err := b.goOut(); err != nil {
		return err
	}
	mount, folder, err := b.take(p)
	if back := b.goIn(); back != nil {
		return back
	}
	if err != nil {
		return err
	}
	switch {
	case p.kind == scratch:
		b.work = private{path: p.path, fd: mount}
	case p.kind == writable && folder:
		b.kept = append(b.kept, private{path: p.path, fd: mount})
	default:
		defer unix.Close(mount)
	}
	dir, rest := b.ground(p.path)
	parent := filepath.Dir(rest)
	if folder {
		parent = rest
	}
	// If the path is inside another place, these folders already exist.
	for end := 1; end <= len(parent); end++ {
		if end == len(parent) || parent[end] == '/' {
			unix.Mkdirat(dir, parent[:end], 0o755)
		}
	}
	if !folder {
		if fd, err := unix.Openat(dir, rest, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_CLOEXEC, 0o644); err == nil {
			unix.Close(fd)
		}
	}
	return attach(mount, p.path)
}

// take returns a detached mount of a place. The thread must be outside.
func (b *box) take(p place) (mount int, folder bool, err error) {
	folder = isFolder(p.path)
	path := realPath(p.path)
	switch {
	case p.kind == scratch, p.kind == writable && folder:
		if mount, err = tmpfs("mode=0700", b.room(), inodes); err != nil {
			return -1, folder, err
		}
		if err = CopyIn(fmt.Sprintf("/proc/self/fd/%d", mount), path, b.uid); err != nil {
			unix.Close(mount)
		}
		return mount, folder, err
	case p.kind == writable:
		mount, err = detached(path, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	default:
		mount, err = detached(path, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	}
	return mount, folder, err
}

// hasFileOf reports whether the program's folders have a file of at least size
// bytes. A program that only sends SIGXFSZ to itself leaves no such file.
func (b *box) hasFileOf(size int64) bool {
	b.chores += mostChores / 10 // the worst-case garbage of the search
	for _, p := range append([]string{b.tmp.path, b.shm.path}, b.writable()...) {
		if HasFileOf(p, size) {
			return true
		}
	}
	return false
}

// own makes the program's user the owner of the writable places. Another box may
// have changed the owner since the last run.
func (b *box) own() {
	for _, p := range b.view {
		var stat unix.Stat_t
		if p.kind == writable && b.uid != 0 && unix.Stat(p.path, &stat) == nil && int(stat.Uid) != b.uid {
			unix.Chown(p.path, b.uid, b.uid)
		}
	}
}

// writable returns the paths that a program may write to.
func (b *box) writable() (paths []string) {
	for _, p := range b.view {
		if p.kind != readable {
			paths = append(paths, p.path)
		}
	}
	return paths
}
