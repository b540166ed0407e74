//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// launcherVariable is the environment variable that makes a process a launcher. Its
// value is the descriptor of the socket, the level, and the user id of programs (0
// means the launcher's).
const launcherVariable = "CRUCIBLE_SANDBOX_LAUNCHER"

// A program that imports this package becomes a launcher if a Sandbox starts it.
// This must happen before any other code of the program runs, and only package
// initialization makes that possible.
func init() {
	var socket, uid int
	var level Level
	if n, err := fmt.Sscan(os.Getenv(launcherVariable), &socket, &level, &uid); n != 3 || err != nil || socket < 3 {
		return
	}
	keepThread()
	prefer()
	l := &server{inbox: inbox{socket: socket, text: make([]byte, maxInline), files: make([]int, 0, 4)}, level: level}
	l.box.uid = uid
	if err := l.prepare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		l.answer(&result{Step: stepShow, Errno: errnoOf(err)})
		quit(1)
	}
	procPin()
	l.answer(&result{})
	for {
		waitIdle(socket)
		if !l.inbox.receive() {
			quit(0)
		}
		l.handle()
		l.inbox.closeFiles()
	}
}

// handle executes a message of the judge.
func (l *server) handle() {
	switch l.inbox.Kind {
	case kindOrder:
		o := l.inbox.message
		if l.level >= Guarded && o.Locks {
			l.unrestricted(func() { l.serveLocking(o) })
			return
		}
		if errno := l.confine(); errno != 0 {
			l.answer(&result{Run: o.Run, Step: stepRules, Errno: errno})
			return
		}
		l.serve(o)
	case kindShow:
		l.unrestricted(func() { l.show(parseView(string(l.inbox.text)), l.inbox.Limits.Files) })
	case kindAccount:
		if l.watch.account.take(l.inbox.files) {
			l.inbox.files = l.inbox.files[:0]
		}
		if l.level.Full() {
			// Programs see the launcher's new cgroup as the root.
			l.renew(unix.CLONE_NEWCGROUP)
			l.unrestricted(func() { l.renew(unix.CLONE_NEWCGROUP) })
		}
	}
	// Any other message is a stop for a run that has ended.
}

// show makes programs see a view, and answers.
func (l *server) show(v view, files int64) {
	var err error
	if l.level.Full() {
		err = l.box.show(v, files)
	} else {
		l.box.view = v
		l.box.chores += 10 // creating the rules leaves as much garbage as 10 mounts
	}
	if err == nil {
		err = l.restrict()
	}
	if !l.watch.account.on {
		l.slim()
	}
	r := result{Step: stepShow, Chores: int64(l.box.chores)}
	if l.level.Full() {
		r.Files = l.box.used()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		r.Errno = errnoOf(err)
	}
	l.answer(&r)
}

// restrict creates the Landlock ruleset of the view.
func (l *server) restrict() error {
	if l.landlock == 0 {
		return nil
	}
	if l.ruleset >= 0 {
		unix.Close(l.ruleset)
	}
	var err error
	l.ruleset, err = ruleset(l.landlock, l.box.view.grants(l.level.Full()))
	return err
}

// tidy prepares a changed box for the next run. If that fails, no program may run
// in the box any more, so the launcher exits, and the judge starts another one.
func (l *server) tidy() {
	l.unrestricted(func() {
		if err := l.box.tidy(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			quit(1)
		}
	})
}

// quit exits at once, without the exit handlers of the program that this process is
// a copy of: they could print, flush or write coverage data.
func quit(status int) {
	for {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, uintptr(status), 0, 0)
	}
}

// A server is the state of a launcher process.
type server struct {
	level    Level
	inbox    inbox
	ipc      ipc
	null     int // /dev/null
	plan     plan
	watch    watch
	box      box
	counter  counter
	landlock int // the version in use; 0 if none
	ruleset  int // descriptor of the Landlock ruleset of the view; -1 if none

	strings   []byte  // of the order, if they came in a memfd
	pointers  []*byte // arguments, nil, environment, nil
	stack     unix.Rlimit
	processes unix.Rlimit
	openFiles unix.Rlimit
	confined  bool            // the main thread has the filter of programs that may not lock files
	locking   *unix.SockFprog // the filter of programs that may; nil before the first one
	calls     chan func()     // see unrestricted; nil on the level Process
	called    chan struct{}   // a call has been made
	away      bool            // a call is being made
	floor     int64           // bytes, the peak memory of this process when it last forked
	lowest    int64           // bytes, the smallest floor after slim
	limits    [7]unix.Rlimit  // of the current run
	all       unix.CPUSet     // the processors that this process may use
	// The processors of the two threads that run programs; see unrestricted.
	pinned, pinnedAway unix.CPUSet
}

