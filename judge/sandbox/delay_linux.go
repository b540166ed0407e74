//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"slices"
	"time"
)

// delays is the account of how long a program could have run and had no
// processor, because others had it.
//
// The kernel counts that for every thread, also while the program's own threads
// have the processor. So what the others of the program used meanwhile is taken
// off what a thread has waited, or a program could gain time by threads that get
// into each other's way. And threads that wait at the same time wait no longer than
// one of them does: so of what they have waited since they were asked before, the
// most counts. Added up over the run that holds for programs whose threads and
// processes work in turns, too, and for those that have ended.
type delays struct {
	waited        time.Duration // for others
	seen, elapsed time.Duration // CPU time of the program, and real time, when it was asked last

	last, now []delay // threads as they were found last, and now; by tid
}

// A delay is that of one thread. The kernel tells it when the thread runs again.
type delay struct {
	tid         int
	ran, waited time.Duration // as the kernel tells

	news       bool          // it has run since it was asked before
	seen, free time.Duration // of the program, when it had last run
	others     time.Duration // what the others used just then, and was not taken off
}

// begin begins a run.
func (d *delays) begin() {
	if d.now == nil {
		// While a program has taken all memory, the launcher should want no more.
		const usual = 64 // threads
		d.last, d.now = make([]delay, usual), make([]delay, usual)
		clear(d.last)
		clear(d.now)
	}
	d.waited, d.seen, d.elapsed = 0, 0, 0
	d.last, d.now = d.last[:0], d.now[:0]
}

// free returns for how long the program has neither run nor waited.
func (d *delays) free() time.Duration { return d.elapsed - d.seen - d.waited }

// add takes what was found of the threads into the account, and returns what the
// program has waited. The CPU time, seen, is to be read after it.
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
			// It was born since, or was overlooked: then what it did before was news once.
			old.ran, old.waited = max(x.ran-since, 0), max(x.waited-since, 0)
		}
		x.news = x.ran != old.ran || x.waited != old.waited
		if !x.news {
			x.seen, x.free, x.others = old.seen, old.free, old.others
			continue
		}
		// It may have begun to wait before it was asked last, though not before it had
		// last run: so what the others used at that time can still be taken off.
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

// find adds the threads of a process.
func (d *delays) find(t *tree, pid int) {
	t.list(t.join("/proc/", pid, "/task"), func(tid int) {
		n := t.join("/proc/", pid, "/task/")
		n = t.number(n, tid)
		n += copy(t.path[n:], "/schedstat")
		// "time on a processor, time waiting for one, in ns, and how often"
		if text, ok := t.load(n); ok {
			ran, text := digits(text)
			waited, _ := digits(text)
			d.now = append(d.now, delay{tid: tid, ran: time.Duration(ran), waited: time.Duration(waited)})
		}
	})
}
