//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A tree finds the descendants of one process and measures them. It reads /proc
// without allocating, because the launcher never collects garbage: its memory must
// stay small, because a program's peak memory starts at its launcher's.
type tree struct {
	root int
	many bool // more threads of the root than the first one start programs
	all  bool // the kernel does not list children: read all processes
	most int  // the maximum number of processes to read
	more bool // the last look found more than most

	procs  []proc // result of the last look, parents before their children
	cursor int    // the kernel's last process id before that look; -1 if unknown
	text   []byte // the result of the last load
	path   []byte // the path that file or thread has built

	program int     // the process whose /proc/PID/io is open; 0: none
	io      uintptr // its descriptor
	before  int64   // bytes written before the program was executed

	// proc is a descriptor of the folder to read processes from, or 0 for /proc.
	// The /proc of a box shows less than a launcher needs.
	proc int
}

// A proc is the state of one process in one look.
type proc struct {
	pid, parent int
	begun       uint64 // start time in ticks since boot; unique together with pid
	state       byte
	threads     int
	own         time.Duration // CPU time of its own threads
	waited      time.Duration // CPU time of the children that it has waited for
	resident    int64         // bytes
	virtual     int64         // bytes
}

// tick is the unit of times in /proc on amd64 and arm64.
const tick = 10 * time.Millisecond

// look finds the descendants and measures each of them.
func (t *tree) look() []proc {
	// If the kernel assigned no process id since the last look, no process and no
	// thread was created, and the search is not needed.
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

// search finds all descendants.
func (t *tree) search() {
	t.procs, t.more = t.procs[:0], false
	if t.all {
		t.searchAll()
		return
	}
	t.ofRoot()
	for i := 0; i < len(t.procs); i++ {
		// Processes may be created as fast as they are read.
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
			// The kernel lists a child with the thread that created it.
			t.childrenOfThreads(p.pid)
		}
	}
}

// sweep kills the descendants that it finds, without measuring them. When a process
// is killed, its children become children of the root, so at the latest the next
// sweep finds them.
func (t *tree) sweep() {
	if t.all {
		for _, p := range t.look() {
			unix.Kill(p.pid, unix.SIGKILL)
		}
		return
	}
	t.cursor, t.procs = -1, t.procs[:0]
	t.ofRoot()
	for i := 0; i < len(t.procs); i++ {
		pid := t.procs[i].pid
		t.children(pid, pid)
		unix.Kill(pid, unix.SIGKILL)
	}
	t.procs = t.procs[:0]
}

