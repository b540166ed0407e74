package machine

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Watch looks at the machine from one moment on.
type Watch struct {
	since  time.Time
	pinned []int // processors that our programs are pinned to; nil if they are not
	near   []int // those that share a core with them
	counts counts
	family int64
	known  bool
}

// Observe begins to watch. The cores are the processors that our programs are
// pinned to; nil if they are not.
func Observe(cores []int) Watch { return observe(os.DirFS("/"), os.Getpid(), time.Now(), cores) }

func observe(fsys fs.FS, pid int, now time.Time, cores []int) Watch {
	w := Watch{since: now, pinned: cores}
	for _, core := range cores {
		for _, id := range siblings(fsys, core) {
			if !slices.Contains(cores, id) && !slices.Contains(w.near, id) {
				w.near = append(w.near, id)
			}
		}
	}
	var read bool
	w.counts, w.known = readCounts(fsys)
	w.family, read = readFamily(fsys, pid)
	w.known = w.known && read
	return w
}

// An Activity is what others did between two moments.
type Activity struct {
	Others float64 // processors that programs other than ours kept busy, on average; 0 where the system does not tell
	Stolen float64 // share of the time that the host took away, of the processors that ours were pinned to if Core tells, of all otherwise; likewise

	// Core is how many of the processors that ours were pinned to, or that share a
	// core with these, others kept busy at least; what may have been the judge
	// itself does not count. Rest is the share of all other processors' time that
	// others used. Core is nil, and Rest 0, if ours were not pinned or the system
	// does not tell.
	Core *float64
	Rest float64
}

// Until says what others did from then to now. What this process and all that
// it has started did is not counted; ran is the CPU time that programs used
// meanwhile where they were pinned to.
func (w Watch) Until(ran time.Duration) Activity { return w.until(Observe(w.pinned), ran) }

func (w Watch) until(later Watch, ran time.Duration) Activity {
	var a Activity
	elapsed := later.since.Sub(w.since).Seconds()
	if !w.known || !later.known || elapsed <= 0 {
		return a
	}
	all := later.counts.all.minus(w.counts.all)
	family := max(seconds(later.family-w.family), ran.Seconds())
	foreign := max(0, seconds(all.busy)-family)
	a.Others = foreign / elapsed
	a.Stolen = all.stolenShare()
	w.core(&a, later, ran.Seconds(), family-ran.Seconds(), foreign, elapsed)
	return a
}

// core works out what concerns programs that are pinned, in seconds: theirs, the
// judge's own, and those of others.
//
// The system counts by processor, and by process, but not both together. The
// programs' part of a processor is known, the judge's is not: it is between and
// beside the programs. On the processor that they are pinned to all of it may
// have been the judge; of those that share its core, as of any others, it is
// taken to have had its even part. So for programs that are as short as the
// judge's work between them some load of the same processor goes unseen here, and
// is seen by what they wait. For programs of 70 ms, with loops beside them that
// would use 5, 10, 20, 30 and 100 % of their processor, it came to 6, 11, 23, 32
// and 50 %, and to 0 without.
func (w *Watch) core(a *Activity, later Watch, ran, judge, foreign, elapsed float64) {
	var same, near, rest ticks
	others := 0
	for id, now := range later.counts.of {
		before, ok := w.counts.of[id]
		switch d := now.minus(before); {
		case !ok:
		case slices.Contains(w.pinned, id):
			same = same.plus(d)
		case slices.Contains(w.near, id):
			near = near.plus(d)
		default:
			rest = rest.plus(d)
			others++
		}
	}
	// A container may number processors in its own way, or show its own use only.
	// Where far less was used than our programs used there, it is another's.
	if len(w.pinned) == 0 || same.all == 0 || seconds(same.busy)+coarse < ran/2 {
		return
	}
	share := judge * float64(len(w.near)) / float64(max(1, len(w.near)+others))
	core := max(0, seconds(same.busy)-ran-judge) + max(0, seconds(near.busy)-share)
	if others == 0 {
		core = foreign // all processors share the core, and the judge was on them, too
	}
	core = min(core, foreign)
	if rest.all > 0 {
		a.Rest = min(1, (foreign-core)/(elapsed*float64(others)))
	}
	if core < coarse {
		core = 0
	}
	core /= elapsed
	a.Core, a.Stolen = &core, same.plus(near).stolenShare()
}

// coarse is how much less of a second or more than it was the system may have
// counted, by looking who is there 100 to 1000 times a second.
const coarse = 0.1

func seconds(hundredths int64) float64 { return float64(hundredths) / 100 }

// What others may do before times are called into question, by how much more CPU
// time than without them a loop that stays in registers took, a random walk
// through 256 KiB, and one through 64 MiB. That was measured on 2 virtual cores
// that share no core, in 16 to 100 rounds of all conditions in random order:
//
//	on the same processor     5 % of it:           0 %, +1 %, +2 %
//	                         20 %:                 0 %, +1 to 5 %, +2 to 10 %
//	                         50 %:                 0 %, +9 %, +14 %
//	on all other processors  70 %:                 nothing that could be seen
//	                        100 %, in registers:   nothing that could be seen
//	                        100 %, in memory:      0 %, 0 %, +3 %
//
// A thread of the same core costs more, up to half of what the core does, and no
// machine was at hand to measure that: what it does counts like work on the
// processor itself.
const (
	busyCore = 0.05 // of a processor, of the same core
	busyRest = 0.8  // of all other processors
)

// Busy says what else the machine did; "" if it was quiet, or nothing of it
// reached our programs.
func (a Activity) Busy() string {
	of := "machine"
	if a.Core != nil {
		of = "core"
	}
	switch {
	case a.Stolen >= busyStolen:
		return fmt.Sprintf("the host took %.1f %% of the %s's time", 100*a.Stolen, of)
	case a.Core == nil && a.Others >= busyOthers:
		return fmt.Sprintf("other programs kept %.1f processors busy", a.Others)
	case a.Core != nil && *a.Core >= busyCore:
		return fmt.Sprintf("other programs used the core that programs were pinned to for %.0f %% of the time", min(100, 100**a.Core))
	case a.Core != nil && a.Rest >= busyRest:
		return fmt.Sprintf("other programs used the other processors, which share memory with that of ours, for %.0f %% of the time", 100*a.Rest)
	}
	return ""
}

// readFamily adds up the CPU time, in hundredths of seconds, of a process and
// of all below it, with what those have waited for.
func readFamily(fsys fs.FS, pid int) (sum int64, ok bool) {
	dirs, err := fs.ReadDir(fsys, "proc")
	if err != nil {
		return 0, false
	}
	parent, used := make(map[int]int), make(map[int]int64)
	for _, d := range dirs {
		id, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		// "pid (any name, with spaces and brackets) state ppid ..."
		stat := line(fsys, "proc/"+d.Name()+"/stat")
		fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		if len(fields) < 15 {
			continue // it ended meanwhile
		}
		parent[id], _ = strconv.Atoi(fields[1])
		for _, field := range fields[11:15] { // utime, stime, and both of those that were waited for
			n, _ := strconv.ParseInt(field, 10, 64)
			used[id] += n
		}
	}
	_, ok = used[pid]
	for id := range used {
		// A process that ends and another that gets its number while this is read
		// could make a circle.
		for at, steps := id, 0; at > 0 && steps <= len(used); at, steps = parent[at], steps+1 {
			if at == pid {
				sum += used[id]
				break
			}
		}
	}
	return sum, ok
}
