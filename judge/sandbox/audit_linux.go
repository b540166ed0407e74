//go:build amd64 || arm64

package sandbox

import (
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An auditor adds up the memory of several processes and counts shared pages once.
//
// The kernel computes this under a lock that a process holds while it forks or maps
// memory. A hostile process can hold the lock for as long as it likes, so the
// auditor has its own thread, and the watch continues meanwhile.
type auditor struct {
	tree tree
	wake chan struct{}
	busy atomic.Bool

	// Owned by the auditor's thread while busy is true, and otherwise by the watch.
	procs []proc
	sum   int64         // bytes
	cost  time.Duration // CPU time of the last audit
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

// ask starts an audit. The auditor must not be busy.
func (a *auditor) ask(procs []proc) {
	a.procs = append(a.procs[:0], procs...)
	a.busy.Store(true)
	a.wake <- struct{}{}
}

// shares returns the memory of all processes, in bytes.
func (a *auditor) shares() (sum int64) {
	for i := range a.procs {
		p := &a.procs[i]
		// Between vfork and exec, a child uses its parent's memory.
		if slices.ContainsFunc(a.procs[:i], func(q proc) bool { return q.virtual == p.virtual && oneMemory(q.pid, p.pid) }) {
			continue
		}
		if share := a.tree.share(p.pid); share > 0 {
			sum += share
		} else {
			sum += a.tree.unshared(p.pid)
		}
	}
	return sum
}

// oneMemory reports whether two processes share one address space.
func oneMemory(a, b int) bool {
	const memory = 1 // KCMP_VM in include/uapi/linux/kcmp.h
	same, _, e := syscall.RawSyscall6(unix.SYS_KCMP, uintptr(a), uintptr(b), memory, 0, 0, 0)
	return e == 0 && same == 0
}
