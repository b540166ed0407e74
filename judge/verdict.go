package judge

import (
	"fmt"

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
