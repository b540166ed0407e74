//go:build unix

package sandbox

import "syscall"

// errNotForThisMachine is what the system says of a file that it cannot run.
const errNotForThisMachine = syscall.ENOEXEC
