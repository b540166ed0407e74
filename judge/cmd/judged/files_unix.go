//go:build unix

package main

import "syscall"

// openFiles returns the number of files that this process may open.
func openFiles() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 1024
	}
	return int(min(l.Cur, 1<<20))
}
