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

func signalNamed(name string) syscall.Signal {
	var n int
	fmt.Sscanf(name, "signal %d", &n)
	return syscall.Signal(n)
}
