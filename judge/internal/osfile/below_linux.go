package osfile

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// OpenBelow opens a file below the folder of root for reading, and does not wait for the
// other end of a pipe. Symbolic links must not lead outside the folder. Top is the
// descriptor of the folder: the kernel looks up a name without links in one system call,
// where root makes two for each folder in the name.
func OpenBelow(root *os.Root, top uintptr, name string) (*os.File, error) {
	how := unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC | NoWait, Resolve: unix.RESOLVE_BENEATH |
		unix.RESOLVE_NO_SYMLINKS}
	if fd, err := unix.Openat2(int(top), name, &how); err == nil {
		return os.NewFile(uintptr(fd), filepath.Join(root.Name(), name)), nil
	}
	return root.OpenFile(name, os.O_RDONLY|NoWait, 0)
}
