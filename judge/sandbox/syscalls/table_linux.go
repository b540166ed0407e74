//go:build amd64 || arm64

package syscalls

import (
	"slices"

	"golang.org/x/sys/unix"
)

// A rule is the decision about some calls, and its reason.
type rule struct {
	answer answerFunc
	why    string
	calls  []uint32
}

// table returns the rules. Each system call of this machine occurs exactly once.
func table() []rule { return append(slices.Clone(common), machines...) }

// common are the rules for calls that all architectures have.
var common = []rule{
	{allowed, "Reads and writes open files. The kernel counts the bytes written.", []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV,
		unix.SYS_PWRITEV,
		unix.SYS_PREADV2, unix.SYS_PWRITEV2, unix.SYS_SENDFILE, unix.SYS_COPY_FILE_RANGE, unix.SYS_LSEEK, unix.SYS_CLOSE,
		unix.SYS_CLOSE_RANGE,
		unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNC_FILE_RANGE,
		unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FADVISE64, unix.SYS_READAHEAD,
	}},
	{allowed, "Uses file names. The box or Landlock decides which files a name can reach.", []uint32{
		unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_STATFS,
		unix.SYS_FSTATFS,
		unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR,
		unix.SYS_FCHDIR,
		unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_GETXATTRAT,
		unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR, unix.SYS_LISTXATTRAT,
	}},
	{allowed, "Creates and changes files in writable folders, as compilers and scratch folders need. Devices need a " +
		"capability.", []uint32{
		unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_UNLINKAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_RENAMEAT,
		unix.SYS_RENAMEAT2, unix.SYS_TRUNCATE,
		unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
		unix.SYS_UMASK,
	}},
	{allowed, "Allocates and manages memory, which is limited and counted.", []uint32{
		unix.SYS_BRK, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MSYNC,
		unix.SYS_MINCORE,
		unix.SYS_MLOCK, unix.SYS_MLOCK2, unix.SYS_MLOCKALL, unix.SYS_MUNLOCK, unix.SYS_MUNLOCKALL, unix.SYS_MEMFD_CREATE,
		unix.SYS_MSEAL,
		unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, // V8 protects its code with keys
		unix.SYS_MAP_SHADOW_STACK, // glibc, if the processor supports it
	}},
	{allowed, "Starts, ends and waits for processes and threads, which are limited and counted.", []uint32{
		unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
		unix.SYS_PIDFD_OPEN,
		unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_RESTART_SYSCALL,
		unix.SYS_MEMBARRIER,
		unix.SYS_FUTEX, unix.SYS_FUTEX_WAIT, unix.SYS_FUTEX_WAKE, unix.SYS_FUTEX_WAITV, unix.SYS_FUTEX_REQUEUE,
		unix.SYS_SETSID, unix.SYS_SETPGID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETPID, unix.SYS_GETPPID,
		unix.SYS_GETTID,
	}},
	{allowed, "Sends and handles signals. They reach the processes of the run and, without a box, the processes that " +
		"Landlock permits.", []uint32{
		unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_RT_SIGQUEUEINFO,
		unix.SYS_RT_TGSIGQUEUEINFO,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND,
		unix.SYS_RT_SIGTIMEDWAIT,
		unix.SYS_SIGALTSTACK, unix.SYS_SIGNALFD4,
	}},
	{allowed, "Waits for several files at once.", []uint32{
		unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT,
		unix.SYS_EPOLL_PWAIT2, unix.SYS_EVENTFD2,
	}},
	{allowed, "Reads clocks and sets the process's own timers.", []uint32{
		unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP, unix.SYS_GETTIMEOFDAY,
		unix.SYS_TIMES,
		unix.SYS_GETITIMER, unix.SYS_SETITIMER, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,
		unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN,
		unix.SYS_TIMER_DELETE,
	}},
	{allowed, "Reads the process's own identity and resources.", []uint32{
		unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID, unix.SYS_GETRESGID,
		unix.SYS_GETGROUPS, unix.SYS_CAPGET,
		unix.SYS_GETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_GETPRIORITY, unix.SYS_IOPRIO_GET, unix.SYS_SYSINFO, unix.SYS_UNAME,
		unix.SYS_GETRANDOM,
		unix.SYS_GETCPU, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETATTR, unix.SYS_SCHED_GETPARAM,
		unix.SYS_SCHED_GETSCHEDULER,
		unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_SCHED_RR_GET_INTERVAL,
	}},
	{allowed, "Drops rights or sets rights that the process already has: the kernel permits no more without " +
		"capabilities. Shells and PHP do this.", []uint32{
		unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID,
		unix.SYS_SETFSUID, unix.SYS_SETFSGID, unix.SYS_SETGROUPS, unix.SYS_CAPSET, unix.SYS_SETRLIMIT,
	}},
	{allowed, "Uses the sockets that the rule for socket permits.", []uint32{
		unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME,
		unix.SYS_GETSOCKOPT, unix.SYS_SETSOCKOPT,
		unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
		unix.SYS_SHUTDOWN,
	}},
	{sockets, "There is no network: sockets connect the run's own processes. Without a box, a datagram could reach any " +
		"named socket of the machine.", []uint32{
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR,
	}},
	{inBox, "A box has its own namespaces for these. Without a box they would reach other processes, or remain after " +
		"the run.", []uint32{unix.SYS_CONNECT}},
	{creating(inBox), "Likewise.", []uint32{unix.SYS_MQ_OPEN}},
	{creating(ifCounted), "Likewise. Also, memory that no process has attached is in no process's count, so a cgroup " +
		"must count it.",
		[]uint32{
			unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET,
		}},
	{allowed, "Uses objects that the calls of the three rules above have created.", []uint32{
		unix.SYS_SHMAT, unix.SYS_SHMDT, unix.SYS_SHMCTL, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_SEMOP,
		unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MQ_UNLINK, unix.SYS_MQ_TIMEDSEND, unix.SYS_MQ_TIMEDRECEIVE, unix.SYS_MQ_NOTIFY, unix.SYS_MQ_GETSETATTR,
	}},
	{clone, "Starts processes and threads, but no namespaces.", []uint32{unix.SYS_CLONE}},
	{fileLocks, "Concurrent runs see the same files and could use locks to signal each other. Without Locks the call " +
		"succeeds and locks nothing; a program with one process notices this only if it opens a file twice. An error " +
		"would be worse: the JVM prints a warning to standard output, which contains the answer, and SQLite retries for 5 " +
		"seconds and then fails.", []uint32{unix.SYS_FLOCK}},
	{fileRequests, "The requests that runtimes make for a descriptor. Locks as for flock, and F_GETLK fails. Leases, " +
		"notifications and hints are refused, because they stay with a file that other processes have open.",
		[]uint32{unix.SYS_FCNTL}},
	{keyed(driverRequests), "The requests that runtimes make for a stream. Other requests are for drivers and file " +
		"systems, which return ENOTTY for unknown requests.", []uint32{unix.SYS_IOCTL}},
	{processRequests, "The requests that runtimes make for themselves. Requests for the judge's counters (31, 32), for " +
		"core scheduling and for filters are refused. A kernel returns EINVAL for unknown requests.",
		[]uint32{unix.SYS_PRCTL}},
	{personalities, "SBCL requests fixed addresses. Other personalities weaken memory protection.",
		[]uint32{unix.SYS_PERSONALITY}},
	{ofItself(0, unix.EPERM),
		"Sets the process's own limits. A program with the launcher's user could otherwise limit the launcher.",
		[]uint32{unix.SYS_PRLIMIT64}},
	{ofItself(0, 0), "Sets the thread's own scheduling, likewise. For another thread the call does nothing: Mono makes " +
		"each of its threads normal, which they are, and prints an error to standard output otherwise.", []uint32{
		unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	}},
	{ofItself(1, unix.EPERM), "Sets the process's own priority, likewise; not that of a group or user.",
		[]uint32{unix.SYS_SETPRIORITY}},
	{withOwnUser, "Sets the process's own disk priority, likewise.", []uint32{unix.SYS_IOPRIO_SET}},

	{unfit, "Moves data by reference, which the count of written bytes does not include: under a limit of 8 MiB, an " +
		"interaction moved 1024 MiB. EINVAL is the error for files that cannot be spliced; Go, Rust and coreutils then copy.",
		[]uint32{
			unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_VMSPLICE,
		}},
	{missing, "All programs of the machine share 65,536 asynchronous requests, and one program took 64,000. The bytes " +
		"that they write are not counted.", []uint32{
		unix.SYS_IO_SETUP, unix.SYS_IO_DESTROY, unix.SYS_IO_SUBMIT, unix.SYS_IO_CANCEL, unix.SYS_IO_GETEVENTS,
		unix.SYS_IO_PGETEVENTS,
	}},
	{missing, "The operations of a ring bypass the filter. libuv works without it.", []uint32{
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	}},
	{missing, "Reports accesses to shared files, which runs could use to signal each other. All processes of a user " +
		"share a limit on watches. Only fs.watch and tail -f need it.", []uint32{
		unix.SYS_INOTIFY_INIT1, unix.SYS_INOTIFY_ADD_WATCH, unix.SYS_INOTIFY_RM_WATCH, unix.SYS_FANOTIFY_INIT,
		unix.SYS_FANOTIFY_MARK,
	}},
	{missing, "Shows which pages of a file other processes have read.", []uint32{unix.SYS_CACHESTAT}},
	{missing, "Chooses the NUMA node of memory, and moves pages, also of other processes. Kernels can be built without " +
		"NUMA, and libnuma and the JVM check for it.", []uint32{
		unix.SYS_MBIND, unix.SYS_GET_MEMPOLICY, unix.SYS_SET_MEMPOLICY, unix.SYS_SET_MEMPOLICY_HOME_NODE, unix.SYS_MOVE_PAGES,
		unix.SYS_MIGRATE_PAGES,
	}},
	{keyed(refused), "Would override the processors that --pin assigns. Runtimes read their processors " +
		"(sched_getaffinity) and do not set them.", []uint32{unix.SYS_SCHED_SETAFFINITY}},
	{refused, "Makes the machine write all cached data to its disks, in CPU time that counts for no process.",
		[]uint32{unix.SYS_SYNC, unix.SYS_SYNCFS}},
	{missing, "Passes its flags in memory, which a filter cannot read. libc then uses clone.", []uint32{unix.SYS_CLONE3}},
	{missing, "A filter of the program can write to the machine's log and let another process answer its calls. No " +
		"runtime installs one.", []uint32{unix.SYS_SECCOMP}},
	{missing, "Restricts the program itself, but uses kernel memory and shows kernel settings. No runtime needs it.",
		[]uint32{
			unix.SYS_LANDLOCK_CREATE_RULESET, unix.SYS_LANDLOCK_ADD_RULE,
			unix.SYS_LSM_GET_SELF_ATTR, unix.SYS_LSM_SET_SELF_ATTR, unix.SYS_LSM_LIST_MODULES,
		}},
	{keyed(missing), "Likewise. A launcher restricts each program to its view.",
		[]uint32{unix.SYS_LANDLOCK_RESTRICT_SELF}},
	{missing, "Newer than any runtime requires, and not reviewed yet.", []uint32{
		unix.SYS_FILE_GETATTR, unix.SYS_LISTNS, unix.SYS_RSEQ_SLICE_YIELD,
	}},
	{missing, "Obsolete: removed from the kernel, or kept only for very old programs.", []uint32{
		unix.SYS_NFSSERVCTL, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_REMAP_FILE_PAGES,
	}},
	{refused, "Changes mounts, or creates and enters namespaces, in which more is permitted.", []uint32{
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS,
		unix.SYS_MOUNT_SETATTR,
		unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG,
		unix.SYS_FSMOUNT, unix.SYS_FSPICK,
		unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	}},
	{keyed(refused), "Likewise. A launcher creates some namespaces for each program.", []uint32{unix.SYS_UNSHARE}},
	{refused, "Opens files by handle, which could reach files outside the box.",
		[]uint32{unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT}},
	{refused, "Reads or changes the memory and descriptors of other processes.", []uint32{
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
		unix.SYS_PROCESS_MRELEASE,
		unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	}},
	{refused, "Runs programs in the kernel, blocks it at page faults, or hides memory from it. Many attacks use " +
		"these calls.", []uint32{
		unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_MEMFD_SECRET,
	}},
	{keyed(refused), "Counts events. Many attacks use it. A launcher counts the instructions of each program.",
		[]uint32{unix.SYS_PERF_EVENT_OPEN}},
	{refused, "Keys belong to a user, not to a run.", []uint32{unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY}},
	{unsupported, "Attributes stay with a file, so in a shared writable folder they would survive a run. ENOTSUP is " +
		"the error of a file system without attributes; install and cp -p then ignore it.", []uint32{
		unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	}},
	{missing, "Sets flags that stay with a file, likewise.", []uint32{unix.SYS_FILE_SETATTR}},
	{refused, "Administers the machine.", []uint32{
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
		unix.SYS_REBOOT,
		unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SETTIMEOFDAY,
		unix.SYS_CLOCK_SETTIME,
		unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
		unix.SYS_ACCT,
	}},
}
