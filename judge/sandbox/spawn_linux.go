//go:build amd64 || arm64

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"crucible/judge/sandbox/syscalls"
)

// A plan contains all that a child needs between fork and exec. The launcher
// prepares it, because the child shares the launcher's memory until then and may
// not allocate, lock, grow its stack or be scheduled.
type plan struct {
	program    *byte
	argv, envv **byte
	parent     int      // 0: the program dies with the box
	fixed      bool     // addresses are not random
	score      *byte    // path of scoreFile, from proc; nil: the score is not set
	proc       int      // descriptor of a folder
	counter    *counter // nil: nothing is counted
	calls      []call   // system calls in order; the memory that they point to must stay allocated
	key        uintptr  // permits the calls that the filter refuses to programs; see syscalls.Around

	// Written by the child if a step fails, read by the parent.
	step  step
	errno syscall.Errno

	pidfd int32
	setUp unix.Timespec // CPU time of the child before exec
}

// A call is a system call that must succeed.
type call struct {
	step   step
	number uintptr
	args   [4]uintptr
}

// call appends a system call to the plan.
func (p *plan) call(step step, number uintptr, args ...uintptr) {
	c := call{step: step, number: number}
	copy(c.args[:], args)
	p.calls = append(p.calls, c)
}

// noCapabilities is the argument of capset(2) that drops all capabilities.
var noCapabilities = struct {
	header unix.CapUserHeader
	data   [2]unix.CapUserData
}{header: unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}}

var (
	scoreFile    = []byte("/proc/self/oom_score_adj\x00")
	highestScore = []byte("1000")
)

// written returns the number of bytes that the child writes.
func (p *plan) written() int64 {
	if p.score == nil {
		return 0
	}
	return int64(len(highestScore))
}

// A step is an action of the child or of the launcher that can fail.
type step int64

const (
	stepClone step = iota
	stepSession
	stepCores
	stepFolder
	stepFiles
	stepLimit
	stepUser
	stepRules
	stepExec
	stepShow
	stepKeep
)

func (s step) String() string {
	return [...]string{"create a process", "create a session", "pin it to processors",
		"enter its working folder", "hand over its files", "set its limits", "change its user", "restrict it", "execute it",
		"build its box", "copy its files back"}[s]
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

// spawn starts the program of a plan. The caller must stay on its thread, because
// the child dies with that thread.
func spawn(p *plan) (pid int, err syscall.Errno) {
	p.step, p.errno, p.pidfd = stepClone, 0, -1
	id, errno := vforkExec(p)
	afterFork()
	if errno != 0 {
		return 0, syscall.Errno(errno)
	}
	if p.errno != 0 {
		// The child has exited. Reap it.
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
		c *call
		r uintptr
	)
	beforeFork()
	pid, errno = vfork(unix.CLONE_VM|unix.CLONE_VFORK|unix.CLONE_PIDFD|uintptr(unix.SIGCHLD), &p.pidfd)
	if pid != 0 || errno != 0 {
		return
	}

	p.step = stepSession
	if p.parent != 0 {
		afterForkInChild()
		if _, _, e = syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0, 0); e != 0 {
			goto failed
		}
		// The parent may have died before the prctl took effect.
		if r, _, _ = syscall.RawSyscall(unix.SYS_GETPPID, 0, 0, 0); r != uintptr(p.parent) {
			e = unix.ESRCH
			goto failed
		}
	}
	if p.score != nil {
		// The program is the first candidate for OOM kills, and the launcher never is:
		// the child sets its own score, which a child of vfork has for itself.
		r, _, e = syscall.RawSyscall6(unix.SYS_OPENAT, uintptr(p.proc), uintptr(unsafe.Pointer(p.score)), unix.O_WRONLY|
			unix.O_CLOEXEC, 0, 0, 0)
		if e == 0 {
			_, _, e = syscall.RawSyscall(unix.SYS_WRITE, r, uintptr(unsafe.Pointer(&highestScore[0])),
				uintptr(len(highestScore)))
		}
		if e != 0 {
			goto failed
		}
	}
	if p.fixed {
		// Some containers refuse this. The program then has random addresses.
		syscall.RawSyscall(unix.SYS_PERSONALITY, syscalls.AddrNoRandomize, 0, 0)
	}
	if p.counter != nil {
		r, _, e = syscall.RawSyscall6(unix.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&p.counter.attr)), 0, ^uintptr(0),
			^uintptr(0), unix.PERF_FLAG_FD_CLOEXEC, p.key)
		if e == 0 {
			p.counter.control.fd = int32(r)
			syscall.RawSyscall(unix.SYS_SENDMSG, uintptr(p.counter.pair[1]), uintptr(unsafe.Pointer(&p.counter.header)),
				unix.MSG_DONTWAIT)
		}
	}
	for i = 0; i < len(p.calls); i++ {
		c = &p.calls[i]
		p.step = c.step
		if _, _, e = syscall.RawSyscall6(c.number, c.args[0], c.args[1], c.args[2], c.args[3], 0, p.key); e != 0 {
			goto failed
		}
	}
	p.step = stepExec
	syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_THREAD_CPUTIME_ID, uintptr(unsafe.Pointer(&p.setUp)), 0)
	_, _, e = syscall.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(p.program)), uintptr(unsafe.Pointer(p.argv)),
		uintptr(unsafe.Pointer(p.envv)))
failed:
	p.errno = e
	for {
		syscall.RawSyscall(unix.SYS_EXIT, 127, 0, 0)
	}
}
