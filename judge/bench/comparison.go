package bench

import (
	"crucible/judge/problem"
	"crucible/judge/stat"
)

// A Comparison is which submission is faster, by how much, and how sure that is;
// of one alone, how long it takes.
//
// The reference is the one that the measurement names. If it is not right on
// every case, the one takes its place that is right on most, and of these the
// first: what is faster or slower has no part in that.
//
// All claims of whole programs together are wrong with a probability of at most
// half of what Confidence leaves, and so are all claims of single cases.
type Comparison struct {
	Measurement *Measurement
	Rounds      int           // that all were measured in
	Reference   int           // the place of the submission that ratios are to
	Programs    []Program     // by submission
	Alone       *stat.Summary // of one submission that is alone: seconds of CPU, the geometric mean of a round's cases; nil otherwise, and where no round has all cases
	Doubts      []stat.Doubt
}

// A Program is one submission's part of a [Comparison].
type Program struct {
	Wrong   string        // why it has no times, a line for people: "WA on secret/03: …", "skipped: …"; "" if it has
	Cells   []Cell        // by case
	Overall *stat.Ratio   // of the geometric mean over all cases; nil for the reference and where a case has no ratio
	Startup *stat.Summary // seconds of CPU; nil if not measured
}

// A Cell is one submission on one case. Times are in seconds, memory in bytes.
type Cell struct {
	Verdict      problem.Verdict // AC if it counts; what was not right otherwise; "" if it did not run or the judge failed
	Why          string
	CPU, Wall    stat.Summary
	Memory       stat.Summary // peaks
	Instructions stat.Summary // N is 0 where the machine does not count them
	Ratio        *stat.Ratio  // of CPU time to the reference's; nil for the reference itself, and where either has no times
}
