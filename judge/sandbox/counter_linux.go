//go:build amd64 || arm64

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A counter counts an event in all that this thread starts, from its first
// program on: the launcher itself is never counted, nor what a child does before
// it executes the program. What the children of children do is added when they
// end.
type counter struct {
	fd   int // -1: the machine does not count
	last count
}

// count is what the kernel tells with the read format that open asks for.
type count struct{ value, enabled, running uint64 }

// open begins to count. Most virtual machines have no counters; then it does
// nothing.
func (c *counter) open(kind uint32, event uint64) {
	attr := unix.PerfEventAttr{
		Type: kind, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Config: event,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	var err error
	if c.fd, err = unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC); err != nil {
		c.fd = -1
	}
}

// next returns what was counted since it was asked last, or 0 if that is not
// known: where several count at once the machine counts some of the time only.
func (c *counter) next() int64 {
	if c.fd < 0 {
		return 0
	}
	var now count
	n, _, e := syscall.RawSyscall(unix.SYS_READ, uintptr(c.fd), uintptr(unsafe.Pointer(&now)), unsafe.Sizeof(now))
	if e != 0 || n != unsafe.Sizeof(now) {
		return 0
	}
	was := c.last
	c.last = now
	if now.enabled-was.enabled != now.running-was.running {
		return 0
	}
	return int64(now.value - was.value)
}
