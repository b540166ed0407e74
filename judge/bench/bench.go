// Package bench measures submissions against each other under judge conditions:
// the same sandbox, limits and checks as a verdict, but on one core, in turns,
// in random order, as often as an answer needs.
//
// What was measured is a [Measurement]: facts alone, which can be stored and
// read again. What it means is worked out from it by pure functions, one for
// each question: [CompareOf] (which is faster, by how much, how sure), [ScalingOf]
// (how does time grow with the input) and [BandOf] (which time limit separates).
package bench

import (
	"time"

	"crucible/judge/machine"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Kind says what a measurement was made for.
type Kind string

const (
	ForBench  Kind = "bench"  // submissions against a reference, or one alone, for [CompareOf]
	ForScale  Kind = "scale"  // on inputs of growing size, for [ScalingOf]
	ForLimits Kind = "limits" // near the time limit, for [BandOf]
)

// A Measurement is what was run, on what, and what became of it.
type Measurement struct {
	Kind        Kind
	Problem     string // the problem's id
	Limits      problem.Limits
	Timing      problem.TimeRule
	Seed        uint64 // of the order
	Confidence  float64
	Looks       int // how often it was looked at the numbers at most, to end or go on; each look costs some of the confidence
	Submissions []Entrant
	Cases       []Input
	Reference   int      // the place of the submission that others are to be compared with; [Comparison] has the one that they are
	Trials      []Trial  // in the order they ran
	Doubts      []string // about all of it: load from elsewhere, inputs that do not grow

	Cores     []int            // the processors that submissions were pinned to; nil if they were not
	Precision float64          // how precise ratios were asked to be: the half-width of intervals, 0.01 is 1 %; 0 if a number of rounds was asked for
	Budget    time.Duration    // of real time, for all rounds together; 0 is none
	Ended     Ending           // why there are not more rounds; "" while it goes on, or if it was killed
	Load      machine.Activity // what others did on the machine meanwhile
	Growth    *Growth          // what the inputs of ForScale were made from; nil otherwise
}

// watch begins to look at what others do on the machine, which must not be
// before it is known which cores are used. What it returns says what they did
// until then, each time that it is called.
func (m *Measurement) watch() (look func()) {
	before, began := len(m.Trials), machine.Observe(m.Cores)
	return func() {
		var ran time.Duration
		for i := range m.Trials[before:] {
			ran += m.Trials[before+i].Outcome.CPU
		}
		m.Load = began.Until(ran)
	}
}

// An Ending is why a measurement came to its end.
type Ending string

const (
	Precise     Ending = "precise"     // all intervals are as narrow as was asked
	OutOfBudget Ending = "budget"      // another round would not have fitted
	AllRounds   Ending = "rounds"      // as many as were asked for, or as there may be
	NoRivals    Ending = "no rivals"   // nothing is left that could be compared or, of one submission, measured
	Interrupted Ending = "interrupted" // by whoever called
)

// An Entrant is a submission that takes part.
type Entrant struct {
	Name     string // its path below submissions/, or the file's
	Language string // code
	Expected []problem.Expectation
	Skipped  string            // why it does not run; "" if it does
	Startup  []sandbox.Outcome // of its language's empty program on the same box; nil if not measured
}

// An Input is a case that is run.
type Input struct {
	Name string  // the case's, or that of a generated input
	Size float64 // n, of generated inputs that grow; 0 otherwise
}

// A Trial is one run of a submission.
type Trial struct {
	Submission, Case int             // places in the measurement's lists
	Round            int             // from 0: trials of one round and case are compared with each other; -1 is a warm-up
	At               time.Duration   // when it began, from the start of the measurement
	Verdict          problem.Verdict // "" if the judge failed
	Why              string
	Outcome          sandbox.Outcome // of several passes: what the one that used most used, as limits have it
	Err              string          // the judge's failure
}
