//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// serve executes an order: it runs one program from start to end and sends the
// result.
func (l *server) serve(o message) {
	r := result{Run: o.Run}
	l.watch.tree.many = l.away
	if errno := l.pin(o.Cores); errno != 0 {
		r.Step, r.Errno = stepCores, errno
	} else if l.fillPlan(&o) {
		l.box.own()
		l.watch.account.begin()
		if !l.watch.account.on && l.watch.tree.ownPeak() > l.lowest+1<<20 {
			// Handling the order has loaded much of the executable file, by chance.
			relaxedly(l.slim)
		}
		now := time.Now()
		pid, errno := l.spawn()
		l.counter.begun()
		if r.Step, r.Errno = l.plan.step, errno; errno == 0 {
			l.inbox.closeFiles()
			if !l.watch.account.on {
				// The program's peak started at this process's, which grew until the fork.
				l.floor = max(l.floor, l.watch.tree.ownPeak())
			}
			l.watch.begin(o.Limits, now, time.Duration(l.plan.setUp.Nano()))
			l.follow(pid, &r)
		} else {
			l.counter.ended()
		}
	} else {
		r.Errno = unix.EBADMSG
	}
	l.answer(&r)
	if !l.watch.account.on && l.watch.tree.ownPeak() > l.lowest {
		relaxedly(l.slim)
	}
	if l.level.Full() && (l.ipc.used || l.ipc.listener == 0 || l.away) {
		l.renewIPC()
	}
	if r.Touched {
		l.tidy()
	}
}

// pin moves this thread to the processors of a program, which inherits them: to move a
// process that has started takes longer. No processors means all.
func (l *server) pin(cores unix.CPUSet) (e syscall.Errno) {
	if cores == (unix.CPUSet{}) {
		cores = l.all
	}
	pinned := &l.pinned
	if l.away {
		pinned = &l.pinnedAway
	}
	if *pinned == cores {
		return 0
	}
	*pinned = cores
	_, _, e = syscall.RawSyscall6(unix.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(cores), uintptr(unsafe.Pointer(pinned)), 0,
		0, l.plan.key)
	if e != 0 {
		*pinned = unix.CPUSet{}
	}
	return e
}

// renewIPC enters a new IPC namespace, which the next program inherits, so that nothing
// that a program left in its namespace reaches the next one. To create it takes longer
// than most other steps of a run, so it is done while the judge handles the answer, and
// only if a program may have created something. If that fails, no program may run here any
// more.
func (l *server) renewIPC() {
	l.ipc.used = false
	l.renew(unix.CLONE_NEWIPC)
}

// renew enters a new namespace of a kind with this thread, or exits.
func (l *server) renew(kind uintptr) {
	if _, _, e := syscall.RawSyscall6(unix.SYS_UNSHARE, kind, 0, 0, 0, 0, l.plan.key); e != 0 {
		relaxedly(func() { fmt.Fprintf(os.Stderr, "enter a new namespace (%#x): %v\n", kind, e) })
		quit(1)
	}
}

// fillPlan converts an order to a plan. It returns false if the order is malformed.
func (l *server) fillPlan(o *message) bool {
	files, text := l.inbox.files, l.inbox.text
	if o.Apart {
		if len(files) == 0 {
			return false
		}
		if cap(l.strings) < int(o.Bytes) {
			l.strings = make([]byte, o.Bytes)
		}
		text = l.strings[:o.Bytes]
		if n, err := unix.Pread(files[len(files)-1], text, 0); err != nil || n != len(text) {
			return false
		}
		files = files[:len(files)-1]
	}
	streams := [3]int{l.null}
	given := streams[1:]
	if o.Stdin {
		given = streams[:]
	}
	if copy(given, files) != len(given) || len(files) != len(given) || len(text) != int(o.Bytes) {
		return false
	}
	next := func() *byte {
		first := &text[0]
		text = text[bytes.IndexByte(text, 0)+1:]
		return first
	}
	p := &l.plan
	program, dir := next(), next()
	l.pointers = l.pointers[:0]
	for range o.Arguments {
		l.pointers = append(l.pointers, next())
	}
	l.pointers = append(l.pointers, nil)
	for range o.Environment {
		l.pointers = append(l.pointers, next())
	}
	l.pointers = append(l.pointers, nil)
	p.program, p.argv, p.envv = program, &l.pointers[0], &l.pointers[o.Arguments+1]
	l.planCalls(o, dir, streams)
	return true
}

