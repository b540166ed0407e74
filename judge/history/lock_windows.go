package history

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is a byte that no file has: locks here keep others from reading.
var beyond = windows.Overlapped{OffsetHigh: 1 << 30}

// lock says that the file belongs to a judge that goes on, until the file is
// closed.
func lock(f *os.File) {
	at := beyond
	windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &at)
}

// locked reports whether the judge that writes the file goes on.
func locked(f *os.File) bool {
	at := beyond
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if err == nil {
		windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at)
	}
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
