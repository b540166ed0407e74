package osfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockBits locks a byte beyond the end of any file, because other processes cannot read
// a locked byte.
func lockBits(f *os.File, flags uint32) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_FAIL_IMMEDIATELY|flags, 0, 1, 0,
		&windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

func lock(f *os.File) error { return lockBits(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func locked(f *os.File) bool {
	err := lockBits(f, 0)
	if err == nil {
		windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	}
	return errors.Is(err, ErrLocked)
}
