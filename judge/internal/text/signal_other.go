//go:build !unix

package text

import "syscall"

func SignalName(s syscall.Signal) string { return s.String() }