// planCalls lists the system calls that start the program of an order.
func (l *server) planCalls(o *message, dir *byte, streams [3]int) {
	p := &l.plan
	p.calls = p.calls[:0]
	if l.level.Full() {
		// Of the handlers, only that of SIGCHLD is left: see resetSignals. The Go
		// runtime would reset all signals with a call for each.
		p.call(stepSession, unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), uintptr(unsafe.Pointer(&noSignals)), 0,
			signalSetBytes)
		p.call(stepSession, unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&noSignals)), 0, signalSetBytes)
	}
	p.call(stepSession, unix.SYS_SETSID)
	p.fixed = o.FixedAddresses
	p.call(stepFolder, unix.SYS_CHDIR, uintptr(unsafe.Pointer(dir)))
	// All other descriptors are closed on exec. These are above 2.
	for i, fd := range streams {
		p.call(stepFiles, unix.SYS_DUP3, uintptr(fd), uintptr(i))
	}
	l.planLimits(o)
	if uid := uintptr(l.box.uid); uid != 0 {
		p.call(stepUser, unix.SYS_SETRESGID, uid, uid, uid)
		p.call(stepUser, unix.SYS_SETRESUID, uid, uid, uid)
	}
	if l.level < Guarded {
		return
	}
	p.call(stepUser, unix.SYS_CAPSET, uintptr(unsafe.Pointer(&noCapabilities.header)),
		uintptr(unsafe.Pointer(&noCapabilities.data)))
	if l.ruleset >= 0 {
		p.call(stepRules, unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(l.ruleset), 0)
	}
	if o.Locks {
		p.call(stepRules, unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(l.locking)))
	}
}

// noSignals is an empty set of signals, and the default action (struct
// kernel_sigaction of zeros).
var noSignals [4]uintptr

// signalSetBytes is the size of a set of signals.
const signalSetBytes = 8

// planLimits sets the resource limits, which the kernel enforces for each process.
func (l *server) planLimits(o *message) {
	n := 0
	set := func(resource int, cur, max uint64) {
		l.limits[n] = unix.Rlimit{Cur: cur, Max: max}
		l.plan.call(stepLimit, unix.SYS_PRLIMIT64, 0, uintptr(resource), uintptr(unsafe.Pointer(&l.limits[n])), 0)
		n++
	}
	if o.Limits.Memory > 0 {
		// The memory limit bounds the stack, too.
		set(unix.RLIMIT_STACK, l.stack.Cur, l.stack.Max)
	}
	if size := uint64(o.Limits.FileSize); size > 0 {
		set(unix.RLIMIT_FSIZE, size, size)
	}
	if most := uint64(o.Limits.Processes); most > 0 {
		// In a box, the user has no processes outside it, except that the user of a
		// user box may also run the judge. Without a box, RLIMIT_NPROC counts all
		// processes of the user on the machine, so it does not limit the program
		// exactly. It only stops the growth of the program while it is being
		// killed. It has no effect on root.
		if l.level.Full() {
			set(unix.RLIMIT_NPROC, min(most+spareThreads, l.processes.Max), l.processes.Max)
		} else if _, threads := l.watch.tree.loadavg(); threads > 0 {
			set(unix.RLIMIT_NPROC, min(uint64(threads)+most+spareProcesses, l.processes.Max), l.processes.Max)
		}
	}
	files := min(uint64(o.OpenFiles), l.openFiles.Max)
	set(unix.RLIMIT_NOFILE, files, files)
	// Programs may not raise priorities, even if the judge's user may.
	set(unix.RLIMIT_RTPRIO, 0, 0)
	set(unix.RLIMIT_NICE, 0, 0)
	if o.Limits.CPU > 0 {
		// This limit ends the program if the watch cannot run.
		seconds := uint64(o.Limits.CPU/time.Second) + 2
		set(unix.RLIMIT_CPU, seconds, seconds)
	}
}

// spareProcesses is the room for other processes that the user may start during a
// run, mainly programs of other launchers.
const spareProcesses = 2048

