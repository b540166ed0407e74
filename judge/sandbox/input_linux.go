//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An input is the standard input of a program.
//
// A process with a descriptor of a file can reopen the file for writing through
// /proc/self/fd, if the file's mode permits. So a program never gets the judge's
// file. It gets a copy in memory that is sealed against writing, where it can seek
// and which it can map, or a pipe if the input is large or its length is unknown.
type input struct {
	fd   int // the program's end; -1 if none
	from io.Reader
	feed *os.File // the judge's end of a pipe; nil if there is nothing to write

	ended   atomic.Bool
	feeding sync.WaitGroup
	err     error // error of reading from; valid after feeding
}

// maxCopy is the maximum size, in bytes, of input that is copied before the program
// starts.
const maxCopy = 64 << 20

// openInput creates the program's end of the data of r.
func openInput(r io.Reader) (*input, error) {
	in := &input{fd: -1, from: r}
	size := int64(maxCopy + 1)
	switch r := r.(type) {
	case nil:
		return in, nil
	case *os.File:
		info, err := r.Stat()
		switch {
		case err != nil:
			return nil, fmt.Errorf("stdin: %w", err)
		case info.Mode()&os.ModeNamedPipe != 0:
			if in.fd, err = reopened(r, unix.O_RDONLY); err != nil {
				return nil, fmt.Errorf("stdin: %w", err)
			}
			return in, nil
		case info.Mode().IsRegular():
			size = info.Size()
		}
	case interface{ Len() int }: // readers of packages bytes and strings
		size = int64(r.Len())
	}
	if size <= maxCopy {
		data := make([]byte, size)
		n, err := io.ReadFull(r, data)
		if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			in.fd, err = sealed(data[:n])
		}
		if err != nil {
			return nil, fmt.Errorf("stdin: %w", err)
		}
		return in, nil
	}
	fds := make([]int, 2)
	if err := unix.Pipe2(fds, unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	openToAll(fds[0])
	// The judge's end does not block, so that closing it ends a write.
	unix.SetNonblock(fds[1], true)
	in.fd, in.feed = fds[0], os.NewFile(uintptr(fds[1]), "stdin of the program")
	return in, nil
}

// sealed returns a read-only file in memory that no process can change.
func sealed(data []byte) (int, error) {
	fd, err := unix.MemfdCreate("stdin", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate("stdin", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return -1, err
	}
	defer unix.Close(fd)
	for len(data) > 0 {
		n, err := unix.Write(fd, data)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return -1, err
		}
		data = data[max(n, 0):]
	}
	const all = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, all); err != nil {
		return -1, err
	}
	// Reopen it: the kernel refuses shared mappings of a sealed file that is open
	// for writing. The new descriptor also starts at offset 0.
	return unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_RDONLY|unix.O_CLOEXEC, 0)
}

// reopened returns a new descriptor of the same pipe. The descriptor blocks, even
// if the judge's does not.
func reopened(f *os.File, mode int) (int, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd := -1
	if controlErr := raw.Control(func(number uintptr) {
		// Opening a named pipe would block until its other end is open.
		fd, err = unix.Open(fmt.Sprintf("/proc/self/fd/%d", number), mode|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	}); controlErr != nil {
		err = controlErr
	}
	if err == nil {
		err = unix.SetNonblock(fd, false)
	}
	// Do not change the mode of a named pipe.
	var fs unix.Statfs_t
	if err == nil && unix.Fstatfs(fd, &fs) == nil && fs.Type == unix.PIPEFS_MAGIC {
		openToAll(fd)
	}
	if err != nil && fd >= 0 {
		unix.Close(fd)
	}
	if err != nil {
		return -1, err
	}
	return fd, nil
}

// handedOver closes the judge's copy of the program's end and starts to write the
// input.
func (in *input) handedOver() {
	in.closeFD()
	if in.feed == nil {
		return
	}
	in.feeding.Go(func() {
		defer in.feed.Close()
		from := &errorReader{r: in.from}
		_, err := io.Copy(in.feed, from)
		// EPIPE is no error: the program may end or close its input before it has
		// read everything.
		if from.err != nil && !in.ended.Load() && !errors.Is(err, syscall.EPIPE) {
			in.err = fmt.Errorf("stdin: %w", from.err)
		}
	})
}

func (in *input) closeFD() {
	if in.fd >= 0 {
		unix.Close(in.fd)
		in.fd = -1
	}
}

// errorReader records the error of its reader.
type errorReader struct {
	r   io.Reader
	err error
}

func (w *errorReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// finish stops writing the input and returns the error of the reader.
func (in *input) finish() error {
	in.closeFD()
	if in.feed == nil {
		return nil
	}
	in.ended.Store(true)
	in.feed.Close()
	switch r := in.from.(type) {
	case *io.PipeReader:
		r.Close()
	case interface{ SetReadDeadline(time.Time) error }:
		if r.SetReadDeadline(time.Unix(1, 0)) == nil {
			defer r.SetReadDeadline(time.Time{})
		}
	}
	in.feeding.Wait()
	return in.err
}