// prepare initializes the process as a launcher.
func (l *server) prepare() error {
	unix.Umask(0o022)
	l.plan.parent = os.Getpid()
	l.watch.tree.root = l.plan.parent
	l.watch.tree.cursor = -1
	l.watch.cores = runtime.NumCPU()
	unix.SchedGetaffinity(0, &l.all)
	l.pinned, l.pinnedAway = l.all, l.all
	l.ruleset = -1
	// The judge may have inherited files that are not closed on exec. Programs should not
	// have them. They stay open here: some are of Go's runtime, if a package that was
	// initialized before this one has opened a file.
	socket := uintptr(l.inbox.socket)
	if _, _, e := syscall.RawSyscall(unix.SYS_CLOSE_RANGE, socket+1, ^uintptr(0)>>32, unix.CLOSE_RANGE_CLOEXEC); e != 0 {
		l.watch.tree.list([]byte("/proc/self/fd"), func(fd int) {
			if fd > l.inbox.socket {
				unix.CloseOnExec(fd)
			}
		})
	}
	unix.CloseOnExec(l.inbox.socket)
	if l.level >= Guarded {
		if err := l.guard(); err != nil {
			return err
		}
	}
	l.watch.tree.all = !l.watch.tree.children(l.plan.parent, l.plan.parent)
	// Orphaned descendants become children of the launcher, which kills and counts
	// them.
	if _, _, e := syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0); e != 0 {
		return fmt.Errorf("become the reaper of descendants: %w", e)
	}
	var err error
	if l.null, err = unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return fmt.Errorf("/dev/null: %w", err)
	}
	// Prevent core dumps. A limit of 0 does not prevent dumps to a program of the
	// machine, but 1 does, and 1 is smaller than any core: see fs/coredump.c in
	// Linux.
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1})
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l.openFiles) != nil {
		l.openFiles.Max = usualOpenFiles
	}
	if unix.Getrlimit(unix.RLIMIT_STACK, &l.stack) == nil {
		l.stack.Cur = l.stack.Max
	}
	unix.Getrlimit(unix.RLIMIT_NPROC, &l.processes)
	l.resetSignals()
	l.exempt()
	if l.counter.prepare(unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS); l.counter.on {
		l.plan.counter = &l.counter
	}
	l.watch.auditor.start()
	if l.level >= Guarded {
		if err := l.startUnrestricted(); err != nil {
			return err
		}
		debug.FreeOSMemory() // building a box needs more memory than running programs in it
	}
	l.slim()
	return nil
}

// guard builds the box, if the level has one, and drops the rights that neither the
// launcher nor its programs need.
func (l *server) guard() error {
	if l.landlock = landlockVersion(); l.landlock == 0 && l.level == Guarded {
		return fmt.Errorf("the kernel has no Landlock: %w", unix.ENOSYS)
	}
	if l.level.Full() {
		if err := l.box.build(); err != nil {
			return err
		}
		l.watch.tree.proc, l.watch.auditor.tree.proc = l.box.proc, l.box.proc
		// A program dies with process 1, so it needs no parent death signal.
		l.plan.parent = 0
		unix.Sethostname([]byte("judge"))
		unix.Setdomainname([]byte("(none)"))
	}
	if err := l.dropRights(); err != nil {
		return err
	}
	return l.restrict()
}

