//go:build amd64 || arm64

package sandbox

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// One goroutine on one thread does almost all work of a launcher, but Go's
// scheduler does not know this. While a thread blocks in a system call that the
// scheduler knows about, another thread wakes every 20 µs to check whether it
// should take over, and a goroutine that has run for 10 ms is preempted although no
// other one waits. On 2 cores, this cost 80 µs of CPU time per look. So the launcher
// hides its system calls from the scheduler and disables preemption, except in
// relaxedly and in long waits.

// keepThread locks the goroutine to its thread. Children die with the thread that
// created them.
func keepThread() { runtime.LockOSThread() }

// relaxedly runs f with the scheduler enabled, so f may do what any Go code does.
func relaxedly(f func()) {
	procUnpin()
	f()
	procPin()
}

// prefer raises the priority of this thread, if permitted, so that looks are on
// time on a busy machine. Children have normal priority.
func prefer() {
	unix.Setpriority(unix.PRIO_PROCESS, 0, -20)
	schedule(unix.SCHED_NORMAL, 0)
}

// urgent makes this thread a real-time thread while it kills, so that it has
// priority over hundreds of forking processes. It must not reap meanwhile: in the
// kernel, reaping spins until other threads have closed the ended process's files
// in /proc, and a real-time thread would keep those threads from running (measured:
// 90 ms per run).
func urgent() { schedule(unix.SCHED_FIFO, 1) }

func schedule(policy uintptr, priority int32) {
	param := struct{ priority int32 }{priority}
	syscall.RawSyscall(unix.SYS_SCHED_SETSCHEDULER, 0, policy|unix.SCHED_RESET_ON_FORK, uintptr(unsafe.Pointer(&param)))
}

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

// wait waits until one of the files is ready or d has passed; negative d means no
// timeout.
func wait(files []unix.PollFd, d time.Duration) {
	for i := range files {
		files[i].Revents = 0
	}
	var ts unix.Timespec
	timeout := uintptr(0)
	if d >= 0 {
		ts = unix.NsecToTimespec(int64(d))
		timeout = uintptr(unsafe.Pointer(&ts))
	}
	syscall.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(unsafe.SliceData(files))), uintptr(len(files)), timeout, 0,
		0, 0)
	runtime.KeepAlive(&ts)
}

// waitIdle waits until the file is ready, and enables the scheduler if that takes
// long.
func waitIdle(fd int) {
	files := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	const soon = 20 * time.Millisecond
	if wait(files, soon); files[0].Revents != 0 {
		return
	}
	procUnpin()
	unix.Syscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&files[0])), 1, 0, 0, 0, 0)
	procPin()
}
