package sandbox

import "syscall"

// errNotForThisMachine is ERROR_BAD_EXE_FORMAT.
const errNotForThisMachine = syscall.Errno(193)
