package osfile

import (
	"errors"
	"os"
)

// ErrLocked is the error of [Lock] if another process has locked the file.
var ErrLocked = errors.New("locked by another process")

// Lock locks a file against other processes, without waiting, until the file is
// closed or the process ends. On systems and file systems without locks it returns
// another error, or nil.
func Lock(f *os.File) error { return lock(f) }

// Locked reports whether another process has locked a file. It holds a shared lock
// for a moment, during which [Lock] fails in other processes.
func Locked(f *os.File) bool { return locked(f) }
