package problem

import (
	"slices"
)

// An Expectation is what the author of a package says of a submission: by the
// directory it lies in, and by the rules of submissions.yaml that match it
// (2025-09, "Example submissions").
type Expectation struct {
	Cases     string    // glob of the cases or groups it speaks of; "" means all
	Permitted []Verdict // every case has one of these; nil permits all
	Required  []Verdict // at least one case has one of these; nil requires nothing
	Score     []float64 // nil, one exact score, or an inclusive range of two, of the group that Cases names or the submission
	Partial   bool      // accepted, and the score is not the best there is (legacy, "partially_accepted")
	Final     []Verdict // the verdict of the group that Cases names, or of the submission, is one of these; nil allows any (DOMjudge's @EXPECTED_RESULTS@)
	Message   string    // some judgemessage.txt contains it
	Timing    Timing    // how it bears on the time limit

	from string // where the rule stands, for messages: "submissions/submissions.yaml:3:1" or "the directory wrong_answer"
}

// Timing says on which side of the time limit a rule puts a submission
// (2025-09, "Timelimit inference").
type Timing string

const (
	TimingByVerdicts Timing = ""      // as permitted and required imply
	TimingNone       Timing = "false" // neither side
	TimingLower      Timing = "lower" // the limit is above its time
	TimingUpper      Timing = "upper" // the limit is below its time
)

// Lower reports whether a submission under this rule must stay within
// the time limit, so that the limit is at least its time with a margin.
func (e *Expectation) Lower() bool {
	switch e.Timing {
	case TimingByVerdicts:
		return e.Permitted != nil && !slices.Contains(e.Permitted, TimeLimit)
	}
	return e.Timing == TimingLower
}

// Upper reports whether a submission under this rule must exceed the
// time limit on some case.
func (e *Expectation) Upper() bool {
	switch e.Timing {
	case TimingByVerdicts:
		return len(e.Required) == 1 && e.Required[0] == TimeLimit
	}
	return e.Timing == TimingUpper
}

// DefaultExpectations are those of the format's directories (2025-09,
// "Default directories"). The names below them are of directories that other
// judges know; submissions in any directory not listed have no expectation.
var DefaultExpectations = map[string]Expectation{
	"accepted":            {Permitted: []Verdict{Accepted}},
	"rejected":            {Required: []Verdict{RuntimeError, TimeLimit, WrongAnswer}},
	"wrong_answer":        {Permitted: []Verdict{Accepted, WrongAnswer}, Required: []Verdict{WrongAnswer}},
	"time_limit_exceeded": {Permitted: []Verdict{Accepted, TimeLimit}, Required: []Verdict{TimeLimit}},
	"run_time_error":      {Permitted: []Verdict{Accepted, RuntimeError}, Required: []Verdict{RuntimeError}},
	"brute_force":         {Permitted: []Verdict{Accepted, RuntimeError, TimeLimit}, Required: []Verdict{RuntimeError, TimeLimit}},
}

// SpeaksOf reports whether the expectation is about the case of that name.
func (e *Expectation) SpeaksOf(name string) bool {
	return e.Cases == "" || CoveredBy(e.Cases, name)
}

// NamesCompileError reports whether source that does not compile is what every rule
// expects: CE meets only a rule that names it.
func NamesCompileError(expected []Expectation) bool {
	for i := range expected {
		e := &expected[i]
		if !slices.Contains(slices.Concat(e.Final, e.Permitted, e.Required), CompileError) {
			return false
		}
	}
	return len(expected) > 0
}

// Restricts reports whether some verdict on some case would break the rule.
func (e *Expectation) Restricts() bool {
	if e.Permitted == nil {
		return false
	}
	return !slices.Contains(e.Permitted, Accepted) || slices.ContainsFunc(Failures, func(v Verdict) bool { return !slices.Contains(e.Permitted, v) })
}

// Origin says where the rule stands, for messages:
// "submissions/submissions.yaml:3:1" or "the directory wrong_answer".
func (e *Expectation) Origin() string { return e.from }

// From returns the expectation with another origin.
func (e Expectation) From(origin string) Expectation {
	e.from = origin
	return e
}

// MustPass reports whether nothing but AC is permitted.
func (e *Expectation) MustPass() bool {
	return len(e.Permitted) == 1 && e.Permitted[0] == Accepted && e.Timing != TimingNone
}

// Failures are the verdicts other than AC that an expectation may name.
var Failures = []Verdict{WrongAnswer, TimeLimit, RuntimeError}

// BoundsBelow reports whether the time limit must be above the submission's
// time on the case of that name.
func (e *Expectation) BoundsBelow(name string) bool { return e.Lower() && e.SpeaksOf(name) }

// BoundsAbove reports whether the case of that name is one of those on some of
// which the submission must exceed the time limit.
func (e *Expectation) BoundsAbove(name string) bool { return e.Upper() && e.SpeaksOf(name) }

// MustPass reports whether nothing but AC is permitted.
func AnyRule(expected []Expectation, is func(*Expectation) bool) bool {
	for i := range expected {
		if is(&expected[i]) {
			return true
		}
	}
	return false
}
