//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The judge and a launcher run the same executable file, so the messages on their
// SOCK_SEQPACKET socket are the memory of these structs. A message of the judge
// begins with a kind. A message of the launcher is a result.

// A kind distinguishes the messages of the judge.
type kind int64

const (
	kindOrder kind = iota + 1
	kindStop
	kindShow
	kindAccount
)

// An order makes a launcher run a program. It carries the descriptors of stdin, if
// there is one, stdout and stderr. Its strings are the program, the working folder,
// the arguments and the environment, each terminated by a zero byte. They follow
// the order, or, if they are long, are in a memfd that is the last descriptor.
type order struct {
	Kind                                   kind
	Run                                    int64 // number of the run
	CPU, Wall, Memory, FileSize, Processes int64
	Written                                int64       // the limit; 0: written bytes are not counted
	HasStdin, Apart                        int64       // 0 or 1
	OpenFiles                              int64       // per process
	FixedAddresses, Locks                  int64       // 0 or 1
	Cores                                  unix.CPUSet // all zero: any processor
	Arguments, Environment, Bytes          int64
}

// A stop makes the launcher kill the program of a run. The run may already have
// ended.
type stop struct {
	Kind  kind
	Run   int64
	Cause cause
}

// A show makes the box show a view to later programs; the view follows the struct.
// The answer is a result. Its Step and Errno, if not 0, give the error.
type show struct {
	Kind  kind
	Files int64 // bytes, of each private file system; 0 means the default
}

// An account carries the descriptors of the counters of the launcher's cgroup: CPU
// time, OOM kills, refused forks, and the memory limits. If one of the first three
// is missing, it carries none.
type account struct{ Kind kind }

// A result is the launcher's answer to an order.
type result struct {
	Run int64

	// If Errno is not 0, the program was not run, or its files were not all copied
	// back.
	Step  step
	Errno int64

	Status              int64 // as of wait(2)
	User, Sys           int64 // ns, of the processes that were reaped
	Seen                int64 // ns of CPU time that looks have found; 0 without looks
	Counted             int64 // ns of CPU time that the cgroup counted; -1 without a cgroup
	SetUp               int64 // ns of CPU time before the program began
	Written             int64 // bytes, if the order has a limit
	Instructions        int64 // in user space; 0 if not counted
	Files               int64 // bytes in private files
	LargeFile           int64 // 1: a private file has reached the limit on file size
	Unbound             int64 // 1: the memory limits were removed
	Touched             int64 // 1: the box was changed, and shows no view now
	Chores              int64 // mounts created since the launcher started
	Wall, Waited        int64 // ns
	MaxRSS, Peak, Floor int64 // bytes; see (*result).memory
	Cause               cause

	CgroupPeak int64 // bytes; -1 if unknown; set by the judge
}

// A cause is the reason for which a launcher killed a program.
type cause int64

const (
	causeNone cause = iota
	causeCPU
	causeWall
	causeMemory
	causeOutput
	causeProcesses
	causeWritten
	causeCancel // the context of the run ended
	causeUndead // a process of the program does not die
)

// resources maps causes to limits; causes that are no limit map to "".
var resources = [...]Resource{causeCPU: CPU, causeWall: Wall, causeMemory: Memory, causeOutput: Output, causeProcesses: Processes, causeWritten: Written, causeUndead: ""}

// maxInline is the maximum number of bytes of strings in a message.
const maxInline = 32 << 10

// bit returns 1 for true.
func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// bytesOf returns the memory of x.
func bytesOf[T order | stop | show | account | result](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
}

// send sends one message of the judge.
func send(socket int, message []byte, files ...int) error {
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	for {
		err := unix.Sendmsg(socket, message, rights, nil, unix.MSG_NOSIGNAL)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// receive reads the answer of a launcher.
func (r *result) receive(socket int) error {
	for {
		n, err := unix.Read(socket, bytesOf(r))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n == 0:
			return errors.New("it has exited")
		case n != int(unsafe.Sizeof(*r)):
			return fmt.Errorf("it sent %d bytes, expected %d", n, unsafe.Sizeof(*r))
		default:
			return nil
		}
	}
}

// An inbox receives messages in the launcher, without allocating.
type inbox struct {
	socket int
	text   []byte
	files  []int

	header  unix.Msghdr
	vector  unix.Iovec
	control [64]byte
}

// receive waits for a message and stores it in text and files. It returns false if
// the judge has exited.
func (b *inbox) receive() bool {
	b.text = b.text[:cap(b.text)]
	b.vector.Base = &b.text[0]
	b.vector.SetLen(len(b.text))
	b.header = unix.Msghdr{Iov: &b.vector, Control: &b.control[0]}
	b.header.SetIovlen(1)
	b.header.SetControllen(len(b.control))
	for {
		n, _, e := syscall.RawSyscall(unix.SYS_RECVMSG, uintptr(b.socket), uintptr(unsafe.Pointer(&b.header)), unix.MSG_CMSG_CLOEXEC)
		if e == unix.EINTR {
			continue
		}
		if e != 0 || n == 0 {
			return false
		}
		b.text = b.text[:n]
		break
	}
	b.files = b.files[:0]
	if int(b.header.Controllen) < unix.SizeofCmsghdr {
		return true
	}
	head := (*unix.Cmsghdr)(unsafe.Pointer(&b.control[0]))
	if head.Level != unix.SOL_SOCKET || head.Type != unix.SCM_RIGHTS {
		return true
	}
	for at := unix.SizeofCmsghdr; at+4 <= int(head.Len); at += 4 {
		b.files = append(b.files, int(*(*int32)(unsafe.Pointer(&b.control[at]))))
	}
	return true
}

// take copies the message to x and returns the bytes that follow it.
func take[T order | stop | show | account](b *inbox, x *T) (rest []byte, ok bool) {
	n := copy(bytesOf(x), b.text)
	return b.text[n:], n == int(unsafe.Sizeof(*x))
}

// kind returns the kind of the message, or 0.
func (b *inbox) kind() (k kind) {
	if len(b.text) >= int(unsafe.Sizeof(k)) {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&k)), unsafe.Sizeof(k)), b.text)
	}
	return k
}

// closeFiles closes the descriptors of the message.
func (b *inbox) closeFiles() {
	for _, fd := range b.files {
		syscall.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0)
	}
	b.files = b.files[:0]
}
