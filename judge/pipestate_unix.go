//go:build unix

package judge

import (
	"os"

	"golang.org/x/sys/unix"
)

// stateOf returns the state of a pipe, given its reading end.
func stateOf(r *os.File) (s pipeState) {
	s.hungUp = true // also if the file is closed
	raw, err := r.SyscallConn()
	if err != nil {
		return s
	}
	raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if _, err := unix.Poll(fds, 0); err == nil {
			s.unread, s.hungUp = fds[0].Revents&unix.POLLIN != 0, fds[0].Revents&unix.POLLHUP != 0
		}
	})
	return s
}
