package machine

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const hasThreadTime = true

// threadTime returns the CPU time of the calling thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// newMemory allocates words from the system, because the Go runtime would reuse
// the same memory.
func newMemory(words int) (memory []uint64, release func()) {
	data, err := unix.Mmap(-1, 0, words*8, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return make([]uint64, words), func() {}
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&data[0])), words), func() { unix.Munmap(data) }
}
