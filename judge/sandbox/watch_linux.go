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
	tree    tree
	auditor auditor
	account ledger
	cores   int

	limits  Limits
	setUp   time.Duration // CPU time that the program was born with; not its own
	begun   time.Time
	next    time.Time // when to look
	reaped  usage     // of the processes that were waited for, by the launcher
	wanted  time.Time // since when the memory of several processes is wanted
	audited bool      // the auditor has added it up in this run

	threads  int   // of all processes in the last look
	growing  bool  // they were fewer in the look before
	resident int64 // bytes, of all processes in the last look, shared pages counted often
	peak     int64 // bytes: the most that they had in one look, shared pages counted once
	written  int64 // bytes: the most that was found written in one look

	delays delays
	waited time.Duration // for a processor: so much longer than its limit may it run
	asked  time.Time     // when it was asked last how long that is
	asking time.Duration // what that took

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

// How long to sleep between looks.
const (
	// Where processes are limited, or memory that is far from its limit. A look
	// costs some 10 µs, and the wake-up twice that.
	relaxed = 10 * time.Millisecond
	// Memory that is near its limit.
	anxious = 5 * time.Millisecond
	// No program fills memory faster than this, in bytes a second.
	fastest = 8 << 30
	// The first look, since most programs are small and short.
	firstLook = 2 * time.Millisecond
	// A look at many processes may take no more than 1/dutyCycle of the time.
	dutyCycle = 200
	// While their number grows, a little more.
	growthDutyCycle = 4

	// Where they are not limited, no more processes than this are looked at.
	mostProcesses = 4096

	// CPU time can be foreseen: it grows by no more than a second per second and
	// core. Looks nearer to the limit than closest gain nothing, and not all is
	// known about cores: so there is a longest sleep, too.
	closest = time.Millisecond
	longest = 50 * time.Millisecond

	// Real time may be so many times its limit, however long the program had to
	// wait for a processor. It may make itself wait, by its priority.
	mostReal = 10
	// Who has not run longer than this cannot have waited for long.
	worthAsking = 100 * time.Millisecond

	// Near the end of its real time the program is asked no more than 1/askDutyCycle
	// of the time.
	askDutyCycle = 5

	// Adding up shares of pages hinders the program.
	auditDutyCycle = 40
	// How long it may take.
	patience = 200 * time.Millisecond
)

// begin starts the watch anew, for a program that took setUp to start.
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
		// The kernel holds memory and processes to their limits, and counts: so there
		// is nothing to look for but CPU time, which can be foreseen, and whether
		// somebody was refused or killed, which is not urgent.
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

// sleep returns how long nothing needs to be done; negative is for ever.
func (w *watch) sleep(now time.Time) time.Duration {
	d := time.Duration(-1)
	if !w.next.IsZero() {
		d = max(w.next.Sub(now), 0)
	}
	if w.limits.Wall > 0 {
		left := max(w.allowed()-now.Sub(w.begun)+1, 0)
		if w.waited > 0 {
			// One that hardly gets a processor comes closer and closer to its limit.
			left = max(left, closest, w.asking*askDutyCycle-now.Sub(w.asked))
		}
		if d < 0 || left < d {
			d = left
		}
	}
	return d
}

// due says which limit is passed, if any. It looks when it is time to.
func (w *watch) due(now time.Time) cause {
	late := w.limits.Wall > 0 && now.Sub(w.begun) > w.allowed()
	if !late && (w.next.IsZero() || now.Before(w.next)) {
		return causeNone
	}
	if w.limits.Wall > 0 && (late || now.Sub(w.begun) > worthAsking && now.Sub(w.asked) > max(longest, w.asking*dutyCycle)) {
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

// allowed returns how long the program may run. That bounds who sleeps; who wants
// to work on a busy machine gets as much longer as he had to wait for a processor.
func (w *watch) allowed() time.Duration {
	if w.waited/(mostReal-1) >= w.limits.Wall {
		return w.limits.Wall * mostReal
	}
	return w.limits.Wall + w.waited
}

// findDelays asks the threads how long they have waited for a processor.
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

// addDelays takes what they said into the account, once the CPU time is known.
func (w *watch) addDelays(now time.Time) {
	w.waited = max(w.waited, w.delays.add(w.seen, now.Sub(w.begun)))
}

// untilAsked returns when to ask the cgroup again.
func (w *watch) untilAsked() time.Duration {
	d := longest
	if w.limits.CPU > 0 {
		d = w.untilCPU(w.seen)
	}
	return w.untilWritten(d)
}

// untilWritten returns how long it takes to write too much, or d if that is sooner.
func (w *watch) untilWritten(d time.Duration) time.Duration {
	if w.limits.Written == 0 {
		return d
	}
	const fastest = 1 << 30 // bytes a second, into a pipe that another process reads
	room := max(w.limits.Written-w.written, 0)
	return min(d, max(anxious, time.Duration(float64(room)/fastest*float64(time.Second))))
}

// count notes what processes have written, and reports whether it is too much.
// What a process has waited for is in its own number. What is missing is what
// those wrote who were born and forgotten between two looks.
func (w *watch) count(procs []proc) bool {
	var sum int64
	for i := range procs {
		sum += w.tree.written(procs[i].pid)
	}
	w.written = max(w.written, sum)
	return w.written > w.limits.Written
}

// untilNext returns when to look again after a look that took cost.
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

// untilCPU returns how long it takes all cores to pass the limit.
func (w *watch) untilCPU(used time.Duration) time.Duration {
	return min(max((w.limits.CPU-used)/time.Duration(w.cores), closest), longest)
}

// look measures the whole tree.
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

// consult asks the cgroup.
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

// crowd counts the processes and threads, at the end.
func (w *watch) crowd() cause {
	threads := 0
	for _, p := range w.tree.look() {
		threads += max(p.threads, 1)
	}
	if threads > w.limits.Processes {
		return causeProcesses
	}
	return causeNone
}

// sum adds up the CPU time of every process that was ever seen.
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

// weigh notes the memory of the tree and reports whether it is too much.
func (w *watch) weigh(procs []proc) bool {
	holders := 0
	for i := range procs {
		if procs[i].resident > 0 {
			holders++
		}
		w.peak = max(w.peak, procs[i].resident)
	}
	// What forked processes share was counted several times.
	if holders > 1 && w.resident > w.peak {
		w.audit(procs)
	}
	return w.limits.Memory > 0 && w.peak > w.limits.Memory
}

// audit has the memory of several processes added up, and takes the last sum.
func (w *watch) audit(procs []proc) {
	now := time.Now()
	if w.auditor.busy.Load() {
		if w.wanted.IsZero() {
			w.wanted = now
		}
		// Who cannot be measured is counted in full.
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
