// Package bench measures submissions under judge conditions: with the sandbox,
// limits and checks of a verdict, but on one core, alternately, in random order,
// and as often as the question requires.
//
// A [Measurement] contains only facts, which can be stored and read again. Pure
// functions interpret it, one for each question: [CompareOf] (which submission is
// faster, and by how much), [ScalingOf] (how time grows with the input) and
// [BandOf] (which time limits separate the submissions).
package bench

import (
	"time"

	"crucible/judge/measure/machine"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Kind is the purpose of a measurement.
type Kind string

const (
	ForBench  Kind = "bench"  // submissions against a reference, or one alone, for [CompareOf]
	ForScale  Kind = "scale"  // on inputs of growing size, for [ScalingOf]
	ForLimits Kind = "limits" // near the time limit, for [BandOf]
)

// A Measurement records which submissions were run, on which cases, and the results.
type Measurement struct {
	Kind       Kind             `json:"kind"`           // determines the function that interprets it
	Clock      Metric           `json:"clock,omitzero"` // what is compared: [ByInstructions], or CPU time if it is ""
	Problem    string           `json:"problem"`        // the problem's id
	Limits     problem.Limits   `json:"limits"`         // of the runs
	Timing     problem.TimeRule `json:"timing"`         // the problem's
	Seed       uint64           `json:"seed,string"`    // of the random order
	Confidence float64          `json:"confidence"`     // of all claims together; 0 is 0.95
	// The largest number of checks of whether to end; each costs a share of the confidence.
	Looks       int          `json:"looks"`
	Submissions []Submission `json:"submissions"` // in the order of the trials' indexes
	Cases       []Input      `json:"cases"`       // in the order of the trials' indexes
	Reference   int          `json:"reference"`   // the index of the requested reference; [Comparison] has the one used
	Trials      []Trial      `json:"trials"`      // in the order in which they ran
	Doubts      []string     `json:"doubts"`      // about the measurement: load by other programs, inputs that do not grow

	// Those that made the runs: each made every run, while no other program of its judge ran.
	// Nil if this machine did. Results are those of the worker that took longest; see [BandOf]
	// for limits.
	Workers []Worker `json:"workers,omitempty"`

	Cores []int `json:"cores"` // the processors that submissions were pinned to; nil if none
	// The requested half-width of intervals: 0.01 is 1 %; 0 if a number of rounds was
	// requested.
	Precision float64          `json:"precision"`
	Budget    time.Duration    `json:"budget_ns"` // wall-clock time for all rounds; 0 is no limit
	Ended     Ending           `json:"ended"`     // why it ended; "" if it did not, or was killed
	Load      machine.Activity `json:"load"`      // the load by other programs
	Growth    *Growth          `json:"growth"`    // how the inputs of ForScale were made; nil otherwise
}

// An Ending is the reason why a measurement ended.
type Ending string

const (
	Precise     Ending = "precise"     // all intervals are as narrow as requested
	OutOfBudget Ending = "budget"      // the budget had no room for another round
	AllRounds   Ending = "rounds"      // all requested rounds were run, or as many as are allowed
	NoRivals    Ending = "no rivals"   // no submission is left to compare or, if there is only one, to measure
	Interrupted Ending = "interrupted" // the caller's context ended
)

// A Submission is a submission in a measurement.
type Submission struct {
	Name     string                `json:"name"`     // its path below submissions/, or that of the file
	Language string                `json:"language"` // code
	Expected []problem.Expectation `json:"expected"` // of its author
	Skipped  string                `json:"skipped"`  // why it was not run; "" if it was
	// Command of its compiler, see [build.Compile]; nil if nothing was compiled.
	Command []string `json:"command,omitempty"`
	// Of the empty program of its language, in the same sandbox; nil if not measured.
	Startup []sandbox.Outcome `json:"startup"`
}

// A SubmissionIndex is the index of a submission in [Measurement].Submissions.
// Records have the submission's name in its place.
type SubmissionIndex int

// A CaseIndex is the index of a case in [Measurement].Cases. Records have the
// case's name in its place.
type CaseIndex int

// An Input is a case of a measurement.
type Input struct {
	Name string  `json:"name"` // of the case, or of a generated input
	Size float64 `json:"size"` // n of a generated input of growing size; 0 otherwise
}

// A Trial is one run of a submission.
type Trial struct {
	Submission int `json:"submission"` // index in Measurement.Submissions
	Case       int `json:"case"`       // index in Measurement.Cases
	// From 0; trials of the same round and case are compared; -1 is a warm-up.
	Round   int             `json:"round"`
	Worker  int             `json:"worker,omitzero"` // index in Measurement.Workers
	At      time.Duration   `json:"at_ns"`           // when it started, since the start of the measurement
	Verdict problem.Verdict `json:"verdict"`         // "" if the judge failed
	Why     string          `json:"why"`             // the reason for the verdict
	Outcome sandbox.Outcome `json:",embed"`          // of several passes, the one that used most of each resource
	Err     string          `json:"error"`           // the judge's error; "" if there was none
}
