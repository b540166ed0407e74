package problem

import (
	"slices"
)

// An Expectation is one rule about the results of a submission. It comes from the
// submission's folder or from a matching rule of submissions.yaml (2025-09,
// "Example submissions").
type Expectation struct {
	Cases     string    `json:"cases"`     // glob of the cases or groups that it applies to; "" means all
	Permitted []Verdict `json:"permitted"` // every case has one of these; nil permits all
	Required  []Verdict `json:"required"`  // at least one case has one of these; nil requires nothing
	// Nil, one exact score, or an inclusive range of two, of the group that Cases names or the
	// submission.
	Score   []float64 `json:"score"`
	Message string    `json:"message"` // at least one judgemessage.txt contains it; "" requires nothing
	// The verdict of the group that Cases names, or of the submission, is one of these; nil
	// allows any (DOMjudge's @EXPECTED_RESULTS@).
	Final   []Verdict `json:"final"`
	Partial bool      `json:"partial"` // accepted, but with less than the maximum score (legacy, "partially_accepted")
	Timing  Timing    `json:"timing"`  // how it constrains the time limit

	from string // position of the rule, for messages: "submissions/submissions.yaml:3:1" or "the directory wrong_answer"
}

// Timing is the way in which a rule constrains the time limit
// (2025-09, "Timelimit inference").
type Timing string

const (
	TimingByVerdicts Timing = ""      // derived from Permitted and Required
	TimingNone       Timing = "false" // no constraint
	TimingLower      Timing = "lower" // the submission's time is a lower bound for the limit
	TimingUpper      Timing = "upper" // the submission's time is an upper bound for the limit
)

// Lower reports whether a submission under this rule must stay within
// the time limit, so that the limit is at least its time with a margin.
func (e *Expectation) Lower() bool {
	return e.Timing == TimingLower || e.Timing == TimingByVerdicts && e.Permitted != nil &&
		!slices.Contains(e.Permitted, TimeLimit)
}

// Upper reports whether a submission under this rule must exceed the
// time limit on some case.
func (e *Expectation) Upper() bool {
	return e.Timing == TimingUpper || e.Timing == TimingByVerdicts && slices.Equal(e.Required, []Verdict{TimeLimit})
}

// DefaultExpectations maps the format's directories of submissions to their
// expectations (2025-09, "Default directories"). Submissions in other directories
// have no default expectation.
var DefaultExpectations = map[string]Expectation{
	"accepted":            {Permitted: []Verdict{Accepted}},
	"rejected":            {Required: []Verdict{RuntimeError, TimeLimit, WrongAnswer}},
	"wrong_answer":        {Permitted: []Verdict{Accepted, WrongAnswer}, Required: []Verdict{WrongAnswer}},
	"time_limit_exceeded": {Permitted: []Verdict{Accepted, TimeLimit}, Required: []Verdict{TimeLimit}},
	"run_time_error":      {Permitted: []Verdict{Accepted, RuntimeError}, Required: []Verdict{RuntimeError}},
	"brute_force": {Permitted: []Verdict{Accepted, RuntimeError, TimeLimit},
		Required: []Verdict{RuntimeError, TimeLimit}},
}

// SpeaksOf reports whether the expectation applies to the case of that name.
func (e *Expectation) SpeaksOf(name string) bool {
	return e.Cases == "" || GlobCovers(e.Cases, name)
}

// NamesCompileError reports whether every rule names CE, the only kind of rule
// that a compile error satisfies. It is false without rules.
func NamesCompileError(expected []Expectation) bool {
	return len(expected) > 0 && !slices.ContainsFunc(expected, func(e Expectation) bool {
		return !slices.Contains(slices.Concat(e.Final, e.Permitted, e.Required), CompileError)
	})
}

// Restricts reports whether some verdict on a single case would violate the rule.
func (e *Expectation) Restricts() bool {
	if e.Permitted == nil {
		return false
	}
	return !slices.Contains(e.Permitted, Accepted) || slices.ContainsFunc(Failures,
		func(v Verdict) bool { return !slices.Contains(e.Permitted, v) })
}

// Origin returns the position of the rule, for messages:
// "submissions/submissions.yaml:3:1" or "the directory wrong_answer".
func (e *Expectation) Origin() string { return e.from }

// From returns a copy of the expectation with another origin.
func (e Expectation) From(origin string) Expectation {
	e.from = origin
	return e
}

// MustPass reports whether only AC is permitted and the rule constrains the time
// limit.
func (e *Expectation) MustPass() bool {
	return len(e.Permitted) == 1 && e.Permitted[0] == Accepted && e.Timing != TimingNone
}

// Failures are the verdicts other than AC that an expectation may name.
var Failures = []Verdict{WrongAnswer, TimeLimit, RuntimeError}

// BoundsBelow reports whether the submission's time on the case of that name is a
// lower bound for the time limit.
func (e *Expectation) BoundsBelow(name string) bool { return e.Lower() && e.SpeaksOf(name) }

// BoundsAbove reports whether the submission must exceed the time limit on at
// least one of a set of cases that contains the case of that name.
func (e *Expectation) BoundsAbove(name string) bool { return e.Upper() && e.SpeaksOf(name) }

// AnyRule reports whether is returns true for at least one of the expectations.
func AnyRule(expected []Expectation, is func(*Expectation) bool) bool {
	for i := range expected {
		if is(&expected[i]) {
			return true
		}
	}
	return false
}
