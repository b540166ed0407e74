//go:build unix

package osfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and the group of an older one, or only the
// group if the owner may not be changed.
func keepOwner(f *os.File, old fs.FileInfo) {
	was, ok := old.Sys().(*syscall.Stat_t)
	if ok && f.Chown(int(was.Uid), int(was.Gid)) != nil {
		f.Chown(-1, int(was.Gid))
	}
}

// IsOwn reports whether the user of this process owns a file.
func IsOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
