package stress

import (
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A Progress is the state of a search.
type Progress struct {
	Valid, Invalid, Repeated int // inputs so far
	// Inputs on which no submission differed, so no input validator ran: it would take longer.
	Unchecked      int
	Found, Targets int           // targets for which an input was found
	Elapsed        time.Duration // since the first input
}

// A Result is what a search found.
type Result struct {
	Progress
	Reference *problem.Submission
	// In the order of Search.Targets, without those that have none; with Search.All, one for
	// each way in which a target fails, in the order of finding.
	Counterexamples []*Counterexample
	// The first one that shows that an accepted submission does not agree with the reference;
	// nil if there is none.
	Disagreement *Counterexample
	// Inputs on which accepted submissions do not agree, as far as they were tried; nothing is
	// found on them.
	Disagreements int
	Slow          int             // valid inputs on which the reference failed or exceeded a limit
	Failure       *Counterexample // the first such failure of the reference; nil if there is none
	Best          *Counterexample // the input with the largest value of Search.Maximize, and its verdict; nil without
	BestRun       judge.Run       // of Best
	Start         float64         // the largest value of an input of the package
	Crash         error           // the first crash of a validator; nil if there is none
	Crashes       int             // of validators: the input is not valid, or the output not judged
	Notes         []string        // doubts about the package
}

// For returns the counterexamples of a submission; nil if there are none.
func (r *Result) For(s *problem.Submission) (found []*Counterexample) {
	for _, c := range r.Counterexamples {
		if c.Submission == s {
			found = append(found, c)
		}
	}
	return found
}

// A Counterexample is an input on which a submission differs from the reference.
type Counterexample struct {
	Submission *problem.Submission
	Case       *problem.Case   // a case with the settings that the input has: its group and the arguments of programs
	Verdict    problem.Verdict // not AC
	Why        string          // the reason of the verdict on Smallest, one line
	How        string          // how the input was made: "mutation", or the command of a generator with its seed
	Input      []byte          // as found
	Answer     []byte          // the output of the reference
	After      int             // inputs on which the submission ran until it was found
	Elapsed    time.Duration   // until it was found
	// The smallest input found from Input on which the verdict is the same; nil if it was not
	// shrunk.
	Shrunk   []byte
	ShrunkTo []byte   // the answer of Shrunk
	Steps    []string // the changes from Input to Shrunk
	// The start of the output of the submission on Smallest, at most 64 KiB; nil unless the
	// verdict is WA and outputs are answers.
	Output []byte

	command  []string // of the generator that made the input; nil if none did
	seed     uint32   // of the generator
	unplaced bool     // the input is not valid with the settings of Case
}

// Smallest returns the smallest input that was found.
func (c *Counterexample) Smallest() []byte {
	if c.Shrunk != nil {
		return c.Shrunk
	}
	return c.Input
}

// SmallestAnswer returns the answer of Smallest.
func (c *Counterexample) SmallestAnswer() []byte {
	if c.Shrunk != nil {
		return c.ShrunkTo
	}
	return c.Answer
}

func counterexample(s *problem.Submission, of *problem.Case, input, answer []byte, run *judge.Run,
	now Progress) *Counterexample {
	return &Counterexample{Submission: s, Case: of, Verdict: run.Verdict, Why: run.Why, Input: input, Answer: answer,
		After: now.Valid, Elapsed: now.Elapsed}
}

// TestCase returns a case with the input and answer that were found, or with the smallest
// ones, and the settings of Case.
func (c *Counterexample) TestCase(smallest bool) *problem.Case {
	if smallest {
		return with(c.Case, c.Smallest(), c.SmallestAnswer())
	}
	return with(c.Case, c.Input, c.Answer)
}

// with returns a case with another input and answer.
func with(c *problem.Case, input, answer []byte) *problem.Case {
	return c.With(map[string][]byte{".in": input, ".ans": answer})
}
