package problem

import (
	"crucible/judge/terminal"
	"slices"
	"strings"
	"time"
)

// VerdictList returns the verdicts separated by commas.
func VerdictList(vs []Verdict) string { return list(vs, ", ") }

// list returns the words separated by commas, with another separator before the last.
func list[T ~string](words []T, last string) string {
	all := terminal.Texts(words, func(word T) string { return string(word) })
	if n := len(all) - 1; n > 0 {
		all = []string{strings.Join(all[:n], ", "), all[n]}
	}
	return strings.Join(all, last)
}

// WorstFirst lists the failing verdicts of a run from worst to best (legacy,
// "worst_error").
var WorstFirst = []Verdict{RuntimeError, MemoryLimit, TimeLimit, OutputLimit, WrongAnswer}

// A Verdict is the result of a run or of a submission. The empty Verdict means
// that there is no result: the judge could not decide, or skipped the submission.
type Verdict string

const (
	Accepted     Verdict = "AC"  // the output is correct
	WrongAnswer  Verdict = "WA"  // the output is wrong
	TimeLimit    Verdict = "TLE" // the program exceeded the time limit
	MemoryLimit  Verdict = "MLE" // the program exceeded the memory limit
	OutputLimit  Verdict = "OLE" // the program exceeded the output limit
	RuntimeError Verdict = "RTE" // the program crashed or exited with an error
	CompileError Verdict = "CE"  // the program does not compile
	Undecided    Verdict = ""    // the output validator has yet to decide, or there is no verdict
)

// CountsAs returns the verdicts of the format that v satisfies in an expectation.
// The format has only AC, WA, TLE and RTE (2025-09, "Example submissions"). MLE
// counts as RTE; OLE counts as WA and RTE, because judges differ. CE and the empty
// verdict satisfy none.
func (v Verdict) CountsAs() []Verdict {
	switch v {
	case MemoryLimit:
		return []Verdict{RuntimeError}
	case OutputLimit:
		return []Verdict{WrongAnswer, RuntimeError}
	case CompileError, Undecided:
		return nil
	}
	return []Verdict{v}
}

// In reports whether v, or a verdict that it counts as, is in the set.
func (v Verdict) In(set []Verdict) bool {
	return slices.Contains(set, v) || slices.ContainsFunc(v.CountsAs(),
		func(c Verdict) bool { return slices.Contains(set, c) })
}

// Limits are the limits of a submission on one case. A zero field means no limit.
type Limits struct {
	Time time.Duration `json:"cpu_ns"` // CPU time of all its processes together
	// wall-clock time without waiting for a processor; stops programs that sleep.
	Wall   time.Duration `json:"wall_ns"`
	Memory int64         `json:"memory_bytes"` // peak, in bytes, of all its processes together
	Output int64         `json:"output_bytes"` // bytes written to standard output, standard error and files
}

// WallLimit returns the wall-clock limit for a CPU time limit. It stops programs
// that wait, but not programs on a busy machine.
func WallLimit(cpu time.Duration) time.Duration { return 2*cpu + time.Second }
