//go:build unix

package osfile

import "golang.org/x/sys/unix"

// NoFollow opens what lies under the name itself: it follows no link, and does
// not wait for the other end of a pipe.
const NoFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
