package machine

import (
	"errors"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// counters tries to count the instructions of this thread in user space, like those
// of a program. The error is the reason why that is not possible.
func counters() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, err := unix.PerfEventOpen(&unix.PerfEventAttr{
		Type:   unix.PERF_TYPE_HARDWARE,
		Size:   uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Bits:   unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	arithmetic(1000)
	var count [8]byte
	n, err := unix.Read(fd, count[:])
	switch {
	case err != nil:
		return err
	case n != len(count) || count == [8]byte{}:
		// Some virtual machines have a counter that does not change.
		return errors.New("the counter does not change")
	}
	return nil
}
