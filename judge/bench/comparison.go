package bench

import (
	"crucible/judge/problem"
	"crucible/judge/stat"
)

// A Comparison says which submission is faster, by how much, and with which
// confidence; for a single submission, how long it takes.
//
// The reference is that of the measurement. If it is not accepted on every case,
// the submission accepted on most cases replaces it; of several, the first.
//
// The claims over all cases are all true with a probability of at least
// 1 - (1-Confidence)/2, and so are the claims on single cases.
type Comparison struct {
	Measurement *Measurement  // that it was computed from
	Rounds      int           // the number of rounds that all accepted submissions have
	Reference   int           // the index of the reference
	Programs    []Program     // by submission
	Alone       *stat.Summary // for a single submission: seconds of CPU time, the geometric mean over the cases of a round; nil otherwise, or if no round has all cases
	Doubts      []stat.Doubt  // about the measurement
}

// A Program is one submission's part of a [Comparison].
type Program struct {
	Wrong   string        // why times are missing, one line for people: "WA on secret/03: …", "skipped: …"; "" if none are
	Cells   []Cell        // by case
	Overall *stat.Ratio   // of the geometric mean over all cases; nil for the reference, or if a case has no ratio
	Startup *stat.Summary // seconds of CPU time; nil if not measured
}

// A Cell is the result of one submission on one case.
type Cell struct {
	Verdict      problem.Verdict // AC if all runs were accepted, otherwise the first other verdict; "" if it did not run or the judge failed
	Why          string          // the reason for a verdict other than AC
	CPU, Wall    stat.Summary    // seconds
	Memory       stat.Summary    // bytes, the peak
	Instructions stat.Summary    // N is 0 if the machine cannot count them
	Ratio        *stat.Ratio     // of the CPU time to that of the reference; nil for the reference, or if either has no times
}
