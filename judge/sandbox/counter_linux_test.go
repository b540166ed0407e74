//go:build amd64 || arm64

package sandbox

import (
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCounter counts page faults, because every kernel counts them, and not every
// machine counts instructions.
func TestCounter(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var c counter
	if c.prepare(unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS); !c.on {
		t.Skip("the kernel lets nobody count page faults here")
	}
	defer unix.Close(c.pair[0])
	defer unix.Close(c.pair[1])
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(null)
	faults := func(bytes int) int64 {
		cmd := program(t, "hold", strconv.Itoa(bytes))
		argv, err := syscall.SlicePtrFromStrings(cmd.Args)
		if err != nil {
			t.Fatal(err)
		}
		envv, err := syscall.SlicePtrFromStrings(cmd.Env)
		if err != nil {
			t.Fatal(err)
		}
		p := plan{program: argv[0], argv: &argv[0], envv: &envv[0], counter: &c}
		for i := range 3 {
			p.call(stepFiles, unix.SYS_DUP3, uintptr(null), uintptr(i))
		}
		pid, errno := spawn(&p)
		if errno != 0 {
			t.Fatalf("%v: %v", p.step, errno)
		}
		defer unix.Close(int(p.pidfd))
		c.begun()
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || status.ExitStatus() != 0 {
			t.Fatal(err, status)
		}
		return c.ended()
	}
	for range 5 {
		small, large := faults(4096), faults(64<<20)
		// The Go runtime may use huge pages, and each causes only one fault.
		if small == 0 || large < small+16 {
			t.Errorf("%d page faults with 4 KiB, %d with 64 MiB", small, large)
		}
	}
}
