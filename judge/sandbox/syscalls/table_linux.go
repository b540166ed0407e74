//go:build amd64 || arm64

package syscalls

import (
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A rule is the decision about some calls, and the reason for it.
type rule struct {
	answer func(Around) []bpf.Instruction
	why    string
	calls  []uint32
}

// table has each system call of this machine exactly once.
func table() []rule { return append(slices.Clone(common), machines...) }

// common are the rules for calls that all machines have.
var common = []rule{
	{allowed, "Reads and writes what is open. The kernel counts what is written.", []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV,
		unix.SYS_PREADV2, unix.SYS_PWRITEV2, unix.SYS_SENDFILE, unix.SYS_COPY_FILE_RANGE, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE,
		unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNC_FILE_RANGE,
		unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FADVISE64, unix.SYS_READAHEAD,
	}},
	{allowed, "Names files. The box, or Landlock, decides what can be reached by a name.", []uint32{
		unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS,
		unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR,
		unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_GETXATTRAT,
		unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR, unix.SYS_LISTXATTRAT,
	}},
	{allowed, "Makes and changes files where it may write, as compilers and scratch folders need; devices need a capability.", []uint32{
		unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_UNLINKAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_TRUNCATE,
		unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_UMASK,
	}},
	{allowed, "Has memory, which is limited and counted.", []uint32{
		unix.SYS_BRK, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MSYNC, unix.SYS_MINCORE,
		unix.SYS_MLOCK, unix.SYS_MLOCK2, unix.SYS_MLOCKALL, unix.SYS_MUNLOCK, unix.SYS_MUNLOCKALL, unix.SYS_MEMFD_CREATE, unix.SYS_MSEAL,
		unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, // V8 guards its code by keys
		unix.SYS_MAP_SHADOW_STACK, // glibc, where the processor has one
	}},
	{allowed, "Begins, ends and waits for processes and threads, which are limited and counted.", []uint32{
		unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_PIDFD_OPEN,
		unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_RESTART_SYSCALL, unix.SYS_MEMBARRIER,
		unix.SYS_FUTEX, unix.SYS_FUTEX_WAIT, unix.SYS_FUTEX_WAKE, unix.SYS_FUTEX_WAITV, unix.SYS_FUTEX_REQUEUE,
		unix.SYS_SETSID, unix.SYS_SETPGID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID,
	}},
	{allowed, "Signals. They reach the processes of the run, and on a rung without a box those that Landlock lets it reach.", []uint32{
		unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGTIMEDWAIT,
		unix.SYS_SIGALTSTACK, unix.SYS_SIGNALFD4,
	}},
	{allowed, "Waits for several files at once.", []uint32{
		unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_EVENTFD2,
	}},
	{allowed, "Reads clocks and sets timers of its own.", []uint32{
		unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES,
		unix.SYS_GETITIMER, unix.SYS_SETITIMER, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,
		unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE,
	}},
	{allowed, "Asks what it is and what it has.", []uint32{
		unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS, unix.SYS_CAPGET,
		unix.SYS_GETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_GETPRIORITY, unix.SYS_IOPRIO_GET, unix.SYS_SYSINFO, unix.SYS_UNAME, unix.SYS_GETRANDOM,
		unix.SYS_GETCPU, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETATTR, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER,
		unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_SCHED_RR_GET_INTERVAL,
	}},
	{allowed, "Gives up rights, or takes again what it has: the kernel allows a program without capabilities no more. Shells and PHP do so.", []uint32{
		unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID,
		unix.SYS_SETFSUID, unix.SYS_SETFSGID, unix.SYS_SETGROUPS, unix.SYS_CAPSET, unix.SYS_SETRLIMIT,
	}},
	{allowed, "Talks by the sockets that it may make: see socket.", []uint32{
		unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT, unix.SYS_SETSOCKOPT,
		unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_RECVMMSG, unix.SYS_SHUTDOWN,
	}},
	{sockets, "There is no network: sockets are for the run's own processes. Without a box, a datagram would go to any socket of the machine that has a name.", []uint32{
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR,
	}},
	{inBox, "A box has name spaces of its own for these. Without one they would reach others, or stay after the run.", []uint32{
		unix.SYS_CONNECT, unix.SYS_MQ_OPEN,
	}},
	{ifCounted, "Likewise; and what no process has attached is in no process's memory, so a cgroup must count it.", []uint32{
		unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET,
	}},
	{allowed, "Uses what a call of the two rules above has made.", []uint32{
		unix.SYS_SHMAT, unix.SYS_SHMDT, unix.SYS_SHMCTL, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MQ_UNLINK, unix.SYS_MQ_TIMEDSEND, unix.SYS_MQ_TIMEDRECEIVE, unix.SYS_MQ_NOTIFY, unix.SYS_MQ_GETSETATTR,
	}},
	{clone, "Begins processes and threads, but no namespaces.", []uint32{unix.SYS_CLONE}},
	{fileLocks, "Runs at the same time see the same files, and could signal each other by locks. Without Locks the call succeeds and locks nothing, which a program of one process notices only if it opens a file twice. An error is worse: the JVM prints a warning to standard output, where the answer goes, and SQLite tries for 5 seconds and gives up.", []uint32{unix.SYS_FLOCK}},
	{fileRequests, "What runtimes do with a descriptor. Locks likewise; who holds one is not told. No leases, notifications and hints, which stay with a file that others have open.", []uint32{unix.SYS_FCNTL}},
	{driverRequests, "What runtimes ask of a stream. All else is a matter of drivers and file systems, which say ENOTTY to a request that they do not know.", []uint32{unix.SYS_IOCTL}},
	{processRequests, "What runtimes set of themselves. Not the judge's counters (31, 32), nor who shares a core with it, nor a filter; a kernel says EINVAL to a request that it does not know.", []uint32{unix.SYS_PRCTL}},
	{personalities, "SBCL asks for fixed addresses. Others loosen what protects memory.", []uint32{unix.SYS_PERSONALITY}},
	{ofItself(0), "Sets its own limits and scheduling. A program that has the launcher's user would slow that down.", []uint32{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	}},
	{ofItself(1), "Sets its own priority, likewise: of a process, not of a group or user.", []uint32{unix.SYS_SETPRIORITY}},
	{withOwnUser, "Sets its own disk priority, likewise.", []uint32{unix.SYS_IOPRIO_SET}},

	{unfit, "Passes data on by reference, which the count of written bytes does not see: an interaction's limit of 8 MiB let 1024 MiB through. EINVAL is what files say that cannot be spliced; Go, Rust and coreutils then copy.", []uint32{
		unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_VMSPLICE,
	}},
	{missing, "The machine has 65,536 asynchronous requests for all, and one program took 64,000; what they write is not counted.", []uint32{
		unix.SYS_IO_SETUP, unix.SYS_IO_DESTROY, unix.SYS_IO_SUBMIT, unix.SYS_IO_CANCEL, unix.SYS_IO_GETEVENTS, unix.SYS_IO_PGETEVENTS,
	}},
	{missing, "What a ring does for a program passes by its filter. libuv does without.", []uint32{
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	}},
	{missing, "Sees who opens shared files, by which runs could signal each other; watches are limited per user of the machine. Only fs.watch and tail -f need it.", []uint32{
		unix.SYS_INOTIFY_INIT1, unix.SYS_INOTIFY_ADD_WATCH, unix.SYS_INOTIFY_RM_WATCH, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
	}},
	{missing, "Sees which pages of a file others have read.", []uint32{unix.SYS_CACHESTAT}},
	{missing, "Chooses the node whose memory is used, and moves pages, others' too. Kernels can be built without nodes, and libnuma and the JVM ask.", []uint32{
		unix.SYS_MBIND, unix.SYS_GET_MEMPOLICY, unix.SYS_SET_MEMPOLICY, unix.SYS_SET_MEMPOLICY_HOME_NODE, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES,
	}},
	{refused, "Leaves the processors that --pin gives. Runtimes ask for them (sched_getaffinity) and do not choose.", []uint32{unix.SYS_SCHED_SETAFFINITY}},
	{refused, "Has the machine write all that it holds to its disks, in nobody's CPU time.", []uint32{unix.SYS_SYNC, unix.SYS_SYNCFS}},
	{missing, "Hides the flags in memory, where a filter cannot see them. libc then takes clone.", []uint32{unix.SYS_CLONE3}},
	{missing, "A filter of the program's own can write to the machine's log, and have another process answer its calls. No runtime makes one.", []uint32{unix.SYS_SECCOMP}},
	{missing, "Restricts the program itself, takes memory of the kernel and shows its settings. No runtime needs it.", []uint32{
		unix.SYS_LANDLOCK_CREATE_RULESET, unix.SYS_LANDLOCK_ADD_RULE, unix.SYS_LANDLOCK_RESTRICT_SELF,
		unix.SYS_LSM_GET_SELF_ATTR, unix.SYS_LSM_SET_SELF_ATTR, unix.SYS_LSM_LIST_MODULES,
	}},
	{missing, "Newer than what any runtime relies on, and not looked at by anyone here for what it opens.", []uint32{
		unix.SYS_FILE_GETATTR, unix.SYS_LISTNS, unix.SYS_RSEQ_SLICE_YIELD,
	}},
	{missing, "Obsolete: the kernel has it no more, or only for programs of the last century.", []uint32{
		unix.SYS_NFSSERVCTL, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_REMAP_FILE_PAGES,
	}},
	{refused, "Changes what is mounted, or makes and enters namespaces: worlds in which more is allowed.", []uint32{
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT_SETATTR,
		unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
		unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	}},
	{refused, "Reaches files without a name, past the box.", []uint32{unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT}},
	{refused, "Looks into other processes and takes what they have.", []uint32{
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
		unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	}},
	{refused, "Runs programs in the kernel, stops it at page faults, hides memory from it, or counts events: doors of many attacks.", []uint32{
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_MEMFD_SECRET,
	}},
	{refused, "Keys belong to a user, not to a run.", []uint32{unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY}},
	{unsupported, "Attributes stay with a file: a folder that all may write to would carry them from run to run. ENOTSUP is what a file system without them says; install and cp -p then do without.", []uint32{
		unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	}},
	{missing, "Sets flags that stay with a file, likewise.", []uint32{unix.SYS_FILE_SETATTR}},
	{refused, "Changes the machine, as its administrator does.", []uint32{
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
		unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
		unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	}},
}
