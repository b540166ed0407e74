//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"slices"
	"time"
)

// delays computes how long a program was runnable but had no processor because
// other programs used it.
//
// The kernel counts this wait for every thread, even if the program's own threads
// used the processor. So the CPU time that the program's other threads used
// meanwhile is subtracted from a thread's wait; otherwise a program could gain time
// with threads that compete with each other. Threads that wait at the same time
// delay the program no longer than one of them does, so each step adds only the
// largest wait since the last step. Summed over the run, this is also right for
// programs whose threads and processes work in turns, and for threads that have
// ended.
type delays struct {
	waited        time.Duration // for other programs
	seen, elapsed time.Duration // CPU time of the program and wall time, at the last step

	last, now []delay // threads found in the last step and in this one, sorted by tid
}

// A delay is the wait of one thread. The kernel reports a wait when the thread runs
// again.
type delay struct {
	tid         int
	ran, waited time.Duration // as the kernel reports

	news       bool          // it has run since the last step
	seen, free time.Duration // CPU time and free time of the program when the thread last ran
	others     time.Duration // CPU time that other threads used since then and that was not subtracted yet
}

// begin resets the computation for a new run.
func (d *delays) begin() {
	if d.now == nil {
		// Allocate in advance: during a run, the program may use all memory.
		const usual = 64 // threads of a program
		d.last, d.now = make([]delay, usual), make([]delay, usual)
		clear(d.last)
		clear(d.now)
	}
	d.waited, d.seen, d.elapsed = 0, 0, 0
	d.last, d.now = d.last[:0], d.now[:0]
}

// free returns how long the program has neither run nor waited.
func (d *delays) free() time.Duration { return d.elapsed - d.seen - d.waited }

// add adds the waits of the threads that find found, and returns how long the
// program has waited in total. The caller must read the CPU time, seen, after it
// called find.
func (d *delays) add(seen, elapsed time.Duration) time.Duration {
	slices.SortFunc(d.now, func(a, b delay) int { return cmp.Compare(a.tid, b.tid) })
	fresh := delay{seen: d.seen, free: d.free()}
	since := elapsed - d.elapsed
	d.seen, d.elapsed = seen, elapsed
	free, most := d.free(), time.Duration(0)
	i := 0
	for n := range d.now {
		x := &d.now[n]
		for i < len(d.last) && d.last[i].tid < x.tid {
			i++
		}
		old := fresh
		if i < len(d.last) && d.last[i].tid == x.tid && d.last[i].ran <= x.ran && d.last[i].waited <= x.waited {
			old = d.last[i]
		} else {
			// The thread is new or was overlooked before: only the time since the
			// last step counts.
			old.ran, old.waited = max(x.ran-since, 0), max(x.waited-since, 0)
		}
		x.news = x.ran != old.ran || x.waited != old.waited
		if !x.news {
			x.seen, x.free, x.others = old.seen, old.free, old.others
			continue
		}
		// The wait may have begun before the last step, but not before the thread
		// last ran. So the CPU time that other threads used since then can still be
		// subtracted.
		ran, waited := x.ran-old.ran, x.waited-old.waited
		taken := max(seen-old.seen-ran, 0) + old.others
		most = max(most, min(waited-taken, free-old.free))
		x.seen, x.others = seen, min(max(taken-waited, 0), max(seen-fresh.seen-ran, 0))
	}
	d.waited += most
	for n := range d.now {
		if d.now[n].news {
			d.now[n].free = d.free()
		}
	}
	d.last, d.now = d.now, d.last[:0]
	return d.waited
}

// find records the threads of a process for the next call of add.
func (d *delays) find(t *tree, pid int) {
	t.list(t.file(pid, "/task"), func(tid int) {
		// Format: CPU time and wait time in ns, number of time slices.
		if text, ok := t.load(t.thread(pid, tid, "/schedstat")); ok {
			ran, text := digits(text)
			waited, _ := digits(text)
			d.now = append(d.now, delay{tid: tid, ran: time.Duration(ran), waited: time.Duration(waited)})
		}
	})
}
