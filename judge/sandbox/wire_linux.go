//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The judge and a launcher run the same executable file, so the messages on their
// SOCK_SEQPACKET socket are the memory of these structs.

// A kind distinguishes the messages of the judge.
type kind int64

const (
	kindOrder kind = iota + 1
	kindStop
	kindShow
	kindAccount
)

// A message is a request from the judge to a launcher.
//
// An order makes the launcher run a program and send a result. It carries the
// descriptors of stdin, if there is one, stdout and stderr. Its text is the
// program, the working folder, the arguments and the environment, each terminated
// by a zero byte. A long text is in a memfd, which is the last descriptor.
//
// A stop makes the launcher kill the program of a run, which may already have
// ended.
//
// A show makes the box show a view to later programs. Its text is the view. The
// answer is a result, whose Step and Errno, if not 0, give the error.
//
// An account carries the descriptors of the counters of the launcher's cgroup: CPU
// time, OOM kills, refused forks, and the memory limits. If one of the first three
// is missing, it carries none.
type message struct {
	Kind   kind
	Run    int64  // of an order or a stop: the number of the run
	Cause  cause  // of a stop
	Limits Limits // of an order; of a show only Files, where 0 means the default

	// Of an order:
	Stdin, Apart           bool        // it has the descriptor of stdin; its text is in a memfd
	FixedAddresses, Locks  bool        // as in the Cmd
	OpenFiles              int64       // per process
	Cores                  unix.CPUSet // all zero: any processor
	Arguments, Environment int64       // numbers of strings
	Bytes                  int64       // length of the text
}

// A result is the launcher's answer to an order or a show, or its first message.
type result struct {
	Run int64

	// If Errno is not 0, the program was not run, or its files were not all copied
	// back.
	Step  step
	Errno syscall.Errno

	Status              unix.WaitStatus
	User, Sys           time.Duration // CPU time of the processes that were reaped
	Seen                time.Duration // CPU time that looks have found; 0 without looks
	Counted             time.Duration // CPU time that the cgroup counted; -1 without a cgroup
	SetUp               time.Duration // CPU time before the program began
	Wall, Waited        time.Duration
	Written             int64 // bytes, if the order has a limit
	Instructions        int64 // in user space; 0 if not counted
	Files               int64 // bytes in private files
	LargeFile           bool  // a private file has reached the limit on file size
	Unbound             bool  // the memory limits were removed
	Touched             bool  // the box was changed, and shows no view now
	Chores              int64 // mounts created since the launcher started
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
var resources = [...]Resource{causeCPU: CPU, causeWall: Wall, causeMemory: Memory, causeOutput: Output,
	causeProcesses: Processes, causeWritten: Written, causeUndead: ""}

// maxInline is the maximum length of the text of a message, in bytes.
const maxInline = 32 << 10

// bytesOf returns the memory of x.
func bytesOf[T message | result](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
}

// send sends a message of the judge.
func send(socket int, m *message, text []byte, files ...int) error {
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	for {
		_, err := unix.SendmsgBuffers(socket, [][]byte{bytesOf(m), text}, rights, nil, unix.MSG_NOSIGNAL)
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
	message
	text  []byte // of the message
	files []int  // descriptors of the message

	header  unix.Msghdr
	vectors [2]unix.Iovec
	control [64]byte
}

// receive waits for a message and stores it. It returns false if the judge has
// exited.
func (b *inbox) receive() bool {
	b.text = b.text[:cap(b.text)]
	for i, part := range [][]byte{bytesOf(&b.message), b.text} {
		b.vectors[i].Base = &part[0]
		b.vectors[i].SetLen(len(part))
	}
	b.header = unix.Msghdr{Iov: &b.vectors[0], Control: &b.control[0]}
	b.header.SetIovlen(len(b.vectors))
	b.header.SetControllen(len(b.control))
	n, e := uintptr(0), unix.EINTR
	for e == unix.EINTR {
		n, _, e = syscall.RawSyscall(unix.SYS_RECVMSG, uintptr(b.socket), uintptr(unsafe.Pointer(&b.header)),
			unix.MSG_CMSG_CLOEXEC)
	}
	if e != 0 || n < unsafe.Sizeof(b.message) {
		return false
	}
	b.text = b.text[:n-unsafe.Sizeof(b.message)]
	b.files = b.files[:0]
	head := (*unix.Cmsghdr)(unsafe.Pointer(&b.control[0]))
	if int(b.header.Controllen) < unix.SizeofCmsghdr || head.Level != unix.SOL_SOCKET || head.Type != unix.SCM_RIGHTS {
		return true
	}
	for at := unix.SizeofCmsghdr; at+4 <= int(head.Len); at += 4 {
		b.files = append(b.files, int(*(*int32)(unsafe.Pointer(&b.control[at]))))
	}
	return true
}

// closeFiles closes the descriptors of the message.
func (b *inbox) closeFiles() {
	for _, fd := range b.files {
		syscall.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0)
	}
	b.files = b.files[:0]
}
