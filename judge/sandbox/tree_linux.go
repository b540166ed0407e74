//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A tree looks at the descendants of one process. It reads /proc without
// leaving garbage, because the launcher never collects any: its memory must
// stay small, for a program's memory starts at its launcher's.
type tree struct {
	root int
	all  bool // the kernel does not list children: look at all processes
	most int  // look at no more than so many
	more bool // there were more in the last look

	procs  []proc // as they were found last, those that live nearest to the root first
	cursor int    // of the kernel's process numbers before that, -1 if unknown
	text   []byte
	path   [64]byte

	// proc is the folder to read processes from, where that is not /proc; 0 if
	// it is. A launcher in a box sees less in /proc than it must.
	proc int
}

// A proc is one process at one moment.
type proc struct {
	pid, parent int
	begun       uint64 // ticks since the machine started; with pid, its name for ever
	state       byte
	threads     int
	own         time.Duration // CPU time of its threads
	waited      time.Duration // CPU time of the children it waited for
	resident    int64         // bytes
	virtual     int64         // bytes
}

// tick is the unit of times in /proc on these machines.
const tick = 10 * time.Millisecond

// look finds the descendants and what each of them uses.
func (t *tree) look() []proc {
	// No number was given out since the last look: then no process and no thread
	// was born, and the search for them can be spared.
	cursor := t.lastPID()
	if cursor >= 0 && cursor == t.cursor {
		for i := range t.procs {
			if !t.read(&t.procs[i]) {
				t.procs[i].pid = 0
			}
		}
	} else {
		t.search()
	}
	t.cursor = cursor
	t.procs = slices.DeleteFunc(t.procs, func(p proc) bool { return p.pid == 0 })
	return t.procs
}

// search finds the descendants anew.
func (t *tree) search() {
	t.procs, t.more = t.procs[:0], false
	if t.all {
		t.searchAll()
		return
	}
	t.children(t.root, t.root)
	for i := 0; i < len(t.procs); i++ {
		// They may be born as fast as we read.
		if t.more = len(t.procs) > t.most; t.more {
			t.procs = t.procs[:i]
			break
		}
		p := &t.procs[i]
		switch {
		case !t.read(p):
			p.pid = 0
		case p.threads <= 1:
			t.children(p.pid, p.pid)
		default:
			// A child is listed with the thread that made it.
			t.childrenOfThreads(p.pid)
		}
	}
}

// sweep kills the descendants that it finds, without a look at them. A child
// of one that is killed is found in the next sweep at the latest, when it has
// come to the root.
func (t *tree) sweep() {
	if t.all {
		for _, p := range t.look() {
			unix.Kill(p.pid, unix.SIGKILL)
		}
		return
	}
	t.cursor, t.procs = -1, t.procs[:0]
	t.children(t.root, t.root)
	for i := 0; i < len(t.procs); i++ {
		pid := t.procs[i].pid
		t.children(pid, pid)
		unix.Kill(pid, unix.SIGKILL)
	}
	t.procs = t.procs[:0]
}

// children adds the children that a thread of a process has made or inherited.
func (t *tree) children(pid, tid int) bool {
	n := t.join("/proc/", pid, "/task/")
	n = t.number(n, tid)
	n += copy(t.path[n:], "/children")
	text, ok := t.load(n)
	if !ok {
		return false
	}
	for pid := 0; ; {
		if pid, text = digits(text); pid == 0 {
			return true
		}
		t.procs = append(t.procs, proc{pid: pid})
	}
}

func (t *tree) childrenOfThreads(pid int) {
	n := t.join("/proc/", pid, "/task")
	t.list(n, func(tid int) { t.children(pid, tid) })
}

// searchAll finds the descendants among all processes of the machine.
func (t *tree) searchAll() {
	n := copy(t.path[:], "/proc/.")
	t.list(n, func(pid int) { t.procs = append(t.procs, proc{pid: pid}) })
	for i := range t.procs {
		if !t.read(&t.procs[i]) {
			t.procs[i].pid = 0
		}
	}
	// Move the known to the front until their children are no more.
	known := 0
	for grown := true; grown; {
		grown = false
		for i := known; i < len(t.procs); i++ {
			p := t.procs[i]
			if p.pid == 0 || (p.parent != t.root && !slices.ContainsFunc(t.procs[:known], func(q proc) bool { return q.pid == p.parent })) {
				continue
			}
			t.procs[known], t.procs[i] = p, t.procs[known]
			known++
			grown = true
		}
	}
	t.procs = t.procs[:known]
}

// read fills in what a process uses. It is false when the process is gone.
func (t *tree) read(p *proc) bool {
	n := t.join("/proc/", p.pid, "/stat")
	text, ok := t.load(n)
	if !ok {
		return false
	}
	// The name may hold anything, so count from the bracket that ends it.
	name := bytes.LastIndexByte(text, ')')
	if name < 0 || len(text) < name+4 {
		return false
	}
	text = text[name+2:]
	p.state, text = text[0], text[1:]
	var field [25]int // numbered as in proc(5)
	for i := 4; i < len(field); i++ {
		field[i], text = digits(text)
	}
	p.parent = field[4]
	p.waited = time.Duration(field[16]+field[17]) * tick
	p.threads = field[20]
	p.begun = uint64(field[22])
	p.virtual = int64(field[23])
	p.resident = int64(field[24]) * int64(pageSize)
	if p.virtual > manyTables {
		p.resident += t.tables(p.pid)
	}
	p.own = cpuClock(p.pid)
	if p.own < 0 {
		p.own = time.Duration(field[14]+field[15]) * tick
	}
	return true
}

// manyTables is the address space, in bytes, that 16 MiB of page tables map: 4 KiB
// map 2 MiB. A process with less is not asked about them.
const manyTables = 8 << 30

