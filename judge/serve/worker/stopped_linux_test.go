package worker

import (
	"os"
	"syscall"
)

const stoppable = true

func pause(p *os.Process)  { p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) { p.Signal(syscall.SIGCONT) }
