//go:build amd64 || arm64

package syscalls

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// call is struct seccomp_data.
type call struct {
	number, arch uint32
	at           uint64
	args         [6]uint64
}

// noEffect is the answer to a call that succeeds and is not made.
const noEffect = unix.Errno(1 << 16)

// notified is the answer to a call that is allowed when the launcher knows of it.
const notified = unix.Errno(1 << 17)

// answer has a filter say what becomes of a call: 0 if it is allowed, else the
// error that it fails with.
func answer(t *testing.T, program []bpf.Instruction, c call) unix.Errno {
	t.Helper()
	var a uint32
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&c)), unsafe.Sizeof(c))
	for i := 0; i < len(program); i++ {
		skip := func(yes bool, onTrue, onFalse uint8) {
			if yes {
				i += int(onTrue)
			} else {
				i += int(onFalse)
			}
		}
		switch in := program[i].(type) {
		case bpf.LoadAbsolute:
			a = *(*uint32)(unsafe.Pointer(&memory[in.Off]))
		case bpf.ALUOpConstant:
			a &= in.Val
		case bpf.Jump:
			i += int(in.Skip)
		case bpf.JumpIf:
			switch in.Cond {
			case bpf.JumpEqual:
				skip(a == in.Val, in.SkipTrue, in.SkipFalse)
			case bpf.JumpNotEqual:
				skip(a != in.Val, in.SkipTrue, in.SkipFalse)
			case bpf.JumpLessThan:
				skip(a < in.Val, in.SkipTrue, in.SkipFalse)
			case bpf.JumpLessOrEqual:
				skip(a <= in.Val, in.SkipTrue, in.SkipFalse)
			case bpf.JumpBitsNotSet:
				skip(a&in.Val == 0, in.SkipTrue, in.SkipFalse)
			case bpf.JumpGreaterOrEqual:
				skip(a >= in.Val, in.SkipTrue, in.SkipFalse)
			case bpf.JumpGreaterThan:
				skip(a > in.Val, in.SkipTrue, in.SkipFalse)
			case bpf.JumpBitsSet:
				skip(a&in.Val != 0, in.SkipTrue, in.SkipFalse)
			default:
				t.Fatalf("jump %v", in)
			}
		case bpf.RetConstant:
			switch {
			case in.Val == unix.SECCOMP_RET_ALLOW:
				return 0
			case in.Val == unix.SECCOMP_RET_ERRNO:
				return noEffect
			case in.Val == unix.SECCOMP_RET_USER_NOTIF:
				return notified
			case in.Val&^0xffff == unix.SECCOMP_RET_ERRNO:
				return unix.Errno(in.Val & 0xffff)
			}
			t.Fatalf("returns %#x", in.Val)
		default:
			t.Fatalf("instruction %v", in)
		}
	}
	t.Fatal("it has no end")
	return 0
}

// arounds are the places that the sandbox has filters for.
var arounds = map[string]Around{
	"guarded": {}, "user box": {Box: true}, "root box": {Box: true, OwnUser: true, Counted: true},
	"guarded compiler": {Locks: true}, "compiler in a root box": {Box: true, OwnUser: true, Counted: true, Locks: true},
}

// filterFor returns the filter, disassembled.
func filterFor(t *testing.T, around Around) (program []bpf.Instruction) {
	t.Helper()
	filter, err := Filter(around)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range filter {
		program = append(program, bpf.RawInstruction{Op: in.Code, Jt: in.Jt, Jf: in.Jf, K: in.K}.Disassemble())
	}
	return program
}

func of(number uint32, args ...uint64) call {
	c := call{number: number, arch: auditArch}
	copy(c.args[:], args)
	return c
}

