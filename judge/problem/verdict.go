package problem

import (
	"slices"
	"strings"
	"time"
)

func VerdictList(vs []Verdict) string {
	words := make([]string, len(vs))
	for i, v := range vs {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// WorstFirst orders verdicts from the worst on (legacy, "worst_error").
var WorstFirst = []Verdict{RuntimeError, MemoryLimit, TimeLimit, OutputLimit, WrongAnswer}

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
	Undecided    Verdict = "" // the checker decides
)

// CountsAs says which of the four verdicts that an expectation may name this
// one satisfies. The format knows AC, WA, TLE and RTE only (2025-09, "Example
// submissions"); running out of memory is a crash, and a flood of output is a
// crash to some judges and a wrong answer to others.
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

// In reports whether v satisfies a set that an expectation names.
func (v Verdict) In(set []Verdict) bool {
	if slices.Contains(set, v) {
		return true
	}
	for _, c := range v.CountsAs() {
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

// WallLimit is the real time that a program with the given CPU limit gets: a
// program that waits is stopped, one on a busy machine is not.
func WallLimit(cpu time.Duration) time.Duration { return 2*cpu + time.Second }
