//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The judge and a launcher are one and the same executable file, so what they
// tell each other over their SOCK_SEQPACKET socket is the memory of these
// structs. What the judge says begins with a kind; what the launcher says is a
// result.

// A kind tells the judge's messages apart.
type kind int64

const (
	kindOrder kind = iota + 1
	kindStop
	kindScene
	kindAccount
)

// An order asks a launcher to run a program. Stdout and stderr come with it as
// descriptors, before them stdin if there is one. Its strings, each ended by a
// zero byte, are the program, the working folder, the arguments and the
// environment; they follow the order, or fill a memfd that comes as the last
// descriptor if they are long.
type order struct {
	Kind                                   kind
	Run                                    int64 // its number, given by the judge
	CPU, Wall, Memory, FileSize, Processes int64
	Written                                int64       // the limit; 0: it is not counted
	HasStdin, Apart                        int64       // 0 or 1
	OpenFiles                              int64       // at once in each process
	FixedAddresses, Locks                  int64       // 0 or 1
	Cores                                  unix.CPUSet // all zero: any
	Arguments, Environment, Bytes          int64
}

// A stop tells the launcher to kill the program of a run. It may come too late.
type stop struct {
	Kind  kind
	Run   int64
	Cause cause
}

// A scene has the box show a view to the programs to come; the view follows it.
// The answer is a result whose Stage and Errno, if not 0, say why it cannot.
type scene struct {
	Kind  kind
	Files int64 // bytes, of each private file system; 0 is the usual
}

// An account brings the descriptors of what the launcher's cgroup counts: CPU
// time, OOM kills, refused births, and those that limit memory. Without the first
// three it brings none.
type account struct{ Kind kind }

// A result is the launcher's answer to an order.
type result struct {
	Run int64

	// If Errno is not 0 nothing was run, or what it left is not all there.
	Stage stage
	Errno int64

	Status              int64 // as from wait(2)
	User, Sys           int64 // ns, of the processes that were reaped
	Seen                int64 // ns of CPU that were seen, if anyone looked
	Counted             int64 // ns of CPU that the cgroup counted for the run; -1 if there is none
	SetUp               int64 // ns of CPU that were used before the program began
	Written             int64 // bytes, if the order has a limit
	Instructions        int64 // in user space; 0 if not counted
	Files               int64 // bytes in private files
	LargeFile           int64 // 1: there is a private file of the size that a file may have
	Unbound             int64 // 1: the limits on memory were lifted
	Touched             int64 // 1: the box is to be made anew, and shows nothing now
	Chores              int64 // mounts that were made in the launcher's life
	Wall, Waited        int64 // ns
	MaxRSS, Peak, Floor int64 // bytes; see (*result).memory
	Cause               cause

	CgroupPeak int64 // bytes; -1 if not known. The judge adds it
}

// A cause is why a launcher killed a program.
type cause int64

const (
	causeNone cause = iota
	causeCPU
	causeWall
	causeMemory
	causeOutput
	causeProcesses
	causeWritten
	causeCancel // the judge lost interest
	causeUndead // something of the program does not die
)

// resources are the limits behind the causes; the last two are none.
var resources = [...]Resource{causeCPU: CPU, causeWall: Wall, causeMemory: Memory, causeOutput: Output, causeProcesses: Processes, causeWritten: Written, causeUndead: ""}

// maxInline is how many bytes of strings travel in the message itself.
const maxInline = 32 << 10

// bytesOf is the memory of x.
func bytesOf[T order | stop | scene | account | result](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
}

// send sends one message, from the judge.
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

// receive takes the answer of a launcher, to the judge.
func (r *result) receive(socket int) error {
	for {
		n, err := unix.Read(socket, bytesOf(r))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n == 0:
			return errors.New("it is gone")
		case n != int(unsafe.Sizeof(*r)):
			return fmt.Errorf("it sent %d bytes, want %d", n, unsafe.Sizeof(*r))
		default:
			return nil
		}
	}
}

// An inbox receives messages in the launcher, without making garbage.
type inbox struct {
	socket int
	text   []byte
	files  []int

	header  unix.Msghdr
	vector  unix.Iovec
	control [64]byte
}

// receive waits for a message and keeps it in text and files. It is false when
// the judge is gone.
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

// take reads the message as an x and returns what follows it.
func take[T order | stop | scene | account](b *inbox, x *T) (rest []byte, ok bool) {
	n := copy(bytesOf(x), b.text)
	return b.text[n:], n == int(unsafe.Sizeof(*x))
}

// kind is that of the message, or 0.
func (b *inbox) kind() (k kind) {
	if len(b.text) >= int(unsafe.Sizeof(k)) {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&k)), unsafe.Sizeof(k)), b.text)
	}
	return k
}

// closeFiles closes the descriptors that came with the message.
func (b *inbox) closeFiles() {
	for _, fd := range b.files {
		syscall.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0)
	}
	b.files = b.files[:0]
}
