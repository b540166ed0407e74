//go:build !unix

package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

// errNotForThisMachine is ERROR_BAD_EXE_FORMAT on Windows.
var errNotForThisMachine = syscall.Errno(193)

func ownGroup(*exec.Cmd) {}

func killGroup(p *os.Process) error { return p.Kill() }

func signalOf(*os.ProcessState) syscall.Signal { return 0 }

// peakMemory is not told here.
func peakMemory(*os.ProcessState) int64 { return 0 }
