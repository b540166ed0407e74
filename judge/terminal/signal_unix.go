//go:build unix

package terminal

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// SignalName returns the name of a signal, such as SIGSEGV; "" for 0.
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" || s == 0 {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}

// SignalNamed returns the signal with a name that [SignalName] returned; 0 if there
// is none here.
func SignalNamed(name string) syscall.Signal {
	if s := unix.SignalNum(name); s != 0 {
		return s
	}
	var n int
	fmt.Sscanf(name, "signal %d", &n)
	return syscall.Signal(n)
}
