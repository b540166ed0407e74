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

// An input is what a program reads.
//
// Whoever holds a file by a descriptor can open it anew for writing, by
// /proc/self/fd, if its rights allow: so a program never gets the judge's file.
// It gets a copy in memory, sealed against writing, in which it can seek and
// which it can map; or a pipe, where the end is unknown or far.
type input struct {
	fd   int // the program's end; -1 for none
	from io.Reader
	feed *os.File // the judge's end of a pipe that must be fed

	ended   atomic.Bool
	feeding sync.WaitGroup
	err     error // of reading from; valid after feeding
}

// maxCopy is the size in bytes up to which input is copied before the program
// starts.
const maxCopy = 64 << 20

// openInput makes the program's end of what is read from r.
func openInput(r io.Reader) (*input, error) {
	in := &input{fd: -1, from: r}
	var err error
	switch r := r.(type) {
	case nil:
		return in, nil
	case *os.File:
		if pipeOf(r) != nil {
			if in.fd, err = reopened(r, unix.O_RDONLY); err != nil {
				err = fmt.Errorf("stdin: %w", err)
			}
			return in, err
		}
		info, statErr := r.Stat()
		if statErr != nil {
			return nil, fmt.Errorf("stdin: %w", statErr)
		}
		if info.Mode().IsRegular() && info.Size() <= maxCopy {
			in.fd, err = copied(r, info.Size())
			return in, err
		}
	case interface{ Len() int }: // of package bytes and strings
		if r.Len() <= maxCopy {
			in.fd, err = copied(in.from, int64(r.Len()))
			return in, err
		}
	}
	fds := make([]int, 2)
	if err := unix.Pipe2(fds, unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	openToAll(fds[0])
	// Without blocking on our side, so that closing it ends a write.
	unix.SetNonblock(fds[1], true)
	in.fd, in.feed = fds[0], os.NewFile(uintptr(fds[1]), "stdin of the program")
	return in, nil
}

// copied returns a sealed copy of what r has.
func copied(r io.Reader, size int64) (int, error) {
	data := make([]byte, size)
	n, err := io.ReadFull(r, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return -1, fmt.Errorf("stdin: %w", err)
	}
	fd, err := sealed(data[:n])
	if err != nil {
		return -1, fmt.Errorf("stdin: %w", err)
	}
	return fd, nil
}

// sealed returns a file in memory that nobody can change.
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
	// For reading only, because a shared mapping of a sealed file that is open
	// for writing is refused; and at its beginning.
	return unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_RDONLY|unix.O_CLOEXEC, 0)
}

// reopened returns a descriptor of the same pipe that blocks, whatever the
// judge's does.
func reopened(f *os.File, mode int) (int, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd := -1
	if controlErr := raw.Control(func(number uintptr) {
		// A named pipe without anybody at its other end would hold us.
		fd, err = unix.Open(fmt.Sprintf("/proc/self/fd/%d", number), mode|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	}); controlErr != nil {
		err = controlErr
	}
	if err == nil {
		err = unix.SetNonblock(fd, false)
	}
	// One that has a name keeps its mode.
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

// handedOver lets go of the program's end, and begins to feed it.
func (in *input) handedOver() {
	if in.fd >= 0 {
		unix.Close(in.fd)
		in.fd = -1
	}
	if in.feed == nil {
		return
	}
	in.feeding.Go(func() {
		defer in.feed.Close()
		from := &watched{r: in.from}
		_, err := io.Copy(in.feed, from)
		// A program may end, or close its input, before it has read it all.
		if from.err != nil && !in.ended.Load() && !errors.Is(err, syscall.EPIPE) {
			in.err = fmt.Errorf("stdin: %w", from.err)
		}
	})
}

// watched keeps the error of its reader.
type watched struct {
	r   io.Reader
	err error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// finish stops feeding, and returns the error of reading from the judge's side.
func (in *input) finish() error {
	if in.fd >= 0 {
		unix.Close(in.fd)
		in.fd = -1
	}
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