// tables returns the memory of a process's page tables, which map pages that it
// has only looked at, too, and are in no other number.
func (t *tree) tables(pid int) int64 {
	text, ok := t.load(t.join("/proc/", pid, "/status"))
	label := []byte("\nVmPTE:")
	at := bytes.Index(text, label)
	if !ok || at < 0 {
		return 0
	}
	kib, _ := digits(bytes.TrimLeft(text[at+len(label):], "\t"))
	return int64(kib) << 10
}

// share returns the memory of a process, with each page that it shares with n
// processes counted as 1/n of a page; -1 if it is not told. It is slow, and the
// process can delay it at will.
func (t *tree) share(pid int) int64 {
	n := t.join("/proc/", pid, "/smaps_rollup")
	text, ok := t.load(n)
	if !ok {
		return -1
	}
	label := []byte("\nPss:")
	at := bytes.Index(text, label)
	if at < 0 {
		return -1
	}
	kib, _ := digits(text[at+len(label):])
	return int64(kib) << 10
}

// written returns how many bytes a process and those that it has waited for have
// handed to system calls that write, whatever to; 0 if it is not told.
func (t *tree) written(pid int) int64 {
	text, ok := t.load(t.join("/proc/", pid, "/io"))
	label := []byte("wchar:")
	at := bytes.Index(text, label)
	if !ok || at < 0 {
		return 0
	}
	n, _ := digits(text[at+len(label):])
	return int64(n)
}

// unshared returns the memory of a process that has no file behind it.
func (t *tree) unshared(pid int) int64 {
	text, ok := t.load(t.join("/proc/", pid, "/statm"))
	if !ok {
		return 0
	}
	_, text = digits(text)
	resident, text := digits(text)
	shared, _ := digits(text)
	return int64(resident-shared) * int64(pageSize)
}

// lastPID returns the last process number that was given out, or -1.
func (t *tree) lastPID() int {
	pid, _ := t.loadavg()
	return pid
}

// loadavg returns the last process number that was given out, and how many
// threads there are on the machine; -1 if they are not told.
func (t *tree) loadavg() (pid, threads int) {
	// "0.00 0.00 0.00 1/123 4567"
	text, ok := t.load(copy(t.path[:], "/proc/loadavg"))
	slash, space := bytes.IndexByte(text, '/'), bytes.LastIndexByte(text, ' ')
	if !ok || slash < 0 || space < slash {
		return -1, -1
	}
	threads, _ = digits(text[slash+1:])
	pid, _ = digits(text[space:])
	return pid, threads
}

// join begins the path "head PID tail" and returns its length.
func (t *tree) join(head string, pid int, tail string) int {
	n := copy(t.path[:], head)
	n = t.number(n, pid)
	return n + copy(t.path[n:], tail)
}

func (t *tree) number(n, x int) int {
	var d [20]byte
	i := len(d)
	for {
		i--
		d[i] = byte('0' + x%10)
		if x /= 10; x == 0 {
			break
		}
	}
	return n + copy(t.path[n:], d[i:])
}

// open opens the file whose path has n bytes.
func (t *tree) open(n int) (fd uintptr, ok bool) {
	t.path[n] = 0
	at, path := unix.AT_FDCWD, &t.path[0]
	if t.proc != 0 {
		at, path = t.proc, &t.path[len("/proc/")]
	}
	fd, _, e := syscall.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(path)), unix.O_RDONLY|unix.O_CLOEXEC, 0, 0, 0)
	return fd, e == 0
}

// load reads that file.
func (t *tree) load(n int) ([]byte, bool) {
	fd, ok := t.open(n)
	if !ok {
		return nil, false
	}
	defer syscall.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	for size := 0; ; {
		if size == len(t.text) {
			t.text = append(t.text, make([]byte, max(4096, size))...)
		}
		n, _, e := syscall.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&t.text[size])), uintptr(len(t.text)-size))
		switch {
		case e == unix.EINTR:
		case e != 0:
			return nil, false
		case n == 0:
			return t.text[:size], true
		default:
			size += int(n)
		}
	}
}

// list calls each with the names in the folder whose path has n bytes that
// are numbers.
func (t *tree) list(n int, each func(number int)) {
	fd, ok := t.open(n)
	if !ok {
		return
	}
	defer syscall.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	var entries [4096]byte
	for {
		n, _, e := syscall.RawSyscall(unix.SYS_GETDENTS64, fd, uintptr(unsafe.Pointer(&entries[0])), unsafe.Sizeof(entries))
		if e != 0 || n == 0 {
			return
		}
		// struct linux_dirent64: inode 8, offset 8, length 2, type 1, name.
		for rest := entries[:n]; len(rest) > 19; {
			length := int(rest[16]) | int(rest[17])<<8
			if x, _ := digits(rest[19:length]); x > 0 {
				each(x)
			}
			rest = rest[length:]
		}
	}
}

// digits reads a number after blanks, and returns 0 where there is none. What
// follows it is the rest.
func digits(text []byte) (x int, rest []byte) {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '-') {
		i++
	}
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		x = x*10 + int(text[i]-'0')
		i++
	}
	return x, text[i:]
}

var pageSize = syscall.Getpagesize()

// cpuClock returns the CPU time of a process's threads, also of those that have
// ended, or -1 if it is gone.
func cpuClock(pid int) time.Duration {
	const process = 2 // CPUCLOCK_SCHED in include/linux/posix-timers_types.h
	return clock(int32(^pid<<3 | process))
}

// ownCPU returns the CPU time of this thread.
func ownCPU() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var ts unix.Timespec
	if _, _, e := syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, uintptr(id), uintptr(unsafe.Pointer(&ts)), 0); e != 0 {
		return -1
	}
	return time.Duration(ts.Nano())
}
