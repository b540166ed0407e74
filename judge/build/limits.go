package build

import (
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// LimitsOf turns a guarantee into limits that are not below it. That on output
// holds for streams and files together (2025-09, "Resource guarantees").
func LimitsOf(g problem.Guarantee) sandbox.Limits {
	return sandbox.Limits{CPU: g.Time, Wall: problem.WallLimit(g.Time), Memory: g.Memory, Output: g.Output, FileSize: g.Output, Processes: MaxProcesses}
}

// buildLimits is for compilers: they may write large files, but not say much.
func buildLimits(g problem.Guarantee) sandbox.Limits {
	l := LimitsOf(g)
	l.Output, l.Files, l.FileSize = maxCompilerOutput, maxCompilerFile, maxCompilerFile
	return l
}

// MaxProcesses bounds processes and threads alive at once in one run: a JVM
// starts about forty, a fork bomb thousands.
const MaxProcesses = 512
