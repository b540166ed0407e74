//go:build unix

package calibration

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime returns the CPU time of this process by its own clock.
func processTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// newMemory returns memory of the system. The Go runtime may give out memory in other
// pages, and reuse it.
func newMemory(size int) []byte {
	data, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return make([]byte, size)
	}
	return data
}
