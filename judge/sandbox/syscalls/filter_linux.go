//go:build amd64 || arm64

package syscalls

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Around describes the other protection of the program that a filter is for.
type Around struct {
	Box     bool // the program has its own namespaces
	OwnUser bool // its user has no other processes
	Counted bool // a cgroup counts its memory
	Locks   bool // the program may lock files
	// A secret that a launcher passes as the sixth argument of the calls that it makes for a
	// program before it executes it; 0: the launcher loads the filter after these calls.
	Key uint64
	// The launcher must be notified before an object is created that belongs to the IPC
	// namespace, and then continues the call.
	Notify bool
}

// Filter returns the seccomp program that implements the table. The error is for a
// table that cannot be compiled.
func Filter(around Around) ([]unix.SockFilter, error) {
	unknown := missing(around)
	stretches := []stretch{{answer: unknown}}
	answers := make(map[uint32][]bpf.Instruction)
	for _, r := range table() {
		answer := r.answer(around)
		for _, number := range r.calls {
			answers[number] = answer
		}
	}
	next := uint32(0)
	add := func(from uint32, answer []bpf.Instruction) {
		switch last := &stretches[len(stretches)-1]; {
		case slices.Equal(last.answer, answer):
		case last.from == from:
			last.answer = answer
		default:
			stretches = append(stretches, stretch{from: from, answer: answer})
		}
	}
	for _, number := range slices.Sorted(maps.Keys(answers)) {
		if number != next {
			add(next, unknown)
		}
		add(number, answers[number])
		next = number + 1
	}
	add(next, unknown) // also the x32 calls, whose numbers are huge

	tree, err := search(stretches)
	if err != nil {
		return nil, err
	}
	program := append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: atArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		fail(unix.ENOSYS), // a call of another architecture
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
	return filter, nil
}

// Offsets in struct seccomp_data. On these machines, the lower half of an argument
// comes first. The filter checks only the lower half of each argument but the key, and so
// does the kernel for the arguments that are checked here.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

var allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}

// succeed makes the call return 0 without an effect.
var succeed = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO}

func fail(e unix.Errno) bpf.RetConstant {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(e)}
}

// arg returns an answer that depends on the n-th argument. The checks either end in
// a failure or fall through to allow.
func arg(n uint32, checks ...bpf.Instruction) []bpf.Instruction {
	return slices.Concat([]bpf.Instruction{loadArg(n)}, checks, []bpf.Instruction{allow})
}

func loadArg(n uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: atArgs + 8*n, Size: 4} }

// oneOf continues if the loaded value is in the list, and fails with e otherwise.
func oneOf(e unix.Errno, list ...uint32) []bpf.Instruction {
	var checks []bpf.Instruction
	for i, value := range list {
		checks = append(checks, bpf.JumpIf{Cond: bpf.JumpEqual, Val: value, SkipTrue: uint8(len(list) - i)})
	}
	return append(checks, fail(e))
}

// The answers of the table.

// An answerFunc returns the instructions that answer a call.
type answerFunc func(Around) []bpf.Instruction

var (
	allowed     = always(allow)
	refused     = always(fail(unix.EPERM))
	missing     = always(fail(unix.ENOSYS))
	unfit       = always(fail(unix.EINVAL))
	unsupported = always(fail(unix.ENOTSUP))

	inBox       = allowedIf(func(around Around) bool { return around.Box })
	withOwnUser = allowedIf(func(around Around) bool { return around.OwnUser })
	ifCounted   = allowedIf(func(around Around) bool { return around.Counted && around.Box })
)

func always(in bpf.Instruction) answerFunc {
	return func(Around) []bpf.Instruction { return []bpf.Instruction{in} }
}

// allowedIf returns an answer that allows the call under a condition, and otherwise
// refuses it.
func allowedIf(condition func(Around) bool) answerFunc {
	return func(around Around) []bpf.Instruction {
		if condition(around) {
			return allowed(around)
		}
		return refused(around)
	}
}

// ofItself returns an answer that allows a call whose target is the caller. The
// arguments up to last name the target; 0 in each means the caller. A call with another
// target fails with the error; 0 means that it succeeds and does nothing.
func ofItself(last uint32, other unix.Errno) answerFunc {
	return func(around Around) []bpf.Instruction {
		if around.OwnUser {
			return allowed(around)
		}
		var checks []bpf.Instruction
		for n := range last + 1 {
			checks = slices.Concat(checks, []bpf.Instruction{loadArg(n)}, oneOf(other, 0))
		}
		return append(checks, allow)
	}
}