// spawn starts the program. It retries while the program's file is still open for
// writing: a process that the judge is just starting may keep it open for a moment.
func (l *server) spawn() (int, unix.Errno) {
	for pause := time.Millisecond; ; pause *= 2 {
		pid, errno := spawn(&l.plan)
		if errno != unix.ETXTBSY || pause > time.Second {
			return pid, errno
		}
		wait(nil, pause)
	}
}

// follow waits until the program has ended, and kills it if it exceeds a limit.
func (l *server) follow(pid int, r *result) {
	w := &l.watch
	if w.limits.Written > 0 {
		w.tree.begin(pid, l.plan.written())
	}
	ready := [3]unix.PollFd{{Fd: l.plan.pidfd, Events: unix.POLLIN}, {Fd: int32(l.inbox.socket), Events: unix.POLLIN},
		{Fd: l.ipc.listener, Events: unix.POLLIN}}
	polled := ready[:]
	if l.ipc.listener == 0 || l.away {
		polled = ready[:2]
	}
	for r.Cause == causeNone {
		wait(polled, w.sleep(time.Now()))
		now := time.Now()
		if ready[0].Revents != 0 {
			break
		}
		if ready[1].Revents != 0 && l.stopRequested(r.Run, &r.Cause) {
			break
		}
		if ready[2].Revents != 0 {
			l.ipc.notified(l.plan.key)
		}
		if r.Cause = w.due(now); r.Cause != causeNone {
			break
		}
		l.reapOrphans(pid)
	}
	elapsed := time.Since(w.begun)
	r.Wall = elapsed
	if w.limits.Wall > 0 && elapsed > worthAsking {
		w.delays.find(&w.tree, pid) // an ended process has these files until it is waited for
		if w.account.on {
			w.seen = max(w.seen, w.account.used()-w.setUp)
		} else {
			w.sum(w.tree.look())
		}
		w.addDelays(w.begun.Add(elapsed))
	}
	r.Waited = w.waited
	if r.Cause == causeNone && !w.account.on && w.limits.Processes > 0 {
		// The kernel may have refused a fork, and the program may have given up
		// before the first look. Its other processes still exist and can be
		// counted, and the ended one counts, too.
		r.Cause = w.countThreads()
	}
	if w.limits.Written > 0 {
		// Ended processes can still be inspected until they are waited for.
		w.count(w.tree.look())
		w.tree.end()
	}
	r.Written = w.written
	l.end(pid, r)
	unix.Close(int(l.plan.pidfd))
	r.User, r.Sys, r.MaxRSS = w.reaped.user, w.reaped.sys, w.reaped.maxRSS
	r.Seen, r.Peak, r.Floor = w.seen, w.peak, l.floor
	r.Instructions = l.counter.ended()
	r.Counted, r.SetUp = w.account.used(), w.setUp
	if l.level.Full() {
		l.inspectBox(r)
	}
}

// inspectBox adds to a result what the run has left in the box, and copies the
// folders of Cmd.Writes back.
func (l *server) inspectBox(r *result) {
	limits := l.watch.limits
	r.Files, r.Chores = l.box.used(), int64(l.box.chores)
	if l.box.touched() {
		r.Touched = true
		r.Unbound = limits.Memory > 0 && l.watch.account.unbind()
	}
	if len(l.box.kept) > 0 {
		l.unrestricted(func() {
			over, err := l.box.keep()
			if over {
				r.Files = max(r.Files, l.box.size+1)
			}
			if err != nil {
				r.Step, r.Errno = stepKeep, errnoOf(err)
			}
		})
	}
	r.LargeFile = limits.FileSize > 0 && r.Status.Signal() == unix.SIGXFSZ && l.box.hasFileOf(limits.FileSize)
}

// stopRequested handles a message that arrives during a run and reports whether the run
// must stop. The judge either requests a stop or has exited.
func (l *server) stopRequested(run int64, c *cause) bool {
	if !l.inbox.receive() {
		// The judge has exited. Exit only when no descendant is left.
		l.killAll()
		quit(0)
	}
	l.inbox.closeFiles()
	if l.inbox.Kind != kindStop || l.inbox.Run != run {
		return false
	}
	*c = l.inbox.Cause
	return true
}

