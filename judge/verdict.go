package judge

import (
	"fmt"

	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
)

// verdictOf says what an outcome deserves under limits, or undecided when
// there is an output to check. It depends on its arguments alone, so a stored
// outcome can be judged again under a lower limit without running anything.
//
// Where several hold, the order is that of the format's judges: time, then
// crash (memory, when that was the cause), then output. The error is for an
// outcome that was cut off below the limits asked about, which proves nothing
// about them.
func verdictOf(o sandbox.Outcome, l problem.Limits) (problem.Verdict, string, error) {
	if err := comparable(o, l); err != nil {
		return problem.Undecided, "", err
	}
	switch {
	case l.Time > 0 && o.CPU > l.Time:
		return problem.TimeLimit, fmt.Sprintf("used %s CPU, limit %s", units.Duration(o.CPU), units.Exactly(l.Time)), nil
	case o.Exceeded == sandbox.CPU:
		return problem.TimeLimit, fmt.Sprintf("stopped at %s CPU, limit %s", units.Duration(o.CPU), units.Exactly(l.Time)), nil
	case o.Exceeded == sandbox.Wall, l.Wall > 0 && o.Wall-o.Waited > l.Wall:
		return problem.TimeLimit, stillRunning(o), nil
	case o.Exceeded == sandbox.Memory, l.Memory > 0 && o.Memory > l.Memory:
		return problem.MemoryLimit, fmt.Sprintf("used %s, limit %s", units.Bytes(o.Memory), units.Bytes(l.Memory)), nil
	case o.Exceeded == sandbox.Processes:
		return problem.RuntimeError, fmt.Sprintf("more than %d processes and threads", o.Limits.Processes), nil
	case o.Exceeded == sandbox.Output, o.Exceeded == sandbox.Written, o.Exceeded == sandbox.Files, o.Exceeded == sandbox.FileSize:
		return problem.OutputLimit, fmt.Sprintf("wrote more than %s%s", units.Bytes(l.Output), mostlyStderr(o)), nil // stopped for it, so it had no time to crash
	case o.Signal != 0:
		return problem.RuntimeError, "killed by " + text.SignalName(o.Signal), nil
	case o.Exit != 0:
		return problem.RuntimeError, fmt.Sprintf("exit status %d", o.Exit), nil
	case l.Output > 0 && written(o) > l.Output:
		return problem.OutputLimit, fmt.Sprintf("wrote %s, limit %s%s", units.Bytes(written(o)), units.Bytes(l.Output), mostlyStderr(o)), nil
	}
	return problem.Undecided, "", nil
}

// written is what an output limit bounds: bytes to streams and files together.
func written(o sandbox.Outcome) int64 { return max(o.Output+o.Files, o.Written) }

// mostlyStderr names standard error if more than half of the output went there.
// A program that was stopped for the size of a file had no other output to blame.
func mostlyStderr(o sandbox.Outcome) string {
	if o.Exceeded == sandbox.FileSize || o.Exceeded == sandbox.Files || o.Stderr <= written(o)/2 {
		return ""
	}
	return ", most of it to standard error"
}

// stillRunning says how somebody has spent too much real time.
func stillRunning(o sandbox.Outcome) string {
	waited := ""
	if o.Waited > o.Wall/10 {
		waited = fmt.Sprintf(", %s waiting for a processor", units.Duration(o.Waited))
	}
	return fmt.Sprintf("still running after %s real time (%s CPU%s)", units.Duration(o.Wall), units.Duration(o.CPU), waited)
}

// comparable refuses to judge an outcome beyond the limits it was run under.
func comparable(o sandbox.Outcome, l problem.Limits) error {
	beyond := func(what string, ran, asked int64) error {
		if asked == 0 || asked > ran {
			return fmt.Errorf("the run was stopped at its %s limit and cannot be judged under a higher one", what)
		}
		return nil
	}
	switch o.Exceeded {
	case sandbox.CPU:
		return beyond("time", int64(o.Limits.CPU), int64(l.Time))
	case sandbox.Wall:
		return beyond("wall", int64(o.Limits.Wall), int64(l.Wall))
	case sandbox.Memory:
		return beyond("memory", o.Limits.Memory, l.Memory)
	case sandbox.Output:
		return beyond("output", o.Limits.Output, l.Output)
	case sandbox.Written:
		return beyond("output", o.Limits.Written, l.Output)
	case sandbox.FileSize:
		return beyond("file size", o.Limits.FileSize, l.Output)
	case sandbox.Files:
		return beyond("output", o.Limits.Files, l.Output)
	}
	return nil
}