// keyed returns an answer that allows the calls of a launcher with its key, and gives
// all other calls another answer. The kernel ignores the sixth argument of these calls.
func keyed(other answerFunc) answerFunc {
	return func(around Around) []bpf.Instruction {
		if around.Key == 0 {
			return other(around)
		}
		const last = 5
		return append([]bpf.Instruction{
			loadArg(last),
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(around.Key), SkipTrue: 3},
			bpf.LoadAbsolute{Off: atArgs + 8*last + 4, Size: 4},
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(around.Key >> 32), SkipTrue: 1},
			allow,
		}, other(around)...)
	}
}

// creating returns an answer that also notifies the launcher of a call which it allows.
func creating(other answerFunc) answerFunc {
	return func(around Around) []bpf.Instruction {
		answer := other(around)
		if around.Notify && slices.Equal(answer, allowed(around)) {
			return []bpf.Instruction{bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF}}
		}
		return answer
	}
}

func sockets(around Around) []bpf.Instruction {
	family := arg(0, oneOf(unix.EAFNOSUPPORT, unix.AF_UNIX)...)
	if around.Box {
		return family
	}
	return slices.Concat([]bpf.Instruction{
		loadArg(1),
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xf}, // SOCK_TYPE_MASK in include/linux/net.h
	}, oneOf(unix.EPROTONOSUPPORT, unix.SOCK_STREAM, unix.SOCK_SEQPACKET), family)
}

func clone(Around) []bpf.Instruction {
	const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID |
		unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP
	return arg(0, bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: namespaces, SkipTrue: 1}, fail(unix.EPERM))
}

// AddrNoRandomize is the personality of fixed addresses, ADDR_NO_RANDOMIZE of
// include/uapi/linux/personality.h.
const AddrNoRandomize = 0x0040000

func personalities(Around) []bpf.Instruction {
	const ask = 0xffffffff
	return arg(0, oneOf(unix.EPERM, 0, ask, AddrNoRandomize)...)
}

func fileLocks(around Around) []bpf.Instruction {
	if around.Locks {
		return allowed(around)
	}
	return []bpf.Instruction{succeed}
}

func fileRequests(around Around) []bpf.Instruction {
	var locks []bpf.Instruction
	if !around.Locks {
		locks = []bpf.Instruction{
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_GETLK, SkipTrue: 6},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_OFD_GETLK, SkipTrue: 5},
			bpf.JumpIf{Cond: bpf.JumpLessThan, Val: unix.F_SETLK, SkipTrue: 5},
			bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: unix.F_SETLKW, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpLessThan, Val: unix.F_OFD_SETLK, SkipTrue: 3},
			bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: unix.F_OFD_SETLKW, SkipTrue: 2},
			succeed,
			fail(unix.ENOLCK),
		}
	}
	return arg(1, append(locks,
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: unix.F_SETLEASE, SkipTrue: 3}, // the requests of POSIX
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: unix.F_DUPFD_CLOEXEC, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: unix.F_GET_SEALS, SkipTrue: 1}, // larger numbers are hints
		fail(unix.EINVAL))...)
}

// Requests of include/uapi/asm-generic/ioctls.h that package unix does not have.
const (
	nonBlocking    = 0x5421 // FIONBIO
	asynchronous   = 0x5452 // FIOASYNC
	closeOnExec    = 0x5451 // FIOCLEX
	notCloseOnExec = 0x5450 // FIONCLEX
)

func driverRequests(Around) []bpf.Instruction {
	return arg(1, append([]bpf.Instruction{
		// They insert input into the terminal that the judge was started from.
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.TIOCLINUX, SkipTrue: 1},
		fail(unix.EPERM),
	}, oneOf(unix.ENOTTY,
		unix.TCGETS, unix.TCGETS2, unix.TIOCGWINSZ, unix.TIOCGPGRP, // is it a terminal?
		unix.TIOCINQ, nonBlocking, asynchronous, closeOnExec, notCloseOnExec,
	)...)...)
}

