package bench

import (
	"time"

	"crucible/judge/problem"
	"crucible/judge/stat"
)

// A Band is the range of time limits that separate the submissions that must pass
// from those that must exceed the limit.
type Band struct {
	Measurement *Measurement
	Limit       time.Duration // the problem's; 0 if it has none
	Proposed    time.Duration // by the package format's rule; 0 if no limit obeys it
	None        string        // why no limit obeys the rule; "" if one does
	Violated    []string      // how the problem's own limit breaks the rule, one line each
	At          time.Duration // the limit of Rows: the problem's or, if it has none, the proposed one; 0 if there is neither
	Least, Most time.Duration // limits from Least to Most have both margins; 0 if there is no bound on that side
	Slowest     *Bound        // the slowest that must pass; nil if none bounds the limit from below
	Fastest     *Bound        // the fastest that must exceed the limit; nil if none bounds the limit from above
	Rows        []Stance      // one for each submission
	Languages   []Multiplier  // of the languages with an accepted submission, the fastest first
	Machines    []Elsewhere   // the limits on machines of other speeds
	Doubts      []stat.Doubt  // none if nothing was found
}

// A Bound is a submission that bounds the limit.
type Bound struct {
	Submission, Case int           // indexes in the measurement
	Time             time.Duration // CPU time, the median of the runs; a lower bound if Stopped
	Stopped          bool          // runs were stopped, so the median is not known
	Runs             int           // on this case
}

// A Stance is the verdict of one submission under the limit [Band].At, and its
// reliability.
//
// The verdict is TLE if the submission is too slow on some case. Flip is the
// probability that another run on all cases changes that. It is estimated from
// the cases closest to the limit together. Cases far from the limit, and other
// reasons to fail, are assumed not to change.
type Stance struct {
	Wrong   string          // why it was not measured; "" if it was
	Case    int             // the case that decides the verdict; -1 if none
	Nearest []int           // the cases that Flip is estimated from, Case first
	Time    stat.Summary    // seconds of CPU time on Case; the median is a lower bound if Stopped
	Stopped bool            // runs were stopped, so the median is not known
	Bounds  Side            // how it bounds the limit
	Verdict problem.Verdict // of most runs; "" if not known
	Flip    stat.Chance     // the probability that another run on all cases changes the verdict to or from TLE
}

// A Side says on which side of a submission's time the limit must be.
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
	Language   string        // code
	Submission int           // its fastest accepted submission
	Time       time.Duration // CPU time of that submission on its slowest case
	Factor     float64       // Time divided by that of the fastest language
	Slowest    int           // its slowest accepted submission
	Needs      float64       // the multiplier of the limit At that gives Slowest its margin; at most 1 if none is needed; 0 if there is no limit
}

// An Elsewhere is the limit on a machine of another speed.
type Elsewhere struct {
	Slower  float64       // the time of programs there divided by that on this machine
	Limit   time.Duration // by the same rule; 0 if there is none
	Why     string        // why there is no limit; "" if there is one
	Unknown bool          // there may be a limit, but runs were stopped too early
}
