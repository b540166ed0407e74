//go:build !linux

package worker

import "os"

const stoppable = false

func pause(*os.Process)  {}
func resume(*os.Process) {}
