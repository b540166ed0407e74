//go:build amd64 || arm64

package sandbox

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// launcherVariable is in the environment of a launcher, and holds the number of
// the descriptor by which it is told what to do.
const launcherVariable = "CRUCIBLE_SANDBOX_LAUNCHER"

// A program that imports this package becomes a launcher when it is started by
// a Sandbox. This must come before the program's own beginning, whatever
// program that is, and package initialization is the only such place.
func init() {
	socket, err := strconv.Atoi(os.Getenv(launcherVariable))
	if err != nil || socket < 3 {
		return
	}
	keepThread()
	prefer()
	l := &server{inbox: inbox{socket: socket, text: make([]byte, maxInline+4096), files: make([]int, 0, 4)}}
	if errno := l.prepare(); errno != 0 {
		l.answer(&result{Stage: stageClone, Errno: int64(errno)})
		quit(1)
	}
	l.answer(&result{})
	for {
		waitIdle(socket)
		if !l.inbox.receive() {
			quit(0)
		}
		var o order
		if strings, ok := take(&l.inbox, &o); ok {
			l.serve(&o, strings)
		}
		// Anything else is a stop for a run that has ended.
		l.inbox.closeFiles()
	}
}

// quit ends the launcher at once: at its exit nothing is to be printed,
// flushed or counted as if it were the program that it is a copy of.
func quit(status int) {
	for {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, uintptr(status), 0, 0)
	}
}

// A server is a launcher at its work.
type server struct {
	inbox inbox
	null  int // /dev/null
	plan  plan
	watch watch

	strings   []byte  // of the order, when they came apart
	pointers  []*byte // arguments, nil, environment, nil
	stack     unix.Rlimit
	processes unix.Rlimit
	floor     int64 // bytes, the peak of this process
}

// prepare makes this process fit to launch programs, once.
func (l *server) prepare() syscall.Errno {
	l.plan.parent = os.Getpid()
	l.watch.tree.root = l.plan.parent
	l.watch.tree.cursor = -1
	l.watch.tree.all = !l.watch.tree.children(l.plan.parent, l.plan.parent)
	l.watch.cores = runtime.NumCPU()
	// Whatever its descendants leave behind comes to it, to be killed and counted.
	if _, _, e := syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0); e != 0 {
		return e
	}
	// Who started the judge may have left files open that are not marked to be
	// closed on exec. Neither we nor the programs want them.
	socket := uintptr(l.inbox.socket)
	if _, _, e := syscall.RawSyscall(unix.SYS_CLOSE_RANGE, socket+1, ^uintptr(0)>>32, 0); e != 0 {
		l.watch.tree.list(copy(l.watch.tree.path[:], "/proc/self/fd"), func(fd int) {
			if fd > l.inbox.socket {
				unix.CloseOnExec(fd)
			}
		})
	}
	unix.CloseOnExec(l.inbox.socket)
	var err error
	if l.null, err = unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return err.(syscall.Errno)
	}
	unix.Umask(0o022)
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	// The Go runtime raised the soft limit for itself.
	if files := (unix.Rlimit{}); unix.Getrlimit(unix.RLIMIT_NOFILE, &files) == nil {
		files.Cur = min(1024, files.Max)
		unix.Setrlimit(unix.RLIMIT_NOFILE, &files)
	}
	if unix.Getrlimit(unix.RLIMIT_STACK, &l.stack) == nil {
		l.stack.Cur = l.stack.Max
	}
	unix.Getrlimit(unix.RLIMIT_NPROC, &l.processes)
	// Signals that were ignored would be ignored by the programs, too.
	for sig := 1; sig <= 64; sig++ {
		var action [4]uintptr // struct kernel_sigaction; the handler comes first
		const setBytes = 8
		if _, _, e := syscall.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), 0, uintptr(unsafe.Pointer(&action)), setBytes, 0, 0); e == 0 && action[0] == ignored {
			action = [4]uintptr{}
			syscall.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, setBytes, 0, 0)
		}
	}
	// When the machine runs out of memory, a program goes first.
	if fd, err := unix.Open("/proc/self/oom_score_adj", unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
		unix.Write(fd, []byte("500"))
		unix.Close(fd)
	}
	l.watch.auditor.start()
	shed(&l.watch.tree)
	l.floor = l.watch.tree.ownPeak()
	return 0
}

// ignored is SIG_IGN.
const ignored = 1

// answer tells the judge what became of an order. If it is gone there is
// nobody to tell, and the next receive will find out.
func (l *server) answer(r *result) {
	message := bytesOf(r)
	for {
		_, _, e := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(l.inbox.socket), uintptr(unsafe.Pointer(&message[0])), uintptr(len(message)), unix.MSG_NOSIGNAL, 0, 0)
		if e != unix.EINTR {
			return
		}
	}
}
