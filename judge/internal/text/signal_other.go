//go:build !unix

package text

import "syscall"

// SignalName returns the name of a signal.
func SignalName(s syscall.Signal) string { return s.String() }
