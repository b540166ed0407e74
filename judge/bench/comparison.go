package bench

import (
	"crucible/judge/problem"
	"crucible/judge/stat"
)

// A Comparison shows which submission is faster, by how much, and with which
// confidence; for a single submission, how long it takes.
//
// The reference is that of the measurement. If it is not accepted on every case,
// the submission accepted on most cases replaces it; of several, the first.
//
// The claims over all cases are all true with a probability of at least
// 1 - (1-Confidence)/2, and so are the claims on single cases.
type Comparison struct {
	Measurement *Measurement    `json:"-"`         // the measurement that it was computed from
	Rounds      int             `json:"rounds"`    // the number of rounds that all accepted submissions have
	Reference   SubmissionIndex `json:"reference"` // the submission that ratios are relative to
	Alone       *stat.Summary   `json:"alone_s"`   // for a single submission: seconds of CPU time, the geometric mean over the cases of a round; nil otherwise, or if no round has all cases
	Programs    []Program       `json:"programs"`  // by submission
	Doubts      []stat.Doubt    `json:"doubts"`    // about the measurement
}

// A Program is one submission's part of a [Comparison].
type Program struct {
	Submission SubmissionIndex `json:"submission"` // the submission
	Wrong      string          `json:"wrong"`      // why times are missing, one line for people: "WA on secret/03: …", "skipped: …"; "" if none are
	Cells      []Cell          `json:"cells"`      // by case
	Overall    *stat.Ratio     `json:"overall"`    // of the geometric mean over all cases; nil for the reference, or if a case has no ratio
	Startup    *stat.Summary   `json:"startup_s"`  // seconds of CPU time; nil if not measured
}

// A Cell is the result of one submission on one case.
type Cell struct {
	Case         CaseIndex       `json:"case"`         // the case
	Verdict      problem.Verdict `json:"verdict"`      // AC if all runs were accepted, otherwise the first other verdict; "" if it did not run or the judge failed
	Why          string          `json:"why"`          // the reason for a verdict other than AC
	CPU          stat.Summary    `json:"cpu_s"`        // seconds
	Wall         stat.Summary    `json:"wall_s"`       // seconds
	Memory       stat.Summary    `json:"memory_bytes"` // bytes, the peak
	Instructions stat.Summary    `json:"instructions"` // N is 0 if the machine cannot count them
	Ratio        *stat.Ratio     `json:"ratio"`        // of the CPU time to that of the reference; nil for the reference, or if either has no times
}
