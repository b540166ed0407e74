//go:build amd64 || arm64

package sandbox

import (
	"fmt"
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

func TestFilter(t *testing.T) {
	for _, rung := range []Rung{Guarded, UserBox, RootBox} {
		t.Run(rung.String(), func(t *testing.T) {
			raw, err := newFilter(rung)
			if err != nil {
				t.Fatal(err)
			}
			var program []bpf.Instruction
			for _, in := range unsafe.Slice(raw.Filter, raw.Len) {
				program = append(program, bpf.RawInstruction{Op: in.Code, Jt: in.Jt, Jf: in.Jf, K: in.K}.Disassemble())
			}
			check := func(what string, c call, want unix.Errno) {
				t.Helper()
				if got := answer(t, program, c); got != want {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
			of := func(number uint32, args ...uint64) call {
				c := call{number: number, arch: auditArch}
				copy(c.args[:], args)
				return c
			}
			// The whole table, number by number.
			want := make(map[uint32]unix.Errno)
			for _, number := range refused {
				want[number] = unix.EPERM
			}
			for _, number := range absent {
				want[number] = unix.ENOSYS
			}
			if rung == Guarded {
				for _, number := range []uint32{unix.SYS_CONNECT, unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN} {
					want[number] = unix.EPERM
				}
			}
			if rung != RootBox {
				want[unix.SYS_IOPRIO_SET] = unix.EPERM
			}
			want[unix.SYS_SOCKET], want[unix.SYS_SOCKETPAIR] = unix.EAFNOSUPPORT, unix.EAFNOSUPPORT // of family 0
			datagram := unix.Errno(0)
			if rung == Guarded {
				want[unix.SYS_SOCKET], want[unix.SYS_SOCKETPAIR] = unix.EPROTONOSUPPORT, unix.EPROTONOSUPPORT // and of type 0
				datagram = unix.EPROTONOSUPPORT
			}
			for number := uint32(0); number <= newest; number++ {
				check(fmt.Sprint("call ", number), of(number), want[number])
			}
			for _, number := range []uint32{newest + 1, 1 << 20, 1<<30 | unix.SYS_READ, 1<<32 - 1} {
				check(fmt.Sprint("call ", number), of(number), unix.ENOSYS)
			}
			check("of another machine", call{number: unix.SYS_READ, arch: auditArch ^ 1}, unix.ENOSYS)

			check("fork", of(unix.SYS_CLONE, uint64(unix.SIGCHLD)), 0)
			check("a thread", of(unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_THREAD|unix.CLONE_SIGHAND|unix.CLONE_FS), 0)
			for _, world := range []uint64{unix.CLONE_NEWUSER, unix.CLONE_NEWNS, unix.CLONE_NEWPID, unix.CLONE_NEWNET, unix.CLONE_NEWIPC, unix.CLONE_NEWUTS, unix.CLONE_NEWCGROUP} {
				check("a namespace", of(unix.SYS_CLONE, world|uint64(unix.SIGCHLD)), unix.EPERM)
			}
			check("a socket of its own", of(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM), 0)
			for _, family := range []uint64{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK, unix.AF_PACKET, unix.AF_VSOCK, unix.AF_ALG} {
				check("a socket to elsewhere", of(unix.SYS_SOCKET, family, unix.SOCK_STREAM), unix.EAFNOSUPPORT)
			}
			check("a datagram socket", of(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC), datagram)
			check("a pair of datagram sockets", of(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_DGRAM), datagram)
			check("a pair of sockets", of(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK), 0)
			check("the size of a terminal", of(unix.SYS_IOCTL, 0, unix.TIOCGWINSZ), 0)
			check("typing into a terminal", of(unix.SYS_IOCTL, 0, unix.TIOCSTI), unix.EPERM)
			check("pasting into a console", of(unix.SYS_IOCTL, 0, unix.TIOCLINUX), unix.EPERM)
			check("asking for the personality", of(unix.SYS_PERSONALITY, 0xffffffff), 0)
			check("fixed addresses", of(unix.SYS_PERSONALITY, addrNoRandomize), 0)
			check("another personality", of(unix.SYS_PERSONALITY, 0x0400000), unix.EPERM)

			others := unix.Errno(0) // the kernel refuses by itself: it is another's
			if rung != RootBox {
				others = unix.EPERM
			}
			check("its own limits", of(unix.SYS_PRLIMIT64, 0), 0)
			check("another's limits", of(unix.SYS_PRLIMIT64, 1), others)
			check("another's cores", of(unix.SYS_SCHED_SETAFFINITY, 1), others)
			check("its own priority", of(unix.SYS_SETPRIORITY, 0, 0), 0)
			check("another's priority", of(unix.SYS_SETPRIORITY, 0, 1), others)
			check("its user's priority", of(unix.SYS_SETPRIORITY, 2, 0), others)
		})
	}
}
