//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// passing reports whether an error is temporary, so that it is no reason to use a
// lower level from then on.
func passing(err error) bool {
	for _, errno := range []syscall.Errno{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN, unix.EINTR} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// errnoOf returns the system's error number in an error, or EINVAL.
func errnoOf(err error) syscall.Errno {
	errno := unix.EINVAL
	errors.As(err, &errno)
	return errno
}
