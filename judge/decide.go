package judge

import (
	"fmt"
	"time"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// verdictOf returns the verdict for an outcome under limits and the reason, or
// undecided if the output decides. It depends on its arguments alone, so a stored
// outcome can be judged again under a lower limit without running anything.
//
// If several limits are exceeded, the order is that of other judges of the format:
// time, then crash (or memory, if it was the cause), then output. The error is for an
// outcome that was stopped below the limits: it proves nothing about them.
func verdictOf(o sandbox.Outcome, l problem.Limits) (problem.Verdict, string, error) {
	if err := comparable(o, l); err != nil {
		return problem.Undecided, "", err
	}
	switch {
	case l.Time > 0 && o.CPU > l.Time:
		return problem.TimeLimit, fmt.Sprintf("used %s CPU, limit %s", terminal.Duration(o.CPU), terminal.Exactly(l.Time)),
			nil
	case o.Exceeded == sandbox.CPU:
		return problem.TimeLimit, fmt.Sprintf("stopped at %s CPU, limit %s", terminal.Duration(o.CPU),
			terminal.Exactly(l.Time)), nil
	case o.Exceeded == sandbox.Wall, l.Wall > 0 && o.Wall-o.Waited > l.Wall:
		return problem.TimeLimit, stillRunning(o), nil
	case o.Exceeded == sandbox.Memory, l.Memory > 0 && o.Memory > l.Memory:
		return problem.MemoryLimit, fmt.Sprintf("used %s, limit %s", terminal.Bytes(o.Memory), terminal.Bytes(l.Memory)), nil
	case o.Exceeded == sandbox.Processes:
		return problem.RuntimeError, fmt.Sprintf("more than %d processes and threads", o.Limits.Processes), nil
	case o.Exceeded == sandbox.Output, o.Exceeded == sandbox.Written, o.Exceeded == sandbox.Files,
		o.Exceeded == sandbox.FileSize:
		// It was stopped, so it did not crash.
		return problem.OutputLimit, fmt.Sprintf("wrote more than %s%s", terminal.Bytes(l.Output), mostlyStderr(o)), nil
	case o.Signal != 0:
		return problem.RuntimeError, "killed by " + terminal.SignalName(o.Signal), nil
	case o.Exit != 0:
		return problem.RuntimeError, fmt.Sprintf("exit status %d", o.Exit), nil
	case l.Output > 0 && written(o) > l.Output:
		return problem.OutputLimit, fmt.Sprintf("wrote %s, limit %s%s", terminal.Bytes(written(o)), terminal.Bytes(l.Output),
			mostlyStderr(o)), nil
	}
	return problem.Undecided, "", nil
}

// written returns the bytes that count towards the output limit: to streams and
// to files.
func written(o sandbox.Outcome) int64 { return max(o.Output+o.Files, o.Written) }

// mostlyStderr names standard error if more than half of the output went there.
// If the program was stopped because of its files, standard error is not the
// cause.
func mostlyStderr(o sandbox.Outcome) string {
	if o.Exceeded == sandbox.FileSize || o.Exceeded == sandbox.Files || o.Stderr <= written(o)/2 {
		return ""
	}
	return ", most of it to standard error"
}

// stillRunning explains how a program exceeded the wall-clock limit.
func stillRunning(o sandbox.Outcome) string {
	waited := ""
	if o.Waited > o.Wall/10 {
		waited = fmt.Sprintf(", %s waiting for a processor", terminal.Duration(o.Waited))
	}
	return fmt.Sprintf("still running after %s real time (%s CPU%s)", terminal.Duration(o.Wall), terminal.Duration(o.CPU),
		waited)
}

// comparable returns an error for an outcome that was stopped at a limit below
// the given one: it proves nothing about the given limit.
func comparable(o sandbox.Outcome, l problem.Limits) error {
	if o.Exceeded == "" {
		return nil
	}
	limit, ok := map[sandbox.Resource]struct {
		what     string
		ran, now int64
	}{
		sandbox.CPU:      {"time", int64(o.Limits.CPU), int64(l.Time)},
		sandbox.Wall:     {"wall", int64(o.Limits.Wall), int64(l.Wall)},
		sandbox.Memory:   {"memory", o.Limits.Memory, l.Memory},
		sandbox.Output:   {"output", o.Limits.Output, l.Output},
		sandbox.Written:  {"output", o.Limits.Written, l.Output},
		sandbox.FileSize: {"file size", o.Limits.FileSize, l.Output},
		sandbox.Files:    {"output", o.Limits.Files, l.Output},
	}[o.Exceeded]
	if ok && (limit.now == 0 || limit.now > limit.ran) {
		return fmt.Errorf("the run was stopped at its %s limit and cannot be judged under a higher one", limit.what)
	}
	return nil
}

// InferenceLimit is the CPU time that a submission may use on a case while the time
// limit is not known.
const InferenceLimit = 60 * time.Second

// TimeOf returns the CPU time of a run. If the run was stopped, it is a lower bound:
// the limit at which it was stopped or, if the program was waiting, the wall time.
func TimeOf(o sandbox.Outcome) (t time.Duration, stopped bool) {
	return timeOf(o), o.Exceeded == sandbox.CPU || o.Exceeded == sandbox.Wall
}

// TooSlow reports whether a run gets TLE under a time limit. Known is false if
// the run was stopped below that limit.
func TooSlow(o sandbox.Outcome, limit time.Duration) (slow, known bool) {
	l := problem.Limits{Time: limit, Wall: problem.WallLimit(limit)}
	v, _, err := verdictOf(o, l)
	if err != nil && o.Exceeded != sandbox.CPU && o.Exceeded != sandbox.Wall {
		// It was stopped at another limit.
		return o.CPU > l.Time || o.Wall-o.Waited > l.Wall, true
	}
	return v == problem.TimeLimit, err == nil
}

// timeOf returns the first result of TimeOf.
func timeOf(o sandbox.Outcome) time.Duration {
	switch o.Exceeded {
	case sandbox.CPU:
		return max(o.CPU, o.Limits.CPU)
	case sandbox.Wall:
		return max(o.CPU, o.Wall-o.Waited)
	}
	return o.CPU
}

// isStopped reports whether a run was stopped at a limit on its time, so that its time
// is not known.
func isStopped(o sandbox.Outcome) bool {
	return o.Exceeded == sandbox.CPU || o.Exceeded == sandbox.Wall
}

// untimed reports whether a run took longer than inference lets it take, so that its
// time does not count.
func untimed(o sandbox.Outcome) bool {
	slow, known := TooSlow(o, InferenceLimit)
	return slow || !known
}

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
