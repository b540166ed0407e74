//go:build unix

package text

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// SignalName returns the name of a signal, such as SIGSEGV.
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}
