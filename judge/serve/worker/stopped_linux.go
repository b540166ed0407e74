package worker

import (
	"bytes"
	"fmt"
	"os"
)

// isStopped reports whether a signal or a debugger has stopped the process.
func isStopped(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// The state follows the name, which may contain anything, in parentheses.
	_, rest, _ := bytes.Cut(text[max(bytes.LastIndexByte(text, ')'), 0):], []byte(" "))
	return len(rest) > 0 && (rest[0] == 'T' || rest[0] == 't')
}
