//go:build amd64 || arm64

package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A private file system is in memory. It is replaced after a run that has written
// to it, which takes constant time.
type private struct {
	path  string
	fd    int
	clean unix.Stat_t
	above []folder // folders in it that were created for mount points below them
}

// A folder is a folder in a private file system. Its owner is the launcher's user,
// which in a user box is also the programs' user.
type folder struct {
	path  string // relative to the root of the file system
	clean unix.Stat_t
}

// touched reports whether a private file system may have been changed. Creating and
// deleting a file changes the times of its folder. A change within the resolution
// of these times may go unnoticed, but leaves no trace for the next run either.
func (p *private) touched() bool {
	var now unix.Stat_t
	if p.fd < 0 || unix.Fstat(p.fd, &now) != nil || changed(&p.clean, &now) {
		return true
	}
	return slices.ContainsFunc(p.above, func(f folder) bool {
		return unix.Fstatat(p.fd, f.path, &now, unix.AT_SYMLINK_NOFOLLOW) != nil || changed(&f.clean, &now)
	})
}

func changed(was, now *unix.Stat_t) bool {
	return now.Size != was.Size || now.Nlink != was.Nlink || now.Mode != was.Mode || now.Uid != was.Uid ||
		now.Gid != was.Gid ||
		now.Mtim != was.Mtim || now.Ctim != was.Ctim
}

// note records the state of a private file system before a run.
func (p *private) note(v view) error {
	p.above = p.above[:0]
	if err := unix.Fstat(p.fd, &p.clean); err != nil {
		return err
	}
	for _, place := range v {
		path, ok := strings.CutPrefix(place.path, p.path+"/")
		for path = filepath.Dir(path); ok && path != "."; path = filepath.Dir(path) {
			f := folder{path: path}
			// A program may write to a folder that is a place itself.
			if unix.Fstatat(p.fd, path, &f.clean, unix.AT_SYMLINK_NOFOLLOW) == nil && f.clean.Dev == p.clean.Dev {
				p.above = append(p.above, f)
			}
		}
	}
	return nil
}

// used returns the number of bytes that its files occupy.
func (p *private) used() int64 {
	var fs unix.Statfs_t
	if p.fd < 0 || unix.Fstatfs(p.fd, &fs) != nil {
		return 0
	}
	return int64(fs.Blocks-fs.Bfree) * fs.Bsize
}
