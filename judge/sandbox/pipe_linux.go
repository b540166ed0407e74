//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// A pipe carries one of the program's streams to the judge, or to the reader of the
// caller's own pipe.
type pipe struct {
	r, w int // w is -1 once the program has it; r is -1 if the judge does not read the stream
	to   io.Writer
}

// openOutput creates the pipe for a stream to a writer.
func openOutput(to io.Writer) (*pipe, error) {
	f := pipeOf(to)
	if f == nil {
		return openPipe()
	}
	w, err := reopened(f, unix.O_WRONLY)
	if err != nil {
		return nil, fmt.Errorf("stdout: %w", err)
	}
	return &pipe{r: -1, w: w}, nil
}

func openPipe() (*pipe, error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	openToAll(fds[0])
	// A program can reopen its pipe for reading and take data that the judge
	// expects, so reads must not block.
	unix.FcntlInt(uintptr(fds[0]), unix.F_SETFL, unix.O_NONBLOCK)
	return &pipe{r: fds[0], w: fds[1]}, nil
}

// openToAll lets a program of another user reopen a pipe that it has, as /dev/stdin
// or /dev/stdout. The pipe has no name, so other programs cannot open it.
func openToAll(fd int) { unix.Fchmod(fd, 0o666) }

func (p *pipe) close() {
	if p.r >= 0 {
		unix.Close(p.r)
	}
	p.closeW()
}

func (p *pipe) closeW() {
	if p.w >= 0 {
		unix.Close(p.w)
		p.w = -1
	}
}

// pass passes on the data of one read. It returns false at end of file.
func (p *pipe) pass(buffer []byte) bool {
	for {
		n, err := unix.Read(p.r, buffer)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return true
		case err != nil || n <= 0:
			return false
		}
		p.to.Write(buffer[:n])
		return true
	}
}

// drain passes on the data that is in the pipe now.
func (p *pipe) drain(buffer []byte) {
	if p.r < 0 {
		return
	}
	left, err := unix.IoctlGetInt(p.r, unix.TIOCINQ)
	if err != nil {
		return
	}
	for left > 0 {
		part := buffer[:min(left, len(buffer))]
		if !p.pass(part) {
			return
		}
		left -= len(part)
	}
}
