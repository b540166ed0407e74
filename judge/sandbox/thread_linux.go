//go:build amd64 || arm64

package sandbox

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A launcher is single-threaded in spirit: one goroutine on one thread does all
// there is to do. Go's scheduler does not know. While a thread blocks in a
// system call that it was told of, a second one wakes every 20 µs to see
// whether it should take over, and a goroutine that has run for 10 ms is made
// to change places with nobody. Measured on 2 cores, that cost 80 µs of CPU a
// look. So the scheduler is not told of our system calls, and is kept from
// preempting; only when there is nothing to do for long is it let go to sleep.

// keepThread gives the goroutine its thread for good. Children die with the
// thread that made them, so they need that, too.
func keepThread() { runtime.LockOSThread() }

// relaxedly lets the scheduler know for as long as f runs, which may then do what
// any Go code does.
func relaxedly(f func()) {
	procUnpin()
	f()
	procPin()
}

// prefer puts this thread before others, where the user may: its looks come
// when they are due however busy the machine is. What it starts is ordinary
// again.
func prefer() {
	unix.Setpriority(unix.PRIO_PROCESS, 0, -20)
	schedule(unix.SCHED_NORMAL, 0)
}

// urgent makes it a real-time thread for as long as it kills, so that it wins
// against a hundred processes that multiply, each of which has the same claim
// to the processor as it would have. It must not reap meanwhile: that waits,
// spinning in the kernel, for whoever else lets go of the dead process's files
// in /proc, and a real-time thread would keep that one off the processor
// (measured: 90 ms a run).
func urgent() { schedule(unix.SCHED_FIFO, 1) }

func schedule(policy uintptr, priority int32) {
	param := struct{ priority int32 }{priority}
	syscall.RawSyscall(unix.SYS_SCHED_SETSCHEDULER, 0, policy|unix.SCHED_RESET_ON_FORK, uintptr(unsafe.Pointer(&param)))
}

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

// wait waits until one of the files is ready or d has passed; negative is for
// ever.
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
	syscall.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(unsafe.SliceData(files))), uintptr(len(files)), timeout, 0, 0, 0)
	runtime.KeepAlive(&ts)
}

// waitIdle waits until the file is ready.
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
