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

// A Watch observes the load by other programs from a moment on.
type Watch struct {
	since  time.Time
	pinned []int // processors that the judge's programs are pinned to; nil if they are not
	near   []int // other processors of the same cores
	counts counts
	family int64
	known  bool
}

// Observe starts a Watch. The cores are the processors that the judge's programs
// are pinned to; nil if they are not.
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

// An Activity is the load by other programs between two moments.
type Activity struct {
	Others float64 `json:"others"` // the average number of processors that other programs kept busy; 0 if not known
	// The share of time that the host took, from 0 to 1: of the cores with pinned programs if
	// Core is known, otherwise of all; 0 if not known.
	Stolen float64 `json:"stolen"`

	// Core is the number of processors that other programs kept busy, of those on
	// cores with pinned programs. It is a lower bound: time that the judge itself may
	// have used does not count. Rest is the share of the time of all other processors
	// that other programs used. Core is nil and Rest is 0 if programs are not
	// pinned or the system does not provide the counts.
	Core *float64 `json:"core,omitzero"`
	Rest float64  `json:"rest,omitzero"`
}

// Until returns the load by other programs since the Watch was started. It excludes
// this process and its descendants. ran is the CPU time that the judge's programs
// have used since then on the processors that they are pinned to.
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

// core computes Core and Rest. ran, judge and foreign are the CPU times in seconds
// of the pinned programs, the judge and other programs.
//
// The system counts by processor and by process, but not by both. The share of the
// pinned programs in the time of a processor is known, that of the judge is not.
// On the processors with pinned programs, all unexplained time up to the judge's
// total is attributed to the judge; on other processors, an even share of it. So
// if programs are as short as the judge's work between them, some load on the same
// processor is not detected here, but by the wait of the programs. For programs of
// 70 ms, and loops on their processor that use 5, 10, 20, 30 and 100 %, the result
// was 6, 11, 23, 32 and 50 %; without loops it was 0.
func (w *Watch) core(a *Activity, later Watch, ran, judge, foreign, elapsed float64) {
	var same, near, rest ticks
	others := 0
	for id, now := range later.counts.of {
		before, ok := w.counts.of[id]
		switch d := now.minus(before); {
		case !ok:
		case slices.Contains(w.pinned, id):
			same.add(d)
		case slices.Contains(w.near, id):
			near.add(d)
		default:
			rest.add(d)
			others++
		}
	}
	// A container may number processors differently, or show only its own use. Then
	// the counts are lower than the time of the pinned programs.
	if len(w.pinned) == 0 || same.all == 0 || seconds(same.busy)+coarse < ran/2 {
		return
	}
	share := judge * float64(len(w.near)) / float64(max(1, len(w.near)+others))
	core := max(0, seconds(same.busy)-ran-judge) + max(0, seconds(near.busy)-share)
	if others == 0 {
		core = foreign // all processors share the core, and the judge also ran on them
	}
	core = min(core, foreign)
	if rest.all > 0 {
		a.Rest = min(1, (foreign-core)/(elapsed*float64(others)))
	}
	if core < coarse {
		core = 0
	}
	core /= elapsed
	same.add(near)
	a.Core, a.Stolen = &core, same.stolenShare()
}

// coarse is the error of the system's counts in seconds. The system samples 100 to
// 1000 times a second.
const coarse = 0.1

func seconds(hundredths int64) float64 { return float64(hundredths) / 100 }

// The thresholds of load by other programs are from measurements of the additional
// CPU time of three programs: a loop in registers, a random walk through 256 KiB
// and one through 64 MiB. They ran on 2 virtual processors that share no core, in 16
// to 100 rounds of all conditions in random order:
//
//	on the same processor     5 % of it:           0 %, +1 %, +2 %
//	                         20 %:                 0 %, +1 to 5 %, +2 to 10 %
//	                         50 %:                 0 %, +9 %, +14 %
//	on all other processors  70 %:                 no significant effect
//	                        100 %, in registers:   no significant effect
//	                        100 %, in memory:      0 %, 0 %, +3 %
//
// Another thread of the same core costs up to half of the core's speed. This was
// not measured; its load counts like load on the processor itself.
//
// Without pinned programs, an idle system keeps a few hundredths of a processor
// busy. A quiet host takes less than a few thousandths of the time.
const (
	busyCore   = 0.05  // of a processor, of the same core
	busyRest   = 0.8   // of all other processors
	busyOthers = 0.2   // processors, if programs are not pinned
	busyStolen = 0.005 // of the time
)

// Busy describes the load by other programs, as the start of a sentence; "" if it
// does not affect the judge's programs.
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
		return fmt.Sprintf("other programs used the core of the submissions for %.0f %% of the time", min(100, 100**a.Core))
	case a.Core != nil && a.Rest >= busyRest:
		return fmt.Sprintf("other programs used the other processors, which share memory with the submissions, for %.0f "+
			"%% of the time", 100*a.Rest)
	}
	return ""
}

// readFamily returns the CPU time, in hundredths of seconds, of a process and its
// descendants, including terminated ones.
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
			continue // the process has ended
		}
		parent[id], _ = strconv.Atoi(fields[1])
		for _, field := range fields[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.ParseInt(field, 10, 64)
			used[id] += n
		}
	}
	_, ok = used[pid]
	for id := range used {
		// The parents could form a cycle if a process id is reused during the reading.
		for at, steps := id, 0; at > 0 && steps <= len(used); at, steps = parent[at], steps+1 {
			if at == pid {
				sum += used[id]
				break
			}
		}
	}
	return sum, ok
}
