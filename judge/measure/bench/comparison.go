package bench

import (
	"cmp"
	"math"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
)

// A Comparison shows which submission is faster, by how much, and with which
// confidence; for a single submission, how long it takes.
//
// The reference is that of the measurement. If it is not accepted on every case,
// the submission accepted on most cases replaces it; of several, the first.
//
// The ratios are of the measurement's clock.
//
// The claims over all cases are all true with a probability of at least
// 1 - (1-Confidence)/2, and so are the claims on single cases.
type Comparison struct {
	Measurement *Measurement `json:"-"` // the measurement that it was computed from
	// The number of rounds that all accepted submissions have.
	Rounds    int             `json:"rounds"`
	Reference SubmissionIndex `json:"reference"` // the submission that ratios are relative to
	// For a single submission: seconds of CPU time, the geometric mean over the cases of a
	// round; nil otherwise, or if no round has all cases.
	Alone      *stat.Summary `json:"alone_s"`
	AloneCount *stat.Summary `json:"alone_instructions,omitzero"` // likewise, instructions, if they are the clock
	Programs   []Program     `json:"programs"`                    // by submission
	Doubts     []stat.Doubt  `json:"doubts"`                      // about the measurement
	// The geometric mean of the cases' medians; nil for fewer than two workers. The rest is
	// about the worker that took longest.
	Workers []WorkerTime `json:"workers,omitempty"`
}

// A Program is one submission's part of a [Comparison].
type Program struct {
	Submission SubmissionIndex `json:"submission"` // the submission
	// Why times are missing, one line for people: "WA on secret/03: …", "skipped: …"; "" if
	// none are.
	Wrong string `json:"wrong"`
	Cells []Cell `json:"cells"` // by case
	// Of the geometric mean over all cases; nil for the reference, or if a case has no ratio.
	Overall *stat.Ratio   `json:"overall"`
	Startup *stat.Summary `json:"startup_s"` // seconds of CPU time; nil if not measured

	// Other ways to compare all cases, which make no claims; nil where Overall is nil,
	// or if there is one case.
	Total   *float64   `json:"total_ratio,omitzero"`  // the sum of the cases' medians divided by that of the reference
	Fastest *CaseRatio `json:"fastest_case,omitzero"` // the case with the smallest ratio
	Slowest *CaseRatio `json:"slowest_case,omitzero"` // the case with the largest ratio
}

// A CaseRatio is the ratio of a submission to the reference on one case.
type CaseRatio struct {
	Case  CaseIndex `json:"case"`  // the case
	Ratio float64   `json:"ratio"` // see [Cell]
}

// Single returns the summary of the only submission, by the clock; nil if there is none.
func (c *Comparison) Single() *stat.Summary { return cmp.Or(c.Alone, c.AloneCount) }

// Values returns the summary of the values of the clock in a cell.
func (m *Measurement) Values(c *Cell) *stat.Summary {
	if m.Clock == ByInstructions {
		return &c.Instructions
	}
	return &c.CPU
}

// cases sets the ratio of totals and the range of ratios over the cases, if p has a
// ratio over all cases.
func (t *table) cases(p *Program) {
	if p.Overall == nil || len(t.Cases) < 2 {
		return
	}
	var total [2]float64
	for k := range p.Cells {
		total[0] += stat.MedianOf(t.records[p.Submission][k].runs.values(t.Value))
		total[1] += stat.MedianOf(t.records[t.reference][k].runs.values(t.Value))
		r := p.Cells[k].Ratio
		if r == nil || math.IsNaN(r.Ratio) {
			continue
		}
		one := &CaseRatio{CaseIndex(k), r.Ratio}
		if p.Fastest == nil || one.Ratio < p.Fastest.Ratio {
			p.Fastest = one
		}
		if p.Slowest == nil || one.Ratio > p.Slowest.Ratio {
			p.Slowest = one
		}
	}
	if of := total[0] / total[1]; of > 0 && !math.IsInf(of, 1) {
		p.Total = &of
	}
}

// A Cell is the result of one submission on one case.
type Cell struct {
	Case CaseIndex `json:"case"` // the case
	// AC if all runs were accepted, otherwise the first other verdict; "" if it did not run or
	// the judge failed.
	Verdict      problem.Verdict `json:"verdict"`
	Why          string          `json:"why"`          // the reason for a verdict other than AC
	CPU          stat.Summary    `json:"cpu_s"`        // seconds
	Wall         stat.Summary    `json:"wall_s"`       // seconds
	Memory       stat.Summary    `json:"memory_bytes"` // bytes, the peak
	Instructions stat.Summary    `json:"instructions"` // N is 0 if the machine cannot count them
	// Of the CPU time, or the instructions if they are the clock, to that of the reference; nil
	// for the reference, or if either has no times.
	Ratio *stat.Ratio `json:"ratio"`
}
