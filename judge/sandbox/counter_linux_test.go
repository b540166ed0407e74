//go:build amd64 || arm64

package sandbox

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The machine may not count instructions, but any kernel counts page faults.
func TestCounterCountsWhatIsStartedAndNothingElse(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var c counter
	if c.open(unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS); c.fd < 0 {
		t.Skip("the kernel lets nobody count page faults here")
	}
	defer unix.Close(c.fd)
	touch(64)
	if n := c.next(); n != 0 {
		t.Errorf("%d of its own were counted", n)
	}
	faults := func(bytes string) int64 {
		cmd := program(t, "hold", bytes)
		pid, err := syscall.ForkExec(cmd.Args[0], append(cmd.Args, bytes), &syscall.ProcAttr{Env: cmd.Env, Files: []uintptr{0, 1, 2}})
		if err != nil {
			t.Fatal(err)
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			t.Fatal(err)
		}
		return c.next()
	}
	small, large := faults("4096"), faults("67108864")
	// The runtime of Go may ask for huge pages, each of which is one fault.
	if small == 0 || large < small+16 {
		t.Errorf("%d page faults with 4 KiB, %d with 64 MiB", small, large)
	}
	if n := c.next(); n != 0 {
		t.Errorf("%d were counted after the end", n)
	}
}

// touch has some page faults.
func touch(pages int) byte {
	memory := make([]byte, pages*os.Getpagesize())
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i] = 1
	}
	return memory[len(memory)/2]
}
