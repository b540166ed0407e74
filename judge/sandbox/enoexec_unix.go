//go:build unix

package sandbox

import "syscall"

// errNotForThisMachine is the system's error for a file that it cannot execute.
const errNotForThisMachine = syscall.ENOEXEC
