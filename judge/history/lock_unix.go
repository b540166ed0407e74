//go:build unix

package history

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lock says that the file belongs to a judge that goes on, until the file is
// closed. A file system without locks does no harm: the call then looks killed
// until it ends.
func lock(f *os.File) {
	// A reader that tries the lock holds it for a moment.
	for range 10 {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// locked reports whether the judge that writes the file goes on.
func locked(f *os.File) bool {
	err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if err == nil {
		unix.Flock(int(f.Fd()), unix.LOCK_UN)
	}
	return errors.Is(err, unix.EWOULDBLOCK)
}
