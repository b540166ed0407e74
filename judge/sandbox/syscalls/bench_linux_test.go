//go:build amd64 || arm64

package syscalls

import (
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// BenchmarkLoad loads the filter, as each run does. The time is that of the
// call alone, on a thread that then ends.
func BenchmarkLoad(b *testing.B) {
	filter, err := Filter(Around{Box: true, OwnUser: true})
	if err != nil {
		b.Fatal(err)
	}
	program := &unix.SockFprog{Len: uint16(len(filter)), Filter: unsafe.SliceData(filter)}
	var took []time.Duration
	for b.Loop() {
		done := make(chan time.Duration)
		go func() {
			runtime.LockOSThread() // for good
			if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
				b.Error(err)
			}
			start := time.Now()
			if _, _, e := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(program))); e != 0 {
				b.Error(e)
			}
			done <- time.Since(start)
		}()
		took = append(took, <-done)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "load-p50-µs")
	b.ReportMetric(float64(len(filter)), "instructions")
}

// BenchmarkFilter makes the filter, as each launcher does.
func BenchmarkFilter(b *testing.B) {
	for b.Loop() {
		if _, err := Filter(Around{Box: true, OwnUser: true}); err != nil {
			b.Fatal(err)
		}
	}
}
