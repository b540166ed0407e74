//go:build unix

package judge

import "golang.org/x/sys/unix"

// openHere opens what lies under the name itself: it follows no link, and does
// not wait for the other end of a pipe.
const openHere = unix.O_NOFOLLOW | unix.O_NONBLOCK
