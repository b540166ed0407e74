package syscalls

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// machines are the rules for calls that other architectures do not have.
var machines = []rule{
	{allowed, "The older form of a call that is allowed.", []uint32{
		unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_GETDENTS,
		unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_MKNOD, unix.SYS_LINK, unix.SYS_UNLINK, unix.SYS_SYMLINK, unix.SYS_RENAME,
		unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
		unix.SYS_DUP2, unix.SYS_PIPE, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT,
		unix.SYS_EVENTFD, unix.SYS_SIGNALFD,
		unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_GETPGRP, unix.SYS_PAUSE, unix.SYS_ALARM, unix.SYS_TIME,
	}},
	{allowed, "Sets the address of thread-local data.", []uint32{unix.SYS_ARCH_PRCTL, unix.SYS_SET_THREAD_AREA,
		unix.SYS_GET_THREAD_AREA}},
	{missing, "The older form of a call that is missing.", []uint32{unix.SYS_INOTIFY_INIT}},
	{missing, "Only the kernel's own probes use it, and filters do not apply to them.",
		[]uint32{unix.SYS_URETPROBE, unix.SYS_UPROBE}},
	{missing, "Shows the kernel's file systems and the machine's devices; obsolete.",
		[]uint32{unix.SYS_SYSFS, unix.SYS_USTAT}},
	{missing, "Obsolete: removed from the kernel.", []uint32{
		unix.SYS_USELIB, unix.SYS__SYSCTL, unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE,
		unix.SYS_GETPMSG, unix.SYS_PUTPMSG,
		unix.SYS_AFS_SYSCALL, unix.SYS_TUXCALL, unix.SYS_SECURITY, unix.SYS_VSERVER, unix.SYS_EPOLL_CTL_OLD,
		unix.SYS_EPOLL_WAIT_OLD,
	}},
	{refused, "Gives access to the processor's ports and segments.",
		[]uint32{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT}},
}

// machinesRequests are the prctl requests for registers that other architectures do
// not have.
var machinesRequests []uint32
