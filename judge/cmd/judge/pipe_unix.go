//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// ignorePipe makes writing to a closed pipe an error like any other, instead
// of the end of the process with its programs still running.
func ignorePipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
