//go:build unix

package judge

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is what people call a signal: SIGSEGV.
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}
