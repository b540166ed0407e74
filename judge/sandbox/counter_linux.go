//go:build amd64 || arm64

package sandbox

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A counter counts an event in a program and all that it starts, from its first
// instruction on. What descendants do is added when they end.
//
// Only the child itself can begin to count at the right moment, so it opens the
// kernel's counter before it executes the program, and hands it to its launcher,
// who reads it in the end. A counter on the launcher that children inherit would
// need no handing over, but the kernel at times lets parent and child change
// counters when one makes way for the other on a processor, and then it is wrong.
type counter struct {
	on   bool // the machine counts
	attr unix.PerfEventAttr
	pair [2]int // what is written to the second comes out of the first
	fd   int    // of the run; -1 if there is none

	// The message that carries the descriptor, written out beforehand.
	header  unix.Msghdr
	vector  unix.Iovec
	text    [1]byte
	control struct {
		head unix.Cmsghdr
		fd   int32
		_    int32
	}
}

// prepare finds out whether an event can be counted. Most virtual machines have
// no counters.
func (c *counter) prepare(kind uint32, event uint64) {
	c.fd = -1
	c.attr = unix.PerfEventAttr{
		Type: kind, Size: uint32(unsafe.Sizeof(c.attr)), Config: event,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	fd, err := unix.PerfEventOpen(&c.attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return
	}
	unix.Close(fd)
	if c.pair, err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return
	}
	c.vector.Base = &c.text[0]
	c.vector.SetLen(1)
	c.control.head.Level, c.control.head.Type = unix.SOL_SOCKET, unix.SCM_RIGHTS
	c.control.head.SetLen(unix.CmsgLen(4))
	c.address()
	c.on = true
}

// address writes the header, which the kernel changes when it receives.
func (c *counter) address() {
	c.header = unix.Msghdr{Iov: &c.vector, Control: (*byte)(unsafe.Pointer(&c.control))}
	c.header.SetIovlen(1)
	c.header.SetControllen(int(unsafe.Sizeof(c.control)))
}

// begun takes the counter that a child has handed over. What a child could not
// count is not counted.
func (c *counter) begun() {
	if !c.on {
		return
	}
	c.fd = -1
	c.control.fd = -1
	n, _, e := syscall.RawSyscall(unix.SYS_RECVMSG, uintptr(c.pair[0]), uintptr(unsafe.Pointer(&c.header)), unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
	if e == 0 && n == 1 && int(c.header.Controllen) >= unix.CmsgLen(4) {
		c.fd = int(c.control.fd)
	}
	c.address()
	runtime.KeepAlive(c)
}

// ended returns what was counted, and 0 if that is not known: where others count,
// too, the machine counts for each some of the time only.
func (c *counter) ended() int64 {
	if c.fd < 0 {
		return 0
	}
	var count struct{ value, enabled, running uint64 }
	n, _, e := syscall.RawSyscall(unix.SYS_READ, uintptr(c.fd), uintptr(unsafe.Pointer(&count)), unsafe.Sizeof(count))
	unix.Close(c.fd)
	c.fd = -1
	if e != 0 || n != unsafe.Sizeof(count) || count.running < count.enabled {
		return 0
	}
	return int64(count.value)
}
