//go:build unix

package osfile

import "golang.org/x/sys/unix"

// NoFollow is the flag for os.OpenFile to not follow symbolic links and to not
// wait for the other end of a pipe.
const NoFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
