package build

import (
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// MaxProcesses is the largest number of processes and threads of one run: a JVM
// starts about forty, a fork bomb thousands.
const MaxProcesses = 512

// The output and the size of all files of a compiler, in bytes.
const (
	maxCompilerOutput = 1 << 20
	maxCompilerFile   = 512 << 20
)

// LimitsOf returns limits that are not below a guarantee. The output limit applies
// to streams and files together (2025-09, "Resource guarantees").
func LimitsOf(g problem.Guarantee) sandbox.Limits {
	return sandbox.Limits{CPU: g.Time, Wall: problem.WallLimit(g.Time), Memory: g.Memory, Output: g.Output,
		FileSize: g.Output, Processes: MaxProcesses}
}

// buildLimits returns the limits of compilers, which may write large files but only
// short messages.
func buildLimits(g problem.Guarantee) sandbox.Limits {
	l := LimitsOf(g)
	l.Output, l.Files, l.FileSize = maxCompilerOutput, maxCompilerFile, maxCompilerFile
	return l
}
