package bench

import (
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
)

// A Band is the range of time limits that separate the submissions that must pass
// from those that must exceed the limit.
type Band struct {
	Measurement *Measurement  `json:"-"`           // the measurement that it was computed from
	Limit       time.Duration `json:"limit_ns"`    // the problem's; 0 if it has none
	Proposed    time.Duration `json:"proposed_ns"` // by the package format's rule; 0 if no limit obeys it
	None        string        `json:"none"`        // why no limit obeys the rule; "" if one does
	Violated    []string      `json:"violated"`    // how the problem's own limit breaks the rule, one line each
	// The limit of Rows: the problem's or, if it has none, the proposed one; 0 if there is
	// neither.
	At time.Duration `json:"at_ns"`
	// The least limit with the margin above Slowest; 0 if there is no bound on that side.
	Least time.Duration `json:"least_ns"`
	// The largest limit with the margin below Fastest; 0 if there is no bound on that side.
	Most    time.Duration `json:"most_ns"`
	Slowest *Bound        `json:"slowest"` // the slowest that must pass; nil if none bounds the limit from below
	// The fastest that must exceed the limit; nil if none bounds the limit from above.
	Fastest   *Bound         `json:"fastest"`
	Rows      []LimitVerdict `json:"rows"`              // one for each submission
	Languages []Multiplier   `json:"languages"`         // of the languages with an accepted submission, the fastest first
	Machines  []MachineLimit `json:"machines"`          // the limits on machines of other speeds
	Doubts    []stat.Doubt   `json:"doubts"`            // none if nothing was found
	Workers   []WorkerBand   `json:"workers,omitempty"` // what each worker alone shows; nil for fewer than two
}

// A WorkerBand has the bounds of the limit that follow from the runs of one worker.
type WorkerBand struct {
	Worker
	Slowest  *Bound        `json:"slowest"`
	Fastest  *Bound        `json:"fastest"`
	Proposed time.Duration `json:"proposed_ns"` // 0 if no limit obeys the rule there
}

// A Bound is a submission that bounds the limit.
type Bound struct {
	Submission SubmissionIndex `json:"submission"` // the submission
	Case       CaseIndex       `json:"case"`       // its slowest case
	Time       time.Duration   `json:"time_ns"`    // CPU time, the median of the runs; a lower bound if Stopped
	Stopped    bool            `json:"stopped"`    // runs were stopped, so the median is not known
	Runs       int             `json:"runs"`       // on this case
}

// A LimitVerdict is the verdict of one submission under the limit [Band].At, and its
// reliability.
//
// The verdict is TLE if the submission is too slow on some case. Flip is the
// probability that another run on all cases changes that. It is estimated from
// the cases closest to the limit together. Cases far from the limit, and other
// reasons to fail, are assumed not to change.
type LimitVerdict struct {
	Submission SubmissionIndex `json:"submission"` // the submission
	Wrong      string          `json:"wrong"`      // why it was not measured; "" if it was
	Case       CaseIndex       `json:"case"`       // the case that decides the verdict; -1 if none
	Nearest    []CaseIndex     `json:"nearest"`    // the cases that Flip is estimated from, Case first
	Time       stat.Summary    `json:"time_s"`     // seconds of CPU time on Case; the median is a lower bound if Stopped
	Stopped    bool            `json:"stopped"`    // runs were stopped, so the median is not known
	Bounds     Side            `json:"bounds"`     // how it bounds the limit
	Verdict    problem.Verdict `json:"verdict"`    // of most runs; "" if not known
	// The probability that another run on all cases changes the verdict to or from TLE.
	Flip stat.Chance `json:"flip"`
}

// A Side is the side of a submission's time on which the limit must be.
type Side string

const (
	Neither Side = ""      // the submission does not bound the limit
	Above   Side = "above" // the limit is above its time: it must pass, or fail for another reason
	Below   Side = "below" // the limit is below its time
	Both    Side = "both"  // above on some cases, below on others
)

// A Multiplier compares the speed of a language with that of the fastest one: its
// fastest accepted submission with the fastest of all, each on its slowest case.
type Multiplier struct {
	Language   string          `json:"language"`   // code
	Submission SubmissionIndex `json:"submission"` // its fastest accepted submission
	Time       time.Duration   `json:"time_ns"`    // CPU time of that submission on its slowest case
	Factor     float64         `json:"factor"`     // Time divided by that of the fastest language
	Slowest    SubmissionIndex `json:"slowest"`    // its slowest accepted submission
	// The multiplier of the limit At that gives Slowest its margin; at most 1 if none is
	// needed; 0 if there is no limit.
	Needs float64 `json:"needs"`
}

// A MachineLimit is the limit on a machine of another speed.
type MachineLimit struct {
	Slower  float64       `json:"slower"`   // the time of programs there divided by that on this machine
	Limit   time.Duration `json:"limit_ns"` // by the same rule; 0 if there is none
	Why     string        `json:"why"`      // why there is no limit; "" if there is one
	Unknown bool          `json:"unknown"`  // there may be a limit, but runs were stopped too early
}
