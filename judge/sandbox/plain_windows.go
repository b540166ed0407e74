package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(*exec.Cmd) {}

func killGroup(p *os.Process) error { return p.Kill() }

func signalOf(*os.ProcessState) syscall.Signal { return 0 }

// peakMemory returns 0, because Windows does not report it here.
func peakMemory(*os.ProcessState) int64 { return 0 }
