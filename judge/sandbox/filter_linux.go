//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A filter is a seccomp program: the kernel asks it about each system call.
//
// It names what no submission needs and lets the rest pass, since what a runtime
// needs changes with its next version, but it knows all names: a call that is
// newer than this list is one that the kernel does not have. Refused calls fail,
// they do not kill: runtimes try, and do without.
//
// Most answers depend on the number alone, and the kernel remembers those, so
// that an allowed call costs nothing more. For this it asks about every number
// there is when the filter is loaded, which is done for every run: so the filter
// is a tree and not a list, in which the answer would be a hundred steps away
// (measured: 300 µs a run for a list of 100 comparisons).

// refused fail with EPERM: they change the machine, look into others, or make
// worlds in which more is allowed.
var refused = append([]uint32{
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_MOUNT_SETATTR, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
	unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_REBOOT, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_MEMFD_SECRET,
	// A folder that all may write to would carry them from run to run.
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	unix.SYS_FILE_SETATTR, unix.SYS_OPEN_TREE_ATTR,
}, refusedHere...)

// absent fail with ENOSYS, upon which libraries take the older way: clone3
// hides its flags in memory, where a filter cannot see them.
var absent = []uint32{unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

// addrNoRandomize is ADDR_NO_RANDOMIZE of include/uapi/linux/personality.h.
const addrNoRandomize = 0x0040000

// newest is the last call that the lists were made with.
const newest = 471 // rseq_slice_yield

// newWorlds are the flags of clone that make namespaces.
const newWorlds = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP

// Where struct seccomp_data has what; the lower half of an argument comes first
// on these machines.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

func refuse(errno unix.Errno) bpf.RetConstant {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// newFilter assembles the filter for a rung. Without a box, a program is kept
// from other processes and from sockets by it alone. And unless it has a user of
// its own, it would be allowed to slow down the launcher.
func newFilter(rung Rung) (*unix.SockFprog, error) {
	itself := []bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 1}, refuse(unix.EPERM)}
	const ask, fixed = 0xffffffff, addrNoRandomize
	answers := map[uint32][]bpf.Instruction{
		unix.SYS_CLONE: arg(0,
			bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: newWorlds, SkipTrue: 1}, refuse(unix.EPERM)),
		unix.SYS_SOCKET: arg(0,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 1}, refuse(unix.EAFNOSUPPORT)),
		unix.SYS_SOCKETPAIR: arg(0,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 1}, refuse(unix.EAFNOSUPPORT)),
		unix.SYS_IOCTL: arg(1,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.TIOCLINUX, SkipTrue: 1}, refuse(unix.EPERM)),
		unix.SYS_PERSONALITY: arg(0,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 3},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: ask, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: fixed, SkipTrue: 1}, refuse(unix.EPERM)),
	}
	list := refused
	if !rung.Full() {
		list = append(slices.Clone(list), unix.SYS_CONNECT, unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN)
		// A datagram goes to any socket of the machine that has a name, without a
		// connection.
		answers[unix.SYS_SOCKET] = slices.Concat([]bpf.Instruction{
			bpf.LoadAbsolute{Off: atArgs + 8, Size: 4},
			bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xf}, // SOCK_TYPE_MASK in include/linux/net.h
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_SEQPACKET, SkipTrue: 1},
			refuse(unix.EPROTONOSUPPORT),
		}, answers[unix.SYS_SOCKET])
		answers[unix.SYS_SOCKETPAIR] = answers[unix.SYS_SOCKET]
	}
	if rung != RootBox {
		for _, number := range []uint32{
			unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
		} {
			answers[number] = arg(0, itself...)
		}
		// Of a process (0), not of a group or user; and of itself (0).
		answers[unix.SYS_SETPRIORITY] = slices.Concat([]bpf.Instruction{bpf.LoadAbsolute{Off: atArgs + 8, Size: 4}}, itself, arg(0, itself...))
		answers[unix.SYS_IOPRIO_SET] = []bpf.Instruction{refuse(unix.EPERM)}
	}
	for _, number := range list {
		answers[number] = []bpf.Instruction{refuse(unix.EPERM)}
	}
	for _, number := range absent {
		answers[number] = []bpf.Instruction{refuse(unix.ENOSYS)}
	}
	// Stretches of numbers that have the same answer, each up to the next.
	stretches := []stretch{{0, []bpf.Instruction{allow}}}
	for number := uint32(0); number <= newest; number++ {
		answer, special := answers[number]
		if !special {
			answer = []bpf.Instruction{allow}
		}
		if last := stretches[len(stretches)-1]; !slices.Equal(last.answer, answer) {
			stretches = append(stretches, stretch{number, answer})
		}
	}
	// Also those of the x32 kind, whose numbers are huge.
	stretches = append(stretches, stretch{newest + 1, []bpf.Instruction{refuse(unix.ENOSYS)}})

	tree, err := search(stretches)
	if err != nil {
		return nil, err
	}
	program := append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: atArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		refuse(unix.ENOSYS), // a call in the manner of another machine
		bpf.LoadAbsolute{Off: atNumber, Size: 4},
	}, tree...)
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, fmt.Errorf("assemble the filter of system calls: %w", err)
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, in := range raw {
		filter[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	return &unix.SockFprog{Len: uint16(len(filter)), Filter: unsafe.SliceData(filter)}, nil
}

var allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}

// arg is an answer that depends on an argument: the checks end in a refusal, or
// fall through to be allowed.
func arg(n uint32, checks ...bpf.Instruction) []bpf.Instruction {
	return slices.Concat([]bpf.Instruction{bpf.LoadAbsolute{Off: atArgs + 8*n, Size: 4}}, checks, []bpf.Instruction{allow})
}

// A stretch of calls, up to the next, has one answer.
type stretch struct {
	from   uint32
	answer []bpf.Instruction
}

// search finds the stretch that a number is in by halving. Each comparison jumps
// to another or to an answer; the answers come last, each once, since the shorter
// a filter is the sooner it is loaded.
func search(s []stretch) ([]bpf.Instruction, error) {
	comparisons := len(s) - 1
	var answers []bpf.Instruction
	begins := make([]int, len(s)) // of the answers, as places in the program
	for i := range s {
		at := slices.IndexFunc(s[:i], func(t stretch) bool { return slices.Equal(t.answer, s[i].answer) })
		if at >= 0 {
			begins[i] = begins[at]
			continue
		}
		begins[i] = comparisons + len(answers)
		answers = append(answers, s[i].answer...)
	}
	program := make([]bpf.Instruction, 0, comparisons+len(answers))
	// A subtree of n stretches has n-1 comparisons, the one at its root first, then
	// those of its lower half.
	var tooFar error
	var halve func(first, n int)
	halve = func(first, n int) {
		if n == 1 {
			return
		}
		here, half := len(program), n/2
		skip := func(part, n, comparisonsBefore int) uint8 {
			to := here + 1 + comparisonsBefore
			if n == 1 {
				to = begins[part]
			}
			if to-here-1 > 255 {
				tooFar = fmt.Errorf("the filter of system calls is too long: a jump by %d, want 255 at most", to-here-1)
			}
			return uint8(to - here - 1)
		}
		program = append(program, bpf.JumpIf{
			Cond: bpf.JumpGreaterOrEqual, Val: s[first+half].from,
			SkipTrue: skip(first+half, n-half, half-1), SkipFalse: skip(first, half, 0),
		})
		halve(first, half)
		halve(first+half, n-half)
	}
	halve(0, len(s))
	return append(program, answers...), tooFar
}
