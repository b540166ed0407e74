//go:build amd64 || arm64

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"crucible/judge/sandbox/syscalls"
)

// around describes the protection of the launcher's programs to their filter.
func (l *server) around() syscalls.Around {
	return syscalls.Around{Box: l.level.Full(), OwnUser: l.level == RootBox, Counted: l.watch.account.on}
}

// newFilter returns a system call filter.
func newFilter(around syscalls.Around) (*unix.SockFprog, error) {
	filter, err := syscalls.Filter(around)
	if err != nil {
		return nil, err
	}
	return &unix.SockFprog{Len: uint16(len(filter)), Filter: unsafe.SliceData(filter)}, nil
}

// An ipc learns from the filter whether a program has created something in its IPC
// namespace. A program waits in such a call until it has been noted.
type ipc struct {
	listener int32 // descriptor of the notifications; 0 if there are none
	used     bool
}

// notified notes a call and lets the kernel make it. If the program is killed meanwhile,
// the kernel returns an error, which does not matter.
func (i *ipc) notified(key uintptr) {
	i.used = true
	var call struct { // struct seccomp_notif in include/uapi/linux/seccomp.h
		id   uint64
		rest [72]byte
	}
	if _, _, e := syscall.RawSyscall6(unix.SYS_IOCTL, uintptr(i.listener), unix.SECCOMP_IOCTL_NOTIF_RECV,
		uintptr(unsafe.Pointer(&call)), 0, 0, key); e != 0 {
		return
	}
	answer := struct { // struct seccomp_notif_resp
		id           uint64
		value        int64
		error, flags int32
	}{id: call.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	syscall.RawSyscall6(unix.SYS_IOCTL, uintptr(i.listener), unix.SECCOMP_IOCTL_NOTIF_SEND,
		uintptr(unsafe.Pointer(&answer)), 0, 0, key)
}
