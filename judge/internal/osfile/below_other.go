//go:build !linux

package osfile

import "os"

// OpenBelow opens a file below the folder of root for reading, and does not wait for the
// other end of a pipe. Symbolic links must not lead outside the folder.
func OpenBelow(root *os.Root, _ uintptr, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|NoWait, 0)
}