// The tree gives each number the answer of the table, and each number that the
// table does not name the answer that it is missing.
func TestFilterFollowsTheTable(t *testing.T) {
	for name, around := range arounds {
		t.Run(name, func(t *testing.T) {
			program := filterFor(t, around)
			t.Logf("%d instructions", len(program))
			want := make(map[uint32][]bpf.Instruction)
			for _, r := range table() {
				for _, number := range r.calls {
					want[number] = r.answer(around)
				}
			}
			for number := range uint32(1000) {
				c, unknown := of(number), answer(t, missing(around), of(0))
				wanted := unknown
				if w, ok := want[number]; ok {
					wanted = answer(t, w, c)
				}
				if got := answer(t, program, c); got != wanted {
					t.Errorf("call %d: %v, want %v", number, got, wanted)
				}
			}
			for _, number := range []uint32{1 << 20, 1<<30 | unix.SYS_READ, 1<<32 - 1} {
				if got := answer(t, program, of(number)); got != unix.ENOSYS {
					t.Errorf("call %d: %v, want %v", number, got, unix.ENOSYS)
				}
			}
			if got := answer(t, program, call{number: unix.SYS_READ, arch: auditArch ^ 1}); got != unix.ENOSYS {
				t.Errorf("a call in the manner of another machine: %v, want %v", got, unix.ENOSYS)
			}
		})
	}
}

