//go:build unix

package report

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName names a signal as <signal.h> does; "" for none.
func signalName(s syscall.Signal) string {
	if s == 0 {
		return ""
	}
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}

// signalNamed is the reverse of signalName; 0 for a name that is none here.
func signalNamed(name string) syscall.Signal {
	if s := unix.SignalNum(name); s != 0 {
		return s
	}
	var n int
	fmt.Sscanf(name, "signal %d", &n)
	return syscall.Signal(n)
}
