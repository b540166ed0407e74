//go:build linux || darwin

package osfile

import "golang.org/x/sys/unix"

// Free returns how many bytes a user may still write to the file system of a folder.
func Free(dir string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}
