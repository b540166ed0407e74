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
