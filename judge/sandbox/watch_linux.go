//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"slices"
	"time"
)

// A watch measures one run of a program and detects exceeded limits. Between two
// looks it sleeps as long as is safe.
type watch struct {
	tree    tree
	auditor auditor
	account ledger
	cores   int

	limits  Limits
	setUp   time.Duration // CPU time used before the program began; subtracted
	begun   time.Time
	next    time.Time // time of the next look
	reaped  usage     // of the processes that the launcher has waited for
	wanted  time.Time // when the current audit was requested
	audited bool      // an audit was started in this run

	threads  int   // of all processes in the last look
	growing  bool  // the look before found fewer
	resident int64 // bytes, of all processes in the last look, shared pages counted several times
	peak     int64 // bytes, the maximum of all looks, shared pages counted once
	written  int64 // bytes written, the maximum of all looks

	delays delays
	waited time.Duration // wait for a processor; extends the wall-clock limit
	asked  time.Time     // when waited was measured last
	asking time.Duration // CPU time of that measurement

	// If a parent ignores SIGCHLD, the CPU time of its ended children is not added
	// to any process. So the watch also sums what looks have found: the processes
	// of the last look, and the total of those that have ended.
	last []proc
	gone time.Duration
	seen time.Duration
}

// usage is the usage of reaped processes, as wait4(2) reports it.
type usage struct {
	user, sys time.Duration
	maxRSS    int64 // bytes
}

// Times between looks, and related limits.
const (
	// If processes are limited, or memory is far from its limit. A look costs about
	// 10 µs, and the wake-up costs twice that.
	relaxed = 10 * time.Millisecond
	// If memory is near its limit.
	anxious = 5 * time.Millisecond
	// No program fills memory faster than this, in bytes per second.
	fastest = 8 << 30
	// Time until the first look. It is short because most programs end soon.
	firstLook = 2 * time.Millisecond
	// Looks at many processes take at most 1/dutyCycle of the time.
	dutyCycle = 200
	// The same while the number of processes grows.
	growthDutyCycle = 4

	// Without a limit on processes, a look reads at most this many.
	mostProcesses = 4096

	// CPU time is predictable: it grows by at most one second per second and core.
	// Looks closer together than closest gain nothing. The number of cores may be
	// wrong, so there is also a maximum time between looks.
	closest = time.Millisecond
	longest = 50 * time.Millisecond

	// The maximum wall time, as a multiple of the limit, however long the program
	// waits for a processor. A program can make itself wait with a low priority.
	mostReal = 10
	// A program that has run no longer than this cannot have waited long.
	worthAsking = 100 * time.Millisecond

	// Near the wall-clock limit, measuring the wait takes at most 1/askDutyCycle of
	// the time.
	askDutyCycle = 5

	// Audits take at most 1/auditDutyCycle of the time, because they slow the
	// program down.
	auditDutyCycle = 40
	// The time that an audit may take.
	patience = 200 * time.Millisecond
)

// begin resets the watch for a new run. The child used setUp of CPU time before it
// executed the program.
func (w *watch) begin(l Limits, now time.Time, setUp time.Duration) {
	w.limits, w.begun, w.setUp = l, now, setUp
	w.reaped, w.threads, w.resident, w.peak, w.gone, w.seen, w.written, w.waited = usage{}, 0, 0, 0, 0, 0, 0, 0
	w.delays.begin()
	w.asked, w.asking = now, 0
	w.last = w.last[:0]
	w.tree.cursor = -1
	w.tree.most = cmp.Or(l.Processes, mostProcesses)
	w.wanted, w.audited = time.Time{}, false
	w.next = time.Time{}
	if w.account.on {
		// The kernel enforces the limits on memory and processes. The watch checks
		// CPU time, which is predictable, and whether the kernel killed a process
		// or refused a fork, which is not urgent.
		if l.CPU > 0 || l.Memory > 0 || l.Processes > 0 || l.Written > 0 {
			w.next = now.Add(w.untilAsked())
		}
		return
	}
	switch {
	case l.Memory > 0 || l.Processes > 0 || l.Written > 0:
		w.next = now.Add(firstLook)
	case l.CPU > 0:
		w.next = now.Add(w.untilCPU(0))
	}
}

