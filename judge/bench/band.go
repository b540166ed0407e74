package bench

import (
	"time"

	"crucible/judge/problem"
	"crucible/judge/stat"
)

// A Band is what time limits would separate the submissions that must pass from
// those that must not, and how safely.
type Band struct {
	Measurement *Measurement
	Limit       time.Duration // the problem's; 0 if it names none
	Proposed    time.Duration // by the format's rule; 0 if no limit obeys it
	None        string        // why no limit obeys the rule; "" if one does
	Violated    []string      // how the problem's own limit breaks the rule, a line each
	At          time.Duration // the limit that Rows are about: the problem's or, if it has none, the one proposed; 0 if there is neither
	Least, Most time.Duration // limits from Least to Most have both margins; Most is 0 if nothing bounds them from above, Least likewise
	Slowest     *Bound        // that must pass; nil if none bounds the limit from below
	Fastest     *Bound        // that must not
	Rows        []Stance      // by submission
	Languages   []Multiplier  // those that have an accepted submission, the fastest first
	Machines    []Elsewhere   // what limit machines of other speeds want
	Doubts      []stat.Doubt
}

// A Bound is a submission that bounds the limit.
type Bound struct {
	Submission, Case int
	Time             time.Duration // CPU, the median of the runs; at least so much, if it was stopped
	Stopped          bool
	Runs             int
}

// A Stance is how one submission stands to the limit [Band].At.
//
// Its verdict is TLE if it is too slow on some case, and Flip is the chance that
// another run of the whole submission changes that, from the cases nearest to
// the limit, taken together. Cases far from it are taken to stay there, and so is
// any other reason to fail.
type Stance struct {
	Wrong   string          // why nothing is known of it
	Case    int             // the nearest to the limit; -1 if none
	Nearest []int           // all that Flip is from, the case among them
	Time    stat.Summary    // seconds of CPU on it; the median is a bound from below, if Stopped
	Stopped bool            // so many of its runs were stopped that the median is not known
	Bounds  Side            // what it says about the limit
	Verdict problem.Verdict // of most runs; "" if not known
	Flip    stat.Chance     // that another run of the whole submission gets TLE instead, or does not get it
}

// A Side is where a submission puts the limit.
type Side string

const (
	Neither Side = ""
	Above   Side = "above" // the limit is above its time: it must pass, or fail for another reason
	Below   Side = "below" // the limit is below its time
	Both    Side = "both"  // above on some cases, below on others
)

// A Multiplier says how slow a language is here, by its fastest accepted
// submission against the fastest of all, each on its slowest case.
type Multiplier struct {
	Language   string // code
	Submission int    // its fastest
	Time       time.Duration
	Factor     float64 // of the fastest of all; 1 for its language
	Slowest    int     // its slowest accepted submission
	Needs      float64 // the factor on the limit At that would give that one its margin; 1 or less where the limit does; 0 if there is no limit
}

// An Elsewhere is a machine of another speed.
type Elsewhere struct {
	Slower  float64       // times as slow as this one
	Limit   time.Duration // by the same rule; 0 if none
	Why     string        // there is none
	Unknown bool          // there may be one: what was stopped may be slower than it had to show
}
