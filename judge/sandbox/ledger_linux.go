//go:build amd64 || arm64

package sandbox

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A ledger reads the counters of the launcher's cgroup, relative to the start of a
// run. The launcher lives in the cgroup, too, so its own CPU time is subtracted.
type ledger struct {
	on               bool  // the cgroup counts CPU time, OOM kills and refused forks
	cpu, oom, births int   // descriptors
	bounds           []int // descriptors of the memory limits, the outer one first

	cpu0, own0      time.Duration
	kills0, births0 int64
	text            [1024]byte
}

// take replaces the descriptors with those of an account message. It reports
// whether the ledger is on.
func (a *ledger) take(files []int) bool {
	if a.on {
		unix.Close(a.cpu)
		unix.Close(a.oom)
		unix.Close(a.births)
		for _, fd := range a.bounds {
			unix.Close(fd)
		}
	}
	a.bounds = a.bounds[:0]
	if a.on = len(files) >= 3; a.on {
		a.cpu, a.oom, a.births = files[0], files[1], files[2]
		a.bounds = append(a.bounds, files[3:]...)
	}
	return a.on
}

// unbind removes the memory limits until the judge sets them for the next run.
// Files that a run has left may use all memory, and the kernel would then kill the
// launcher while it deletes them. It returns false if it has no descriptors of the
// limits.
func (a *ledger) unbind() bool {
	for _, fd := range a.bounds {
		syscall.RawSyscall6(unix.SYS_PWRITE64, uintptr(fd), uintptr(unsafe.Pointer(unsafe.StringData(boundlessText))),
			uintptr(len(boundlessText)), 0, 0, 0)
	}
	return len(a.bounds) > 0
}

// begin records the counters at the start of a run.
func (a *ledger) begin() {
	if a.on {
		a.cpu0, a.own0 = a.total(), clock(unix.CLOCK_PROCESS_CPUTIME_ID)
		a.kills0, a.births0 = a.number(a.oom, "oom_kill "), a.number(a.births, "max ")
	}
}

// used returns the CPU time of the run so far, or -1 if the ledger is off.
func (a *ledger) used() time.Duration {
	if !a.on {
		return -1
	}
	// In this order, so that the time between the two readings counts as the
	// launcher's.
	total, own := a.total(), clock(unix.CLOCK_PROCESS_CPUTIME_ID)
	return max(total-a.cpu0-(own-a.own0), 0)
}

// total returns the CPU time that the cgroup has used since its creation.
func (a *ledger) total() time.Duration { return cpuTime(a.read(a.cpu)) }

// cpuTime returns the CPU time in a cgroup's file.
func cpuTime(text []byte) time.Duration {
	if len(text) > 0 && '0' <= text[0] && text[0] <= '9' { // version 1: nanoseconds
		x, _ := digits(text)
		return time.Duration(x)
	}
	return time.Duration(numberAfter(text, "usage_usec ")) * time.Microsecond
}

func (a *ledger) killed() bool  { return a.number(a.oom, "oom_kill ") > a.kills0 }
func (a *ledger) refused() bool { return a.number(a.births, "max ") > a.births0 }

func (a *ledger) number(fd int, label string) int64 { return numberAfter(a.read(fd), label) }

func (a *ledger) read(fd int) []byte {
	n, _, e := syscall.RawSyscall6(unix.SYS_PREAD64, uintptr(fd), uintptr(unsafe.Pointer(&a.text[0])),
		uintptr(len(a.text)), 0, 0, 0)
	if e != 0 {
		return nil
	}
	return a.text[:n]
}