// end kills all processes of a run that are left, and adds up what they used.
func (l *server) end(pid int, r *result) {
	switch {
	case !l.level.Full():
		// The program was not waited for yet, so its process id cannot be reused.
		unix.Kill(-pid, unix.SIGKILL)
	case r.Cause != causeNone:
		unix.Kill(-1, unix.SIGKILL)
	default:
		// The program has ended. If it left other processes, killAll kills them.
	}
	_, r.Status = l.reap(pid, 0)
	// In most runs the program has no children, and one call of reap is enough.
	left, _ := l.reap(-1, unix.WNOHANG)
	if left != noChild && !l.killAll() {
		r.Cause = causeUndead
	}
}

// killAll kills all descendants and waits for them. It returns false if one does
// not die in time.
//
// Without a box this is a race, because descendants may fork meanwhile, each into
// its own session: the launcher must find and kill them faster than they fork.
// Finding and killing one takes about 8 µs, a fork takes at least 35 µs. Reaping
// takes as long as finding, so the launcher reaps only when it finds no more. It
// also has priority over the descendants where permitted (see urgent). A pids
// cgroup keeps the race short.
//
// In a box there is no race: process 1 kills all others with one call, and the
// kernel permits no fork during that call.
func (l *server) killAll() bool {
	deadline := time.Now().Add(timeToDie)
	if l.level.Full() {
		unix.Kill(-1, unix.SIGKILL)
		for {
			pid, _ := l.reap(-1, unix.WNOHANG)
			switch {
			case pid == noChild:
				return true
			case pid == 0 && time.Now().After(deadline):
				return false
			case pid == 0:
				wait(nil, 100*time.Microsecond)
			}
		}
	}
	for {
		// If no process was created between two sweeps, all have been killed.
		urgent()
		for born := -1; ; {
			last := l.watch.tree.lastPID()
			if last == born || time.Now().After(deadline) {
				break
			}
			born = last
			l.watch.tree.sweep()
		}
		prefer()
		pid := 1
		for pid > 0 {
			pid, _ = l.reap(-1, unix.WNOHANG)
		}
		if pid == noChild {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
		wait(nil, 200*time.Microsecond)
	}
}

// timeToDie is the time to wait for a killed process that is blocked in the kernel,
// for example by a disk.
const timeToDie = 10 * time.Second

// reapOrphans reaps ended processes that the launcher has inherited, so that they
// do not fill the process table while the program runs.
func (l *server) reapOrphans(program int) {
	if l.watch.account.on {
		// With a cgroup there are no looks, so ask the kernel for ended children.
		for {
			id := l.orphan(program)
			if id <= 0 {
				return
			}
			l.reap(id, unix.WNOHANG)
		}
	}
	for i := range l.watch.last {
		if p := &l.watch.last[i]; p.state == 'Z' && p.parent == l.watch.tree.root && p.pid != program {
			l.reap(p.pid, unix.WNOHANG)
		}
	}
}

// orphan returns the process id of an ended child other than the program, or 0. The
// program is the first child, and the kernel checks it first: once it has ended,
// other children need not be reaped.
func (l *server) orphan(program int) int {
	var info [128]byte // siginfo_t: signal, errno, code, padding, pid
	_, _, e := syscall.RawSyscall6(unix.SYS_WAITID, unix.P_ALL, 0, uintptr(unsafe.Pointer(&info)), unix.WEXITED|
		unix.WNOHANG|unix.WNOWAIT|unix.WALL, 0, 0)
	pid := int(*(*int32)(unsafe.Pointer(&info[16])))
	if e != 0 || pid == program {
		return 0
	}
	return pid
}

// noChild is the result of reap if there is no child.
const noChild = -1

// reap waits for a child and adds the usage of the child and of its own reaped
// children. It returns the child's process id, 0 if none has ended, or noChild.
func (l *server) reap(pid int, options uintptr) (int, unix.WaitStatus) {
	var status int32
	var used unix.Rusage
	for {
		id, _, e := unix.RawSyscall6(unix.SYS_WAIT4, uintptr(pid), uintptr(unsafe.Pointer(&status)), options|unix.WALL,
			uintptr(unsafe.Pointer(&used)), 0, 0)
		switch {
		case e == unix.EINTR:
			continue
		case e != 0:
			return noChild, 0
		case id != 0:
			u := &l.watch.reaped
			u.user += time.Duration(used.Utime.Nano())
			u.sys += time.Duration(used.Stime.Nano())
			u.maxRSS = max(u.maxRSS, used.Maxrss<<10)
		}
		return int(id), unix.WaitStatus(status)
	}
}
