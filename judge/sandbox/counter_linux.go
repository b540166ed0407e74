//go:build amd64 || arm64

package sandbox

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A counter counts an event in a program and all its descendants, from the
// program's first instruction on. The counts of descendants are added when they
// end.
//
// Only the child can start counting at the right moment. So the child opens the
// kernel's counter before it executes the program and sends the descriptor to its
// launcher, which reads the counter after the run. A counter on the launcher that
// children inherit would not need this. But the kernel sometimes swaps the counters
// of parent and child on a context switch, and the count is then wrong.
type counter struct {
	on   bool // the machine can count the event
	attr unix.PerfEventAttr
	pair [2]int // a socket pair: the child sends to the second, the launcher receives from the first
	fd   int    // the counter of the run; -1 if there is none

	// The message that carries the descriptor, prepared in advance.
	header  unix.Msghdr
	vector  unix.Iovec
	text    [1]byte
	control struct {
		head unix.Cmsghdr
		fd   int32
		_    int32
	}
}

// prepare finds out whether the event can be counted. Most virtual machines have no
// counters.
func (c *counter) prepare(kind uint32, event uint64) {
	c.fd = -1
	c.attr = unix.PerfEventAttr{
		Type: kind, Size: uint32(unsafe.Sizeof(c.attr)), Config: event,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel |
			unix.PerfBitExcludeHv,
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

// address resets the header, which the kernel changes when it receives a message.
func (c *counter) address() {
	c.header = unix.Msghdr{Iov: &c.vector, Control: (*byte)(unsafe.Pointer(&c.control))}
	c.header.SetIovlen(1)
	c.header.SetControllen(int(unsafe.Sizeof(c.control)))
}

// begun receives the counter that the child sent. If the child could not open one,
// the run is not counted.
func (c *counter) begun() {
	if !c.on {
		return
	}
	c.fd = -1
	c.control.fd = -1
	n, _, e := syscall.RawSyscall(unix.SYS_RECVMSG, uintptr(c.pair[0]), uintptr(unsafe.Pointer(&c.header)),
		unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
	if e == 0 && n == 1 && int(c.header.Controllen) >= unix.CmsgLen(4) {
		c.fd = int(c.control.fd)
	}
	c.address()
	runtime.KeepAlive(c)
}

// ended returns the count, or 0 if it is unknown. If other programs count events
// too, the kernel gives each counter only part of the time.
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