func processRequests(Around) []bpf.Instruction {
	return arg(0, oneOf(unix.EINVAL, append([]uint32{
		unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA, unix.PR_GET_AUXV,
		unix.PR_SET_PDEATHSIG, unix.PR_GET_PDEATHSIG, unix.PR_SET_CHILD_SUBREAPER, unix.PR_GET_CHILD_SUBREAPER,
		unix.PR_SET_DUMPABLE, unix.PR_GET_DUMPABLE, unix.PR_SET_TIMERSLACK, unix.PR_GET_TIMERSLACK,
		unix.PR_SET_THP_DISABLE, unix.PR_GET_THP_DISABLE,
		unix.PR_SET_NO_NEW_PRIVS, unix.PR_GET_NO_NEW_PRIVS, unix.PR_GET_SECCOMP,
	}, machinesRequests...)...)...)
}

// A stretch is a range of call numbers, up to the next stretch, with one answer,
// except for a few single calls in it.
type stretch struct {
	from    uint32
	answer  []bpf.Instruction
	singles []stretch
}

// mostSingles is the maximum number of single calls in a stretch. With 3, the path
// to an answer is no longer than with another level of the tree, and each single
// call saves a comparison.
const mostSingles = 3

// gather merges single calls into the stretch around them.
func gather(s []stretch) (gathered []stretch) {
	for i := 0; i < len(s); i++ {
		gathered = append(gathered, s[i])
		around := &gathered[len(gathered)-1]
		for len(around.singles) < mostSingles && i+2 < len(s) && s[i+2].from-s[i+1].from == 1 &&
			slices.Equal(s[i+2].answer, around.answer) {
			around.singles = append(around.singles, s[i+1])
			i += 2
		}
	}
	return gathered
}

// search returns the instructions that find the answer for a number. Each
// comparison jumps to another comparison or to an answer. Each answer occurs once,
// at the end, because short filters load faster.
func search(s []stretch) ([]bpf.Instruction, error) {
	s = gather(s)
	tree := halve(s, s[len(s)-1].from+1)
	var program, answers []bpf.Instruction
	type place struct {
		answer []bpf.Instruction
		at     int // in the program
	}
	var places []place
	var tooFar error
	for here, c := range tree {
		skip := func(b branch) uint8 {
			n := b.skip
			if b.answer != nil {
				i := slices.IndexFunc(places, func(p place) bool { return slices.Equal(p.answer, b.answer) })
				if i < 0 {
					i = len(places)
					places = append(places, place{b.answer, len(tree) + len(answers)})
					answers = append(answers, b.answer...)
				}
				n = places[i].at - here - 1
			}
			if n > 255 {
				tooFar = fmt.Errorf("the system call filter is too long: expected jumps of at most 255 instructions, found %d", n)
			}
			return uint8(n)
		}
		program = append(program, bpf.JumpIf{Cond: c.test, Val: c.value, SkipTrue: skip(c.yes), SkipFalse: skip(c.no)})
	}
	return append(program, answers...), tooFar
}

type comparison struct {
	test    bpf.JumpTest
	value   uint32
	yes, no branch
}

// A branch leads to an answer, or skips comparisons if answer is nil.
type branch struct {
	answer []bpf.Instruction
	skip   int
}

// halve returns the comparisons that find the answer for a number below end. It
// splits the range of numbers in halves, not the list of stretches, because the
// kernel evaluates the filter once for each number.
func halve(s []stretch, end uint32) (tree []comparison) {
	if len(s) == 1 {
		for i, single := range s[0].singles {
			next := branch{}
			if i == len(s[0].singles)-1 {
				next = branch{answer: s[0].answer}
			}
			tree = append(tree, comparison{bpf.JumpEqual, single.from, branch{answer: single.answer}, next})
		}
		return tree
	}
	half := 1
	for half < len(s)-1 && s[half].from-s[0].from < end-s[half+1].from {
		half++
	}
	lower, upper := halve(s[:half], s[half].from), halve(s[half:], end)
	below, above := branch{}, branch{skip: len(lower)}
	if len(lower) == 0 {
		below = branch{answer: s[0].answer}
	}
	if len(upper) == 0 {
		above = branch{answer: s[half].answer}
	}
	return slices.Concat([]comparison{{bpf.JumpGreaterOrEqual, s[half].from, above, below}}, lower, upper)
}
