//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// ignorePipe makes writing to a closed pipe an ordinary error. By default, it ends the
// process and leaves its programs running.
func ignorePipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