// sleep returns the time until the next action; negative means no action is
// planned.
func (w *watch) sleep(now time.Time) time.Duration {
	d := time.Duration(-1)
	if !w.next.IsZero() {
		d = max(w.next.Sub(now), 0)
	}
	if w.limits.Wall > 0 {
		left := max(w.allowed()-now.Sub(w.begun)+1, 0)
		if w.waited > 0 {
			// A program that gets almost no processor time approaches its limit in
			// ever smaller steps.
			left = max(left, closest, w.asking*askDutyCycle-now.Sub(w.asked))
		}
		if d < 0 || left < d {
			d = left
		}
	}
	return d
}

// due returns the limit that is exceeded, if any. It looks at the processes if a
// look is due.
func (w *watch) due(now time.Time) cause {
	late := w.limits.Wall > 0 && now.Sub(w.begun) > w.allowed()
	if !late && (w.next.IsZero() || now.Before(w.next)) {
		return causeNone
	}
	if w.limits.Wall > 0 && (late || now.Sub(w.begun) > worthAsking &&
		now.Sub(w.asked) > max(longest, w.asking*dutyCycle)) {
		w.findDelays()
	}
	c := causeNone
	if w.account.on {
		c = w.consult()
		if c == causeNone && w.limits.Written > 0 && w.count(w.tree.look()) {
			c = causeWritten
		}
		w.next = time.Now().Add(w.untilAsked())
	} else {
		before := ownCPU()
		c = w.look()
		w.next = time.Now().Add(w.untilNext(ownCPU() - before))
	}
	if len(w.delays.now) > 0 {
		w.addDelays(now)
	}
	if c == causeNone && late && now.Sub(w.begun) > w.allowed() {
		c = causeWall
	}
	return c
}

// allowed returns the wall time that the program may use: the limit, which stops
// programs that sleep, plus the time that the program waited for a processor on a
// busy machine.
func (w *watch) allowed() time.Duration {
	if w.waited/(mostReal-1) >= w.limits.Wall {
		return w.limits.Wall * mostReal
	}
	return w.limits.Wall + w.waited
}

// findDelays reads how long the threads have waited for a processor.
func (w *watch) findDelays() {
	before := ownCPU()
	procs := w.last
	if len(procs) == 0 {
		procs = w.tree.look()
	}
	for i := range procs {
		w.delays.find(&w.tree, procs[i].pid)
	}
	w.asked, w.asking = time.Now(), ownCPU()-before
}

// addDelays adds the delays that findDelays found, once the CPU time is known.
func (w *watch) addDelays(now time.Time) {
	w.waited = max(w.waited, w.delays.add(w.seen, now.Sub(w.begun)))
}

// untilAsked returns the time until the cgroup must be read again.
func (w *watch) untilAsked() time.Duration {
	d := longest
	if w.limits.CPU > 0 {
		d = w.untilCPU(w.seen)
	}
	return w.untilWritten(d)
}

// untilWritten returns the shortest time in which the program could exceed the
// limit on written bytes, or d if that is sooner.
func (w *watch) untilWritten(d time.Duration) time.Duration {
	if w.limits.Written == 0 {
		return d
	}
	const fastest = 1 << 30 // bytes per second, into a pipe that another process reads
	room := max(w.limits.Written-w.written, 0)
	return min(d, max(anxious, time.Duration(float64(room)/fastest*float64(time.Second))))
}

// count records the number of bytes written, and reports whether it exceeds the
// limit. A process's number includes the children that it has waited for. Processes
// that started and ended between two looks without being waited for are missing.
func (w *watch) count(procs []proc) bool {
	var sum int64
	for i := range procs {
		sum += w.tree.written(procs[i].pid)
	}
	w.written = max(w.written, sum)
	return w.written > w.limits.Written
}

