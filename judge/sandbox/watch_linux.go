//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"slices"
	"time"
)

// A watch follows one run of a program and says when it has passed a limit.
// Between looks it asks for as much sleep as can do no harm.
type watch struct {
	tree  tree
	cores int

	limits  Limits
	begun   time.Time
	next    time.Time // when to look
	reaped  usage     // of the processes that were waited for, by the launcher
	peak    int64     // bytes: the most memory that all processes had in one look
	sharing time.Time // when shares may be added up again

	// A process whose parent ignores SIGCHLD dies without its CPU time being
	// added to anyone's. So the watch keeps an account of its own, of what it saw:
	// the processes of the last look, and the sum of those that have gone.
	last []proc
	gone time.Duration
	seen time.Duration
}

// usage is what reaped processes have used, as wait4(2) tells.
type usage struct {
	user, sys time.Duration
	maxRSS    int64 // bytes
}

// How often to look where memory or processes are limited. A look may take no
// more than 1/dutyCycle of the time.
const (
	shortestLook = 5 * time.Millisecond
	firstLook    = 2 * time.Millisecond
	dutyCycle    = 200

	// CPU time alone can be foreseen: it grows by no more than a second per
	// second and core. Looks nearer to the limit than closest gain nothing, and
	// not everything is known about cores: so there is a longest sleep, too.
	closest = time.Millisecond
	longest = 50 * time.Millisecond

	// Adding up shares of pages is slow, and hinders the program.
	shareDutyCycle = 40
)

// begin starts the watch anew.
func (w *watch) begin(l Limits, now time.Time) {
	w.limits, w.begun = l, now
	w.reaped, w.peak, w.gone, w.seen = usage{}, 0, 0, 0
	w.last = w.last[:0]
	w.tree.cursor = -1
	w.sharing = now
	w.next = time.Time{}
	switch {
	case l.Memory > 0 || l.Processes > 0:
		w.next = now.Add(firstLook)
	case l.CPU > 0:
		w.next = now.Add(w.untilCPU(0))
	}
}

// sleep returns how long nothing needs to be done; negative is for ever.
func (w *watch) sleep(now time.Time) time.Duration {
	d := time.Duration(-1)
	if !w.next.IsZero() {
		d = max(w.next.Sub(now), 0)
	}
	if w.limits.Wall > 0 {
		if left := max(w.limits.Wall-now.Sub(w.begun)+1, 0); d < 0 || left < d {
			d = left
		}
	}
	return d
}

// due says which limit is passed, if any. It looks when it is time to.
func (w *watch) due(now time.Time) cause {
	if w.limits.Wall > 0 && now.Sub(w.begun) > w.limits.Wall {
		return causeWall
	}
	if w.next.IsZero() || now.Before(w.next) {
		return causeNone
	}
	c := w.look()
	done := time.Now()
	w.next = done.Add(w.untilNext(done.Sub(now)))
	return c
}

// untilNext returns when to look again after a look that took cost.
func (w *watch) untilNext(cost time.Duration) time.Duration {
	d := longest
	if w.limits.Memory > 0 || w.limits.Processes > 0 {
		d = max(shortestLook, min(cost*dutyCycle, longest))
	}
	if w.limits.CPU > 0 {
		d = min(d, w.untilCPU(w.seen))
	}
	return d
}

// untilCPU returns how long it takes all cores to pass the limit.
func (w *watch) untilCPU(used time.Duration) time.Duration {
	return min(max((w.limits.CPU-used)/time.Duration(w.cores), closest), longest)
}

// look measures the whole tree.
func (w *watch) look() cause {
	procs := w.tree.look()
	var threads int
	var resident int64
	total := w.reaped.user + w.reaped.sys
	for i := range procs {
		threads += procs[i].threads
		resident += procs[i].resident
		total += procs[i].own + procs[i].waited
	}
	w.account(procs)
	w.seen = max(w.seen, total)
	switch {
	case w.limits.Processes > 0 && threads > w.limits.Processes:
		return causeProcesses
	case w.weigh(procs, resident):
		return causeMemory
	case w.limits.CPU > 0 && w.seen > w.limits.CPU:
		return causeCPU
	}
	return causeNone
}

// account adds up the CPU time of every process that was ever seen.
func (w *watch) account(procs []proc) {
	byName := func(a, b proc) int {
		return cmp.Or(cmp.Compare(a.pid, b.pid), cmp.Compare(a.begun, b.begun))
	}
	slices.SortFunc(procs, byName)
	sum := time.Duration(0)
	i := 0
	for _, p := range procs {
		for ; i < len(w.last) && byName(w.last[i], p) < 0; i++ {
			w.gone += w.last[i].own
		}
		if i < len(w.last) && byName(w.last[i], p) == 0 {
			i++
		}
		sum += p.own
	}
	for ; i < len(w.last); i++ {
		w.gone += w.last[i].own
	}
	w.last = append(w.last[:0], procs...)
	w.seen = max(w.seen, w.gone+sum)
}

// weigh notes the memory of the tree and reports whether it is too much.
func (w *watch) weigh(procs []proc, resident int64) bool {
	if resident <= w.peak {
		return false
	}
	holders := 0
	for i := range procs {
		if procs[i].resident > 0 {
			holders++
		}
	}
	if holders > 1 {
		// What forked processes share was counted several times.
		now := time.Now()
		if now.Before(w.sharing) {
			return false
		}
		resident = w.shares(procs)
		done := time.Now()
		w.sharing = done.Add(done.Sub(now) * shareDutyCycle)
	}
	w.peak = max(w.peak, resident)
	return w.limits.Memory > 0 && w.peak > w.limits.Memory
}

// shares returns the memory of the tree with shared pages counted once.
func (w *watch) shares(procs []proc) int64 {
	var sum int64
	for i := range procs {
		p := &procs[i]
		// Between vfork and exec a child lives in its parent's memory.
		if slices.ContainsFunc(procs[:i], func(q proc) bool { return q.virtual == p.virtual && oneMemory(q.pid, p.pid) }) {
			continue
		}
		if share := w.tree.share(p.pid); share >= 0 {
			sum += share
		} else {
			sum += w.tree.unshared(p.pid)
		}
	}
	return sum
}
