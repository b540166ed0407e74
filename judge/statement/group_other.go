//go:build !unix

package statement

import "os/exec"

// endTogether does nothing: a stopped command ends alone.
func endTogether(*exec.Cmd) {}
