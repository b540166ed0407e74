package syscalls

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// machines are the rules for calls that other architectures do not have.
var machines = []rule{
	{missing, "The first of the numbers reserved for architectures; arm64 has no call there.",
		[]uint32{unix.SYS_ARCH_SPECIFIC_SYSCALL}},
}

// machinesRequests are the prctl requests for registers that other architectures do
// not have: vectors, signed pointers, tagged addresses.
var machinesRequests = []uint32{
	unix.PR_SVE_SET_VL, unix.PR_SVE_GET_VL, unix.PR_SME_SET_VL, unix.PR_SME_GET_VL,
	unix.PR_PAC_RESET_KEYS, unix.PR_PAC_SET_ENABLED_KEYS, unix.PR_PAC_GET_ENABLED_KEYS,
	unix.PR_SET_TAGGED_ADDR_CTRL, unix.PR_GET_TAGGED_ADDR_CTRL,
}
