package judge

import (
	"fmt"
	"slices"
	"time"

	"crucible/judge/sandbox"
)

// A Verdict is what a run, or a submission, deserves. The empty Verdict means
// that there is none: the judge could not decide, or the submission was skipped.
type Verdict string

const (
	Accepted     Verdict = "AC"
	WrongAnswer  Verdict = "WA"
	TimeLimit    Verdict = "TLE"
	MemoryLimit  Verdict = "MLE"
	OutputLimit  Verdict = "OLE"
	RuntimeError Verdict = "RTE"
	CompileError Verdict = "CE"
	undecided    Verdict = "" // the checker decides
)

// countsAs says which of the four verdicts that an expectation may name this
// one satisfies. The format knows AC, WA, TLE and RTE only (2025-09, "Example
// submissions"); running out of memory is a crash, and a flood of output is a
// crash to some judges and a wrong answer to others.
func (v Verdict) countsAs() []Verdict {
	switch v {
	case MemoryLimit:
		return []Verdict{RuntimeError}
	case OutputLimit:
		return []Verdict{WrongAnswer, RuntimeError}
	case CompileError, undecided:
		return nil
	}
	return []Verdict{v}
}

// in reports whether v satisfies a set that an expectation names.
func (v Verdict) in(set []Verdict) bool {
	if slices.Contains(set, v) {
		return true
	}
	for _, c := range v.countsAs() {
		if slices.Contains(set, c) {
			return true
		}
	}
	return false
}

// Limits are what the statement promises a submission on one case. A zero
// field is no limit.
type Limits struct {
	Time   time.Duration // CPU time of all its processes together
	Wall   time.Duration // real time, but for the wait for a processor; guards against programs that sleep
	Memory int64         // bytes, at the peak, of all its processes together
	Output int64         // bytes written to standard output, standard error and files
}

// wallLimit is the real time that a program with the given CPU limit gets: a
// program that waits is stopped, one on a busy machine is not.
func wallLimit(cpu time.Duration) time.Duration { return 2*cpu + time.Second }

// enforced turns what the statement promises into what the sandbox enforces.
// Processes are bounded on every run: the format names no limit, and a fork
// bomb must not take the machine with it.
func (l Limits) enforced() sandbox.Limits {
	return sandbox.Limits{
		CPU:       l.Time,
		Wall:      l.Wall,
		Memory:    l.Memory,
		Output:    l.Output,
		Files:     max(l.Output, 0),
		FileSize:  max(l.Output, 0),
		Processes: maxProcesses,
	}
}

// enforced turns a guarantee into limits that are not below it. That on output
// holds for streams and files together (2025-09, "Resource guarantees").
func (g Guarantee) enforced() sandbox.Limits {
	return sandbox.Limits{CPU: g.Time, Wall: wallLimit(g.Time), Memory: g.Memory, Output: g.Output, FileSize: g.Output, Processes: maxProcesses}
}

// building is for compilers: they may write large files, but not say much.
func (g Guarantee) building() sandbox.Limits {
	l := g.enforced()
	l.Output, l.Files, l.FileSize = maxCompilerOutput, maxCompilerFile, maxCompilerFile
	return l
}

// maxProcesses bounds processes and threads alive at once in one run: a JVM
// starts about forty, a fork bomb thousands.
const maxProcesses = 512

// verdictOf says what an outcome deserves under limits, or undecided when
// there is an output to check. It depends on its arguments alone, so a stored
// outcome can be judged again under a lower limit without running anything.
//
// Where several hold, the order is that of the format's judges: time, then
// crash (memory, when that was the cause), then output. The error is for an
// outcome that was cut off below the limits asked about, which proves nothing
// about them.
func verdictOf(o sandbox.Outcome, l Limits) (Verdict, string, error) {
	if err := comparable(o, l); err != nil {
		return undecided, "", err
	}
	switch {
	case l.Time > 0 && o.CPU > l.Time:
		return TimeLimit, fmt.Sprintf("used %s CPU, limit %s", Duration(o.CPU), Exactly(l.Time)), nil
	case o.Exceeded == sandbox.CPU:
		return TimeLimit, fmt.Sprintf("stopped at %s CPU, limit %s", Duration(o.CPU), Exactly(l.Time)), nil
	case o.Exceeded == sandbox.Wall, l.Wall > 0 && o.Wall-o.Waited > l.Wall:
		return TimeLimit, stillRunning(o), nil
	case o.Exceeded == sandbox.Memory, l.Memory > 0 && o.Memory > l.Memory:
		return MemoryLimit, fmt.Sprintf("used %s, limit %s", Bytes(o.Memory), Bytes(l.Memory)), nil
	case o.Exceeded == sandbox.Processes:
		return RuntimeError, fmt.Sprintf("more than %d processes and threads", o.Limits.Processes), nil
	case o.Exceeded == sandbox.Output, o.Exceeded == sandbox.Written, o.Exceeded == sandbox.Files, o.Exceeded == sandbox.FileSize:
		return OutputLimit, fmt.Sprintf("wrote more than %s%s", Bytes(l.Output), mostlyStderr(o)), nil // stopped for it, so it had no time to crash
	case o.Signal != 0:
		return RuntimeError, "killed by " + signalName(o.Signal), nil
	case o.Exit != 0:
		return RuntimeError, fmt.Sprintf("exit status %d", o.Exit), nil
	case l.Output > 0 && written(o) > l.Output:
		return OutputLimit, fmt.Sprintf("wrote %s, limit %s%s", Bytes(written(o)), Bytes(l.Output), mostlyStderr(o)), nil
	}
	return undecided, "", nil
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
		waited = fmt.Sprintf(", %s waiting for a processor", Duration(o.Waited))
	}
	return fmt.Sprintf("still running after %s real time (%s CPU%s)", Duration(o.Wall), Duration(o.CPU), waited)
}

// comparable refuses to judge an outcome beyond the limits it was run under.
func comparable(o sandbox.Outcome, l Limits) error {
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
