//go:build unix

package statement

import (
	"os/exec"
	"syscall"
)

// endTogether makes the end of a command that is stopped that of all programs which it
// started: latexmk starts pdflatex, which may run for ever.
func endTogether(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
