package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// refusedHere are refused calls that other machines do not have.
var refusedHere []uint32
