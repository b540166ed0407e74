//go:build unix

package text

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// SignalName is what people call a signal: SIGSEGV.
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}