// untilNext returns the time until the next look after a look that took cost.
func (w *watch) untilNext(cost time.Duration) time.Duration {
	d := longest
	if w.limits.Processes > 0 {
		d = relaxed
	}
	if w.limits.Memory > 0 {
		room := w.limits.Memory - w.resident
		d = min(relaxed, max(anxious, time.Duration(float64(room)/fastest*float64(time.Second))))
	}
	d = max(d, min(cost*dutyCycle, longest))
	if w.limits.Processes > 0 && w.growing {
		d = max(closest, min(cost*growthDutyCycle, relaxed))
	}
	if w.limits.CPU > 0 {
		d = min(d, w.untilCPU(w.seen))
	}
	return w.untilWritten(d)
}

// untilCPU returns the shortest time in which all cores together could exceed the
// CPU limit.
func (w *watch) untilCPU(used time.Duration) time.Duration {
	return min(max((w.limits.CPU-used)/time.Duration(w.cores), closest), longest)
}

// look measures all processes and returns the limit that they exceed, if any.
func (w *watch) look() cause {
	procs := w.tree.look()
	threads := 0
	w.resident = 0
	total := w.reaped.user + w.reaped.sys
	for i := range procs {
		threads += procs[i].threads
		w.resident += procs[i].resident
		total += procs[i].own + procs[i].waited
	}
	w.growing, w.threads = threads > w.threads, threads
	w.sum(procs)
	w.seen = max(w.seen, total-w.setUp)
	switch {
	case w.limits.Processes > 0 && (threads > w.limits.Processes || w.tree.more):
		return causeProcesses
	case w.weigh(procs):
		return causeMemory
	case w.limits.Written > 0 && w.count(procs):
		return causeWritten
	case w.limits.CPU > 0 && w.seen > w.limits.CPU:
		return causeCPU
	}
	return causeNone
}

// consult reads the cgroup's counters and returns the limit that is exceeded, if
// any.
func (w *watch) consult() cause {
	w.seen = max(w.seen, w.account.used()-w.setUp)
	switch {
	case w.limits.Memory > 0 && w.account.killed():
		return causeMemory
	case w.limits.Processes > 0 && w.account.refused():
		return causeProcesses
	case w.limits.CPU > 0 && w.seen > w.limits.CPU:
		return causeCPU
	}
	return causeNone
}

// countThreads counts the processes and threads at the end of a run.
func (w *watch) countThreads() cause {
	threads := 0
	for _, p := range w.tree.look() {
		threads += max(p.threads, 1)
	}
	if threads > w.limits.Processes {
		return causeProcesses
	}
	return causeNone
}

// sum adds up the CPU time of every process that any look has found.
func (w *watch) sum(procs []proc) {
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
	w.seen = max(w.seen, w.gone+sum-w.setUp)
}

// weigh records the memory of all processes and reports whether it exceeds the
// limit.
func (w *watch) weigh(procs []proc) bool {
	holders := 0
	for i := range procs {
		if procs[i].resident > 0 {
			holders++
		}
		w.peak = max(w.peak, procs[i].resident)
	}
	// The sum counts pages that forked processes share several times.
	if holders > 1 && w.resident > w.peak {
		w.audit(procs)
	}
	return w.limits.Memory > 0 && w.peak > w.limits.Memory
}

// audit takes the result of the last audit and starts a new one if it is time.
func (w *watch) audit(procs []proc) {
	now := time.Now()
	if w.auditor.busy.Load() {
		if w.wanted.IsZero() {
			w.wanted = now
		}
		// If the audit takes too long, count all memory without a file behind it.
		if w.limits.Memory > 0 && w.resident > w.limits.Memory && now.Sub(w.wanted) > patience {
			var sum int64
			for i := range procs {
				sum += w.tree.unshared(procs[i].pid)
			}
			w.peak = max(w.peak, sum)
		}
		return
	}
	if w.audited {
		w.peak = max(w.peak, w.auditor.sum)
		if now.Sub(w.wanted) < w.auditor.cost*auditDutyCycle {
			return
		}
	}
	w.wanted, w.audited = now, true
	w.auditor.ask(procs)
}
