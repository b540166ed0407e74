package machine

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Watch looks at the machine from one moment on.
type Watch struct {
	since   time.Time
	machine ticks
	family  int64
	known   bool
}

// Observe begins to watch.
func Observe() Watch { return observe(os.DirFS("/"), os.Getpid(), time.Now()) }

func observe(fsys fs.FS, pid int, now time.Time) Watch {
	w := Watch{since: now}
	var read bool
	w.machine, w.known = readTicks(fsys)
	w.family, read = readFamily(fsys, pid)
	w.known = w.known && read
	return w
}

// An Activity is what others did between two moments.
type Activity struct {
	Others float64 // processors that programs other than ours kept busy, on average; 0 where the system does not tell
	Stolen float64 // share of the machine's time that the host took away; likewise
}

// Until says what others did from then to now. What this process and all that
// it has started did is not counted.
func (w Watch) Until() Activity { return w.until(Observe()) }

func (w Watch) until(later Watch) Activity {
	var a Activity
	elapsed := later.since.Sub(w.since).Seconds()
	if !w.known || !later.known || elapsed <= 0 {
		return a
	}
	busy := later.machine.busy - w.machine.busy - (later.family - w.family)
	a.Others = max(0, float64(busy)/100/elapsed)
	if all := later.machine.all - w.machine.all; all > 0 {
		a.Stolen = float64(later.machine.stolen-w.machine.stolen) / float64(all)
	}
	return a
}

// Busy says what else the machine did; "" if it was quiet.
func (a Activity) Busy() string {
	switch {
	case a.Stolen >= busyStolen:
		return fmt.Sprintf("the host took %.1f %% of the machine's time", 100*a.Stolen)
	case a.Others >= busyOthers:
		return fmt.Sprintf("other programs kept %.1f processors busy", a.Others)
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
