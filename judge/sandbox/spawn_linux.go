//go:build amd64 || arm64

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A plan is all that a child needs between its birth and its program. It is
// made beforehand, because the child lives in its parent's memory until then
// and may not allocate, lock, grow its stack or be scheduled.
type plan struct {
	program, dir *byte
	argv, envv   **byte
	files        [3]int // become 0, 1 and 2
	limits       [7]rlimit
	parent       int     // 0: the program dies with the box
	worlds       uintptr // flags of the namespaces that every run has to itself
	uid          int     // 0: the launcher's
	stripped     bool    // of all capabilities
	ruleset      int     // of Landlock; -1: none
	filter       *unix.SockFprog
	cores        *unix.CPUSet // nil: any
	personality  uintptr
	counter      *counter // nil: nothing is counted

	// Written by the child if it gets no further, read by the parent.
	stage stage
	errno syscall.Errno

	pidfd int32
	setUp unix.Timespec // CPU time when the program began
}

// noCapabilities is what capset(2) takes to drop them all.
var noCapabilities = struct {
	header unix.CapUserHeader
	data   [2]unix.CapUserData
}{header: unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}}

type rlimit struct {
	resource int // -1: none
	value    unix.Rlimit
}

// A stage is how far a child came.
type stage int64

const (
	stageClone stage = iota
	stageSession
	stageLimit
	stageFolder
	stageFiles
	stageWorld
	stageUser
	stageRules
	stageExec
	stageScene
	stageKeep
)

func (s stage) String() string {
	return [...]string{"create a process", "begin a session", "set its limits", "enter its working folder", "hand over its files", "make its namespaces", "change its user", "restrict it", "execute it", "make its box", "copy back what it left"}[s]
}

//go:linkname beforeFork syscall.runtime_BeforeFork
func beforeFork()

//go:linkname afterFork syscall.runtime_AfterFork
func afterFork()

//go:linkname afterForkInChild syscall.runtime_AfterForkInChild
func afterForkInChild()

// vfork is clone(2) on the caller's stack.
//
//go:noescape
func vfork(flags uintptr, pidfd *int32) (pid, errno uintptr)

// spawn starts the program of a plan. The caller must stay on its thread: the
// child dies with it.
func spawn(p *plan) (pid int, err syscall.Errno) {
	p.stage, p.errno, p.pidfd = stageClone, 0, -1
	id, errno := vforkExec(p)
	afterFork()
	if errno != 0 {
		return 0, syscall.Errno(errno)
	}
	if p.errno != 0 {
		// The child is gone by now; take it off the table.
		unix.Close(int(p.pidfd))
		for {
			if _, _, e := syscall.RawSyscall6(unix.SYS_WAIT4, id, 0, unix.WALL, 0, 0, 0); e != unix.EINTR {
				return 0, p.errno
			}
		}
	}
	return int(id), 0
}

// vforkExec runs twice at once in one stack frame: the parent must return from
// it at once, and the child must never return.
//
//go:noinline
//go:norace
//go:nocheckptr
func vforkExec(p *plan) (pid, errno uintptr) {
	var (
		e syscall.Errno
		i int
		r uintptr
	)
	beforeFork()
	pid, errno = vfork(unix.CLONE_VM|unix.CLONE_VFORK|unix.CLONE_PIDFD|uintptr(unix.SIGCHLD), &p.pidfd)
	if pid != 0 || errno != 0 {
		return
	}

	afterForkInChild()
	p.stage = stageSession
	if _, _, e = syscall.RawSyscall(unix.SYS_SETSID, 0, 0, 0); e != 0 {
		goto failed
	}
	if p.parent != 0 {
		if _, _, e = syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0, 0); e != 0 {
			goto failed
		}
		// The parent may have died before the kernel was told to watch it.
		if r, _, _ = syscall.RawSyscall(unix.SYS_GETPPID, 0, 0, 0); r != uintptr(p.parent) {
			e = unix.ESRCH
			goto failed
		}
	}
	p.stage = stageWorld
	if p.worlds != 0 {
		if _, _, e = syscall.RawSyscall(unix.SYS_UNSHARE, p.worlds, 0, 0); e != 0 {
			goto failed
		}
	}
	if p.cores != nil {
		if _, _, e = syscall.RawSyscall(unix.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(*p.cores), uintptr(unsafe.Pointer(p.cores))); e != 0 {
			goto failed
		}
	}
	if p.personality != 0 {
		syscall.RawSyscall(unix.SYS_PERSONALITY, p.personality, 0, 0)
	}
	p.stage = stageFolder
	if _, _, e = syscall.RawSyscall(unix.SYS_CHDIR, uintptr(unsafe.Pointer(p.dir)), 0, 0); e != 0 {
		goto failed
	}
	if p.counter != nil {
		r, _, e = syscall.RawSyscall6(unix.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&p.counter.attr)), 0, ^uintptr(0), ^uintptr(0), unix.PERF_FLAG_FD_CLOEXEC, 0)
		if e == 0 {
			p.counter.control.fd = int32(r)
			syscall.RawSyscall(unix.SYS_SENDMSG, uintptr(p.counter.pair[1]), uintptr(unsafe.Pointer(&p.counter.header)), unix.MSG_DONTWAIT)
		}
	}
	// All else that is open closes on exec. The files to come are above 2.
	p.stage = stageFiles
	for i = 0; i < len(p.files); i++ {
		if _, _, e = syscall.RawSyscall(unix.SYS_DUP3, uintptr(p.files[i]), uintptr(i), 0); e != 0 {
			goto failed
		}
	}
	p.stage = stageLimit
	for i = 0; i < len(p.limits); i++ {
		if p.limits[i].resource < 0 {
			continue
		}
		if _, _, e = syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, uintptr(p.limits[i].resource), uintptr(unsafe.Pointer(&p.limits[i].value)), 0, 0, 0); e != 0 {
			goto failed
		}
	}
	p.stage = stageUser
	if p.uid != 0 {
		if _, _, e = syscall.RawSyscall(unix.SYS_SETRESGID, uintptr(p.uid), uintptr(p.uid), uintptr(p.uid)); e != 0 {
			goto failed
		}
		if _, _, e = syscall.RawSyscall(unix.SYS_SETRESUID, uintptr(p.uid), uintptr(p.uid), uintptr(p.uid)); e != 0 {
			goto failed
		}
	}
	if p.stripped {
		if _, _, e = syscall.RawSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&noCapabilities.header)), uintptr(unsafe.Pointer(&noCapabilities.data)), 0); e != 0 {
			goto failed
		}
	}
	p.stage = stageRules
	if p.ruleset >= 0 {
		if _, _, e = syscall.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(p.ruleset), 0, 0); e != 0 {
			goto failed
		}
	}
	if p.filter != nil {
		if _, _, e = syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(p.filter))); e != 0 {
			goto failed
		}
	}
	p.stage = stageExec
	syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_THREAD_CPUTIME_ID, uintptr(unsafe.Pointer(&p.setUp)), 0)
	_, _, e = syscall.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(p.program)), uintptr(unsafe.Pointer(p.argv)), uintptr(unsafe.Pointer(p.envv)))
failed:
	p.errno = e
	for {
		syscall.RawSyscall(unix.SYS_EXIT, 127, 0, 0)
	}
}