// dropRights drops the rights of this thread that its programs do not need.
func (l *server) dropRights() error {
	if l.box.uid != 0 {
		if err := unix.Setgroups(nil); err != nil {
			return fmt.Errorf("drop all groups: %w", err)
		}
	}
	for capability := 0; capability <= 63; capability++ {
		if unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(capability), 0, 0, 0) != nil {
			break
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	return nil
}

// To load a filter takes longer than most other steps of a run, so the main thread
// loads that of submissions once, before their first run, and its children inherit it.
// A second thread without a filter does what the filter refuses: it builds the box, and
// runs the programs that may lock files, which have another filter.

// startUnrestricted starts the second thread. Go creates it from a thread that was there
// before the box, so it must enter the box and drop rights for itself.
func (l *server) startUnrestricted() error {
	var key [8]byte
	if _, err := unix.Getrandom(key[:], 0); err != nil {
		return fmt.Errorf("a key: %w", err)
	}
	l.plan.key = uintptr(binary.NativeEndian.Uint64(key[:])) | 1 // not 0
	l.calls, l.called = make(chan func()), make(chan struct{})
	ready := make(chan error)
	go func() {
		keepThread()
		prefer()
		var err error
		if l.level.Full() {
			err = errors.Join(unix.Unshare(unix.CLONE_FS|unix.CLONE_NEWIPC), l.box.goIn())
		}
		ready <- errors.Join(err, l.dropRights())
		for f := range l.calls {
			f()
			l.called <- struct{}{}
		}
	}()
	return <-ready
}

// unrestricted runs f on the thread without a filter, with the scheduler enabled.
func (l *server) unrestricted(f func()) {
	relaxedly(func() {
		if l.away {
			f() // this is that thread
			return
		}
		l.away = true
		l.calls <- f
		<-l.called
		l.away = false
	})
}

// serveLocking executes an order of a program that may lock files.
func (l *server) serveLocking(o message) {
	if l.locking == nil {
		var err error
		around := l.around()
		around.Locks = true
		if l.locking, err = newFilter(around); err != nil {
			l.answer(&result{Run: o.Run, Step: stepRules, Errno: errnoOf(err)})
			return
		}
	}
	procPin()
	l.serve(o)
	procUnpin()
}

// confine loads the filter on the main thread. Its errors are those of seccomp(2).
func (l *server) confine() (errno syscall.Errno) {
	if l.confined || l.level < Guarded {
		return 0
	}
	relaxedly(func() {
		// Kernels before 5.19 do not know the second flag.
		const notify = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
		for _, flags := range []uintptr{notify, 0} {
			around := l.around()
			around.Key, around.Notify = uint64(l.plan.key), flags != 0
			filter, err := newFilter(around)
			if err != nil {
				errno = errnoOf(err)
				return
			}
			var fd uintptr
			fd, _, errno = syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags,
				uintptr(unsafe.Pointer(filter)))
			if errno == 0 {
				l.confined, l.ipc.listener = true, int32(fd)
				return
			}
		}
	})
	return errno
}

// resetSignals restores the default action of ignored signals, because programs
// would inherit it. In a box it also removes the handlers of the Go runtime: the
// kernel then drops every signal that a program in the box sends to process 1. The
// handler of SIGCHLD stays: it ends the launcher's wait when an orphan has ended,
// which counts as a process until it is reaped.
func (l *server) resetSignals() {
	const ignored = 1 // SIG_IGN
	for sig := 1; sig <= 64; sig++ {
		var action [4]uintptr // struct kernel_sigaction; the handler comes first
		_, _, e := syscall.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), 0, uintptr(unsafe.Pointer(&action)),
			signalSetBytes, 0, 0)
		if e == 0 && (action[0] == ignored || l.level.Full() && action[0] != 0 && sig != int(unix.SIGCHLD)) {
			action = [4]uintptr{}
			syscall.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, signalSetBytes, 0, 0)
		}
	}
}

// exempt exempts this process from OOM kills if permitted, because all memory of the
// cgroup counts as the program's, including its pipes and files. It also makes each
// program the first candidate.
func (l *server) exempt() {
	t := &l.watch.tree
	if fd, err := t.openSelf("oom_score_adj"); err == nil {
		unix.Write(fd, []byte("-1000"))
		unix.Close(fd)
		if l.plan.proc, l.plan.score = unix.AT_FDCWD, &scoreFile[0]; t.proc != 0 {
			l.plan.proc, l.plan.score = t.proc, &scoreFile[len("/proc/")]
		}
	}
}

// answer sends a result to the judge. If the judge has exited, the next receive
// detects it.
func (l *server) answer(r *result) {
	message := bytesOf(r)
	for {
		_, _, e := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(l.inbox.socket), uintptr(unsafe.Pointer(&message[0])),
			uintptr(len(message)), unix.MSG_NOSIGNAL, 0, 0)
		if e != unix.EINTR {
			return
		}
	}
}