func TestFilter(t *testing.T) {
	for name, around := range arounds {
		t.Run(name, func(t *testing.T) {
			program := filterFor(t, around)
			datagram, inBox := unix.Errno(0), unix.Errno(0)
			if !around.Box {
				datagram, inBox = unix.EPROTONOSUPPORT, unix.EPERM
			}
			others, scheduling := unix.Errno(0), unix.Errno(0) // the kernel refuses by itself: it is another's
			if !around.OwnUser {
				others, scheduling = unix.EPERM, noEffect
			}
			counted := unix.EPERM
			if around.Box && around.Counted {
				counted = 0
			}
			lock, holder := noEffect, unix.ENOLCK
			if around.Locks {
				lock, holder = 0, 0
			}
			const fixed = AddrNoRandomize
			for _, test := range []struct {
				fact string
				call call
				want unix.Errno
			}{
				{"reading", of(unix.SYS_READ), 0},
				{"a fork", of(unix.SYS_CLONE, uint64(unix.SIGCHLD)), 0},
				{"a thread", of(unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_THREAD|unix.CLONE_SIGHAND|unix.CLONE_FS), 0},
				{"a process whose flags are hidden", of(unix.SYS_CLONE3), unix.ENOSYS},
				{"a namespace of users", of(unix.SYS_CLONE, unix.CLONE_NEWUSER|uint64(unix.SIGCHLD)), unix.EPERM},
				{"a namespace of mounts", of(unix.SYS_CLONE, unix.CLONE_NEWNS), unix.EPERM},
				{"a namespace of processes", of(unix.SYS_CLONE, unix.CLONE_NEWPID), unix.EPERM},
				{"a namespace of networks", of(unix.SYS_CLONE, unix.CLONE_NEWNET), unix.EPERM},
				{"a namespace of queues", of(unix.SYS_CLONE, unix.CLONE_NEWIPC), unix.EPERM},
				{"a namespace of names", of(unix.SYS_CLONE, unix.CLONE_NEWUTS), unix.EPERM},
				{"a namespace of cgroups", of(unix.SYS_CLONE, unix.CLONE_NEWCGROUP), unix.EPERM},
				{"a socket of its own", of(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM), 0},
				{"a socket to the network", of(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM), unix.EAFNOSUPPORT},
				{"a socket to the new network", of(unix.SYS_SOCKET, unix.AF_INET6, unix.SOCK_STREAM), unix.EAFNOSUPPORT},
				{"a socket to the kernel", of(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_STREAM), unix.EAFNOSUPPORT},
				{"a socket to the wire", of(unix.SYS_SOCKET, unix.AF_PACKET, unix.SOCK_STREAM), unix.EAFNOSUPPORT},
				{"a socket to the host", of(unix.SYS_SOCKET, unix.AF_VSOCK, unix.SOCK_STREAM), unix.EAFNOSUPPORT},
				{"a socket to ciphers", of(unix.SYS_SOCKET, unix.AF_ALG, unix.SOCK_SEQPACKET), unix.EAFNOSUPPORT},
				{"a datagram socket", of(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC), datagram},
				{"a pair of datagram sockets", of(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_DGRAM), datagram},
				{"a pair of sockets", of(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK), 0},
				{"a connection", of(unix.SYS_CONNECT), inBox},
				{"shared memory of System V", of(unix.SYS_SHMGET), counted},
				{"the size of a terminal", of(unix.SYS_IOCTL, 0, unix.TIOCGWINSZ), 0},
				{"bytes to be read", of(unix.SYS_IOCTL, 0, unix.TIOCINQ), 0},
				{"typing into a terminal", of(unix.SYS_IOCTL, 0, unix.TIOCSTI), unix.EPERM},
				{"typing with a longer number", of(unix.SYS_IOCTL, 0, 1<<32|unix.TIOCSTI), unix.EPERM},
				{"pasting into a console", of(unix.SYS_IOCTL, 0, unix.TIOCLINUX), unix.EPERM},
				{"marking a file", of(unix.SYS_IOCTL, 0, unix.FS_IOC_SETFLAGS), unix.ENOTTY},
				{"copying by reference", of(unix.SYS_IOCTL, 0, unix.FICLONE), unix.ENOTTY},
				{"closing on exec", of(unix.SYS_FCNTL, 0, unix.F_SETFD), 0},
				{"a lock on a file", of(unix.SYS_FLOCK), lock},
				{"who has a lock", of(unix.SYS_FCNTL, 0, unix.F_GETLK), holder},
				{"a lock of a process", of(unix.SYS_FCNTL, 0, unix.F_SETLK), lock},
				{"a lock of a process, awaited", of(unix.SYS_FCNTL, 0, unix.F_SETLKW), lock},
				{"who has an open file's lock", of(unix.SYS_FCNTL, 0, unix.F_OFD_GETLK), holder},
				{"a lock of an open file", of(unix.SYS_FCNTL, 0, unix.F_OFD_SETLK), lock},
				{"a lock of an open file, awaited", of(unix.SYS_FCNTL, 0, unix.F_OFD_SETLKW), lock},
				{"the flags of an open file", of(unix.SYS_FCNTL, 0, unix.F_SETFL), 0},
				{"who is signalled", of(unix.SYS_FCNTL, 0, unix.F_SETOWN), 0},
				{"who is signalled, of all kinds", of(unix.SYS_FCNTL, 0, unix.F_SETOWN_EX), 0},
				{"another descriptor", of(unix.SYS_FCNTL, 0, unix.F_DUPFD_CLOEXEC), 0},
				{"a larger pipe", of(unix.SYS_FCNTL, 0, unix.F_SETPIPE_SZ), 0},
				{"seals", of(unix.SYS_FCNTL, 0, unix.F_GET_SEALS), 0},
				{"a lease", of(unix.SYS_FCNTL, 0, unix.F_SETLEASE), unix.EINVAL},
				{"a notification", of(unix.SYS_FCNTL, 0, unix.F_NOTIFY), unix.EINVAL},
				{"a hint", of(unix.SYS_FCNTL, 0, unix.F_SET_RW_HINT), unix.EINVAL},
				{"its name", of(unix.SYS_PRCTL, unix.PR_SET_NAME), 0},
				{"the name of memory", of(unix.SYS_PRCTL, unix.PR_SET_VMA), 0},
				{"counters off", of(unix.SYS_PRCTL, unix.PR_TASK_PERF_EVENTS_DISABLE), unix.EINVAL},
				{"counters on", of(unix.SYS_PRCTL, unix.PR_TASK_PERF_EVENTS_ENABLE), unix.EINVAL},
				{"a core to itself", of(unix.SYS_PRCTL, unix.PR_SCHED_CORE), unix.EINVAL},
				{"a filter", of(unix.SYS_PRCTL, unix.PR_SET_SECCOMP), unix.EINVAL},
				{"the personality", of(unix.SYS_PERSONALITY, 0xffffffff), 0},
				{"fixed addresses", of(unix.SYS_PERSONALITY, fixed), 0},
				{"another personality", of(unix.SYS_PERSONALITY, 0x0400000), unix.EPERM},
				{"its own limits", of(unix.SYS_PRLIMIT64, 0), 0},
				{"another's limits", of(unix.SYS_PRLIMIT64, 1), others},
				{"its own scheduling", of(unix.SYS_SCHED_SETSCHEDULER, 0), 0},
				{"another's scheduling", of(unix.SYS_SCHED_SETSCHEDULER, 1), scheduling},
				{"its own priority", of(unix.SYS_SETPRIORITY, 0, 0), 0},
				{"another's priority", of(unix.SYS_SETPRIORITY, 0, 1), others},
				{"its user's priority", of(unix.SYS_SETPRIORITY, 2, 0), others},
				{"its cores", of(unix.SYS_SCHED_GETAFFINITY), 0},
				{"other cores", of(unix.SYS_SCHED_SETAFFINITY), unix.EPERM},
				{"a splice", of(unix.SYS_SPLICE), unix.EINVAL},
				{"an attribute", of(unix.SYS_FSETXATTR), unix.ENOTSUP},
			} {
				if got := answer(t, program, test.call); got != test.want {
					t.Errorf("%s: %v, want %v", test.fact, got, test.want)
				}
			}
		})
	}
}

