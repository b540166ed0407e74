//go:build unix

package osfile

import "golang.org/x/sys/unix"

const (
	// NoWait is the flag for os.OpenFile to not wait for the other end of a pipe.
	NoWait = unix.O_NONBLOCK
	// NoFollow is NoWait with the flag to not follow symbolic links.
	NoFollow = unix.O_NOFOLLOW | NoWait
)
