//go:build !unix

package terminal

import (
	"fmt"
	"syscall"
)

// SignalName returns the name of a signal; "" for 0.
func SignalName(s syscall.Signal) string {
	if s == 0 {
		return ""
	}
	return fmt.Sprintf("signal %d", int(s))
}

// SignalNamed returns the signal with a name that [SignalName] returned; 0 if there
// is none here.
func SignalNamed(name string) syscall.Signal {
	var n int
	fmt.Sscanf(name, "signal %d", &n)
	return syscall.Signal(n)
}
