//go:build amd64 || arm64

package sandbox

import (
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An auditor adds up the memory of several processes and counts what they share
// only once.
//
// The kernel does so under a lock that the process holds while it forks or maps
// memory, and which a hostile one can hold for as long as it likes. So it has a
// thread to itself: whoever holds it up is not watched any the less.
type auditor struct {
	tree tree
	wake chan struct{}
	busy atomic.Bool

	// The auditor's while it is busy, else the watch's.
	procs []proc
	sum   int64         // bytes
	cost  time.Duration // CPU time that it took
}

// start starts the auditor's thread.
func (a *auditor) start() {
	a.wake = make(chan struct{}, 1)
	go func() {
		for range a.wake {
			before := ownCPU()
			a.sum = a.shares()
			a.cost = ownCPU() - before
			a.busy.Store(false)
		}
	}()
}

// ask begins an audit. The auditor must not be busy.
func (a *auditor) ask(procs []proc) {
	a.procs = append(a.procs[:0], procs...)
	a.busy.Store(true)
	a.wake <- struct{}{}
}

// shares returns the memory of all.
func (a *auditor) shares() (sum int64) {
	for i := range a.procs {
		p := &a.procs[i]
		// Between vfork and exec a child lives in its parent's memory.
		if slices.ContainsFunc(a.procs[:i], func(q proc) bool { return q.virtual == p.virtual && oneMemory(q.pid, p.pid) }) {
			continue
		}
		if share := a.tree.share(p.pid); share >= 0 {
			sum += share
		} else {
			sum += a.tree.unshared(p.pid)
		}
	}
	return sum
}

// oneMemory reports whether two processes live in the same memory.
func oneMemory(a, b int) bool {
	const memory = 1 // KCMP_VM in include/uapi/linux/kcmp.h
	same, _, e := syscall.RawSyscall6(unix.SYS_KCMP, uintptr(a), uintptr(b), memory, 0, 0, 0)
	return e == 0 && same == 0
}