// children adds the children that a thread of a process has created or inherited.
func (t *tree) children(pid, tid int) bool {
	text, ok := t.load(t.thread(pid, tid, "/children"))
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

// ofRoot adds the children of the root.
func (t *tree) ofRoot() {
	if t.many {
		t.childrenOfThreads(t.root)
	} else {
		t.children(t.root, t.root)
	}
}

func (t *tree) childrenOfThreads(pid int) {
	t.list(t.file(pid, "/task"), func(tid int) { t.children(pid, tid) })
}

// searchAll finds the descendants by reading all processes of the machine.
func (t *tree) searchAll() {
	t.list(append(t.path[:0], "/proc/."...), func(pid int) { t.procs = append(t.procs, proc{pid: pid}) })
	for i := range t.procs {
		if !t.read(&t.procs[i]) {
			t.procs[i].pid = 0
		}
	}
	// Move known descendants to the front until no child of them is left.
	known := 0
	for grown := true; grown; {
		grown = false
		for i := known; i < len(t.procs); i++ {
			p := t.procs[i]
			if p.pid == 0 || (p.parent != t.root && !slices.ContainsFunc(t.procs[:known],
				func(q proc) bool { return q.pid == p.parent })) {
				continue
			}
			t.procs[known], t.procs[i] = p, t.procs[known]
			known++
			grown = true
		}
	}
	t.procs = t.procs[:known]
}

// read measures a process. It returns false if the process no longer exists.
func (t *tree) read(p *proc) bool {
	text, ok := t.load(t.file(p.pid, "/stat"))
	// The name may contain any bytes, so parse from its last closing bracket.
	name := bytes.LastIndexByte(text, ')')
	if !ok || name < 0 || len(text) < name+4 {
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
		// Page tables also map pages that the process has only read, and no other
		// number includes them.
		p.resident += t.number(p.pid, "/status", "VmPTE:") << 10
	}
	p.own = cpuClock(p.pid)
	if p.own < 0 {
		p.own = time.Duration(field[14]+field[15]) * tick
	}
	return true
}

// manyTables is the address space, in bytes, that 16 MiB of page tables can map;
// each 4 KiB table maps 2 MiB. The page tables of smaller processes are not read.
const manyTables = 8 << 30

// share returns the memory of a process in bytes, where a page shared by n
// processes counts as 1/n of a page; 0 if it is unknown. It is slow, and the
// process can delay it.
func (t *tree) share(pid int) int64 { return t.number(pid, "/smaps_rollup", "Pss:") << 10 }

// written returns the number of bytes that a process and its reaped children have
// passed to system calls that write, to any file; 0 if it is unknown.
func (t *tree) written(pid int) int64 {
	if pid != t.program {
		return t.number(pid, "/io", writtenLabel)
	}
	text, _ := t.loadFrom(t.io)
	return max(numberAfter(text, writtenLabel)-t.before, 0)
}

const writtenLabel = "wchar:"

// begin opens what written reads of the program, because only root may open it after
// the program has ended. The child wrote before bytes until it executed the program.
func (t *tree) begin(program int, before int64) {
	if fd, ok := t.open(t.file(program, "/io")); ok {
		t.program, t.io, t.before = program, fd, before
	}
}

// end closes what begin has opened.
func (t *tree) end() {
	if t.program != 0 {
		syscall.RawSyscall(unix.SYS_CLOSE, t.io, 0, 0)
		t.program = 0
	}
}

// number returns the number after a label in a file of a process; 0 if it is
// unknown.
func (t *tree) number(pid int, name, label string) int64 {
	text, _ := t.load(t.file(pid, name))
	return numberAfter(text, label)
}

// unshared returns the memory of a process that has no file behind it, in bytes.
func (t *tree) unshared(pid int) int64 {
	text, _ := t.load(t.file(pid, "/statm"))
	_, text = digits(text)
	resident, text := digits(text)
	shared, _ := digits(text)
	return int64(resident-shared) * int64(pageSize)
}

// lastPID returns the process id that the kernel assigned last, or -1.
func (t *tree) lastPID() int {
	pid, _ := t.loadavg()
	return pid
}

// loadavg returns the process id that the kernel assigned last, and the number of
// threads on the machine; -1 for each if unknown.
func (t *tree) loadavg() (pid, threads int) {
	// "0.00 0.00 0.00 1/123 4567"
	text, ok := t.load(append(t.path[:0], "/proc/loadavg"...))
	slash, space := bytes.IndexByte(text, '/'), bytes.LastIndexByte(text, ' ')
	if !ok || slash < 0 || space < slash {
		return -1, -1
	}
	threads, _ = digits(text[slash+1:])
	pid, _ = digits(text[space:])
	return pid, threads
}

// file returns the path of a file of a process. It is valid until the next call.
func (t *tree) file(pid int, name string) []byte {
	t.path = append(strconv.AppendInt(append(t.path[:0], "/proc/"...), int64(pid), 10), name...)
	return t.path
}

// thread returns the path of a file of a thread, likewise.
func (t *tree) thread(pid, tid int, name string) []byte {
	t.path = append(strconv.AppendInt(t.file(pid, "/task/"), int64(tid), 10), name...)
	return t.path
}

// open opens the file at a path below /proc.
func (t *tree) open(path []byte) (fd uintptr, ok bool) {
	path = append(path, 0)
	at := unix.AT_FDCWD
	if t.proc != 0 {
		at, path = t.proc, path[len("/proc/"):]
	}
	fd, _, e := syscall.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(&path[0])), unix.O_RDONLY|
		unix.O_CLOEXEC, 0, 0, 0)
	return fd, e == 0
}

// load reads the file at a path below /proc. The result is valid until the next
// load.
func (t *tree) load(path []byte) ([]byte, bool) {
	fd, ok := t.open(path)
	if !ok {
		return nil, false
	}
	defer syscall.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	return t.loadFrom(fd)
}

// loadFrom reads an open file from its beginning.
func (t *tree) loadFrom(fd uintptr) ([]byte, bool) {
	for size := 0; ; {
		if size == len(t.text) {
			t.text = append(t.text, make([]byte, max(4096, size))...)
		}
		to := unsafe.Pointer(&t.text[size])
		n, _, e := syscall.RawSyscall6(unix.SYS_PREAD64, fd, uintptr(to), uintptr(len(t.text)-size), uintptr(size), 0, 0)
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

// list calls each for every numeric name in a folder below /proc.
func (t *tree) list(path []byte, each func(number int)) {
	fd, ok := t.open(path)
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

// digits parses a number after blanks, tabs and minus signs. It returns 0 if there
// is none, and the rest of the text.
func digits(text []byte) (x int, rest []byte) {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '-') {
		i++
	}
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		x = x*10 + int(text[i]-'0')
		i++
	}
	return x, text[i:]
}

// numberAfter returns the number on the line that begins with a label, or 0. It
// does not allocate.
func numberAfter(text []byte, label string) int64 {
	for more := true; more; {
		var line []byte
		line, text, more = bytes.Cut(text, newline)
		if len(line) > len(label) && string(line[:len(label)]) == label {
			x, _ := digits(line[len(label):])
			return int64(x)
		}
	}
	return 0
}

var newline = []byte("\n")

var pageSize = syscall.Getpagesize()

// cpuClock returns the CPU time of all threads of a process, including ended ones,
// or -1 if the process does not exist.
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
