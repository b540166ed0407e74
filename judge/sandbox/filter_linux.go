//go:build amd64 || arm64

package sandbox

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"crucible/judge/sandbox/syscalls"
)

// newFilter returns the system call filter for a level. Counted says that a cgroup
// counts memory; locks says that the program may lock files.
func newFilter(level Level, counted, locks bool) (*unix.SockFprog, error) {
	filter, err := syscalls.Filter(syscalls.Around{Box: level.Full(), OwnUser: level == RootBox, Counted: counted,
		Locks: locks})
	if err != nil {
		return nil, err
	}
	return &unix.SockFprog{Len: uint16(len(filter)), Filter: unsafe.SliceData(filter)}, nil
}
