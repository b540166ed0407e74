//go:build amd64 || arm64

package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A private file system is in memory, and is replaced when it was written to:
// that takes a constant time, whatever was done to it.
type private struct {
	path  string
	fd    int
	clean unix.Stat_t
	above []folder // in it, that were made for what is mounted below them
}

// A folder is in a private file system. It belongs to the launcher's user, and
// in a user box to the programs'.
type folder struct {
	path  string // from the file system's root
	clean unix.Stat_t
}

// touched reports whether something was done to a private file system. Who makes
// a file in it and removes it again changes its times; a change that is as
// recent as they are coarse leaves no trace in them to be found by the next.
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
	return now.Size != was.Size || now.Nlink != was.Nlink || now.Mode != was.Mode || now.Uid != was.Uid || now.Gid != was.Gid ||
		now.Mtim != was.Mtim || now.Ctim != was.Ctim
}

// note notes how a private file system is before a run.
func (p *private) note(v view) error {
	p.above = p.above[:0]
	if err := unix.Fstat(p.fd, &p.clean); err != nil {
		return err
	}
	for _, place := range v {
		path, ok := strings.CutPrefix(place.path, p.path+"/")
		for path = filepath.Dir(path); ok && path != "."; path = filepath.Dir(path) {
			f := folder{path: path}
			// What is a place itself may be written to.
			if unix.Fstatat(p.fd, path, &f.clean, unix.AT_SYMLINK_NOFOLLOW) == nil && f.clean.Dev == p.clean.Dev {
				p.above = append(p.above, f)
			}
		}
	}
	return nil
}

// used returns the bytes that files in it take.
func (p *private) used() int64 {
	var fs unix.Statfs_t
	if p.fd < 0 || unix.Fstatfs(p.fd, &fs) != nil {
		return 0
	}
	return int64(fs.Blocks-fs.Bfree) * fs.Bsize
}
