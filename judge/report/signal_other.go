//go:build !unix

package report

import (
	"fmt"
	"syscall"
)

func signalName(s syscall.Signal) string {
	if s == 0 {
		return ""
	}
	return fmt.Sprintf("signal %d", int(s))
}
