//go:build !unix

package judge

import "syscall"

func signalName(s syscall.Signal) string { return s.String() }
