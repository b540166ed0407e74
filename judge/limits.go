package judge

import (
	"time"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Preparing has the limits for programs that prepare a package: generators,
// solutions that make answers, and input validators. The format sets no limits
// for them (2025-09, "Resource guarantees"); these protect the machine from
// mistakes.
var Preparing = problem.Guarantee{Time: 60 * time.Second, Memory: problem.DefaultGuaranteed, Output: 1 << 30}

// enforced returns the sandbox limits that enforce the limits of a problem. The
// number of processes is always limited: the format sets no limit, but the
// machine must survive a fork bomb.
func enforced(l problem.Limits) sandbox.Limits {
	return sandbox.Limits{
		CPU:       l.Time,
		Wall:      l.Wall,
		Memory:    l.Memory,
		Output:    l.Output,
		Files:     max(l.Output, 0),
		FileSize:  max(l.Output, 0),
		Processes: build.MaxProcesses,
	}
}

// stopping returns the sandbox limits at which runs of a submission are stopped. The CPU
// limit leaves room for the distortion by other programs, and for differences between
// machines: a program that needs even more is too slow, whatever ran beside it, and need
// not run again. Room is a share of the limit.
func stopping(l problem.Limits, room float64) sandbox.Limits {
	s := enforced(l)
	s.CPU += time.Duration(float64(s.CPU) * room)
	return s
}