// The key permits what a launcher does for a program, and only that. Without it, the
// filter is as if there were no key.
func TestKey(t *testing.T) {
	const key = 0x123456789abcdef1
	around := Around{Box: true, OwnUser: true, Counted: true, Notify: true, Key: key}
	keyed, plain := filterFor(t, around), filterFor(t, Around{Box: true, OwnUser: true, Counted: true})
	setUp := []uint32{unix.SYS_UNSHARE, unix.SYS_SCHED_SETAFFINITY, unix.SYS_PERF_EVENT_OPEN, unix.SYS_LANDLOCK_RESTRICT_SELF,
		unix.SYS_IOCTL}
	for number := range uint32(1000) {
		for _, wrong := range []uint64{0, 1, key &^ 1, key ^ 1<<63, key & (1<<32 - 1), key &^ (1<<32 - 1)} {
			want := answer(t, plain, of(number))
			if creates[number] {
				want = notified
			}
			if got := answer(t, keyed, of(number, 0, 0, 0, 0, 0, wrong)); got != want {
				t.Errorf("call %d with the key %#x: %v, want %v", number, wrong, got, want)
			}
		}
		if got := answer(t, keyed, of(number, 0, 0, 0, 0, 0, key)); slices.Contains(setUp, number) && got != 0 ||
			!slices.Contains(setUp, number) && got != answer(t, keyed, of(number)) {
			t.Errorf("call %d with the key: %v", number, got)
		}
	}
}

// creates are the calls of which a launcher is notified.
var creates = map[uint32]bool{unix.SYS_MQ_OPEN: true, unix.SYS_SHMGET: true, unix.SYS_MSGGET: true, unix.SYS_SEMGET: true}

// Each call of each machine that package unix knows stands in the table once, so
// that a new one fails here by its name until there is a decision.
func TestEachCallHasADecision(t *testing.T) {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "golang.org/x/sys/unix")
	dir, err := list.Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	for _, machine := range []string{"amd64", "arm64"} {
		t.Run(machine, func(t *testing.T) {
			decided := make(map[string]int)
			for _, file := range []string{"table_linux.go", "table_linux_" + machine + ".go"} {
				ast.Inspect(parsed(t, file), func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "SYS_") {
						decided[s.Sel.Name]++
					}
					return true
				})
			}
			known := 0
			ast.Inspect(parsed(t, filepath.Join(strings.TrimSpace(string(dir)), "zsysnum_linux_"+machine+".go")), func(n ast.Node) bool {
				if c, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(c.Names[0].Name, "SYS_") {
					known++
					if name := c.Names[0].Name; decided[name] != 1 {
						t.Errorf("%s is in the table %d times, want once", name, decided[name])
					}
				}
				return true
			})
			if known < 300 || len(decided) != known {
				t.Errorf("%d calls are known and %d decided", known, len(decided))
			}
		})
	}
	for _, r := range table() {
		if len(r.calls) == 0 || !strings.HasSuffix(r.why, ".") {
			t.Errorf("%d calls, reason %q; want some calls and a sentence", len(r.calls), r.why)
		}
	}
}

func parsed(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
