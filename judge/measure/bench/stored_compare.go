package bench

import (
	"cmp"
	"fmt"
	"math"

	"crucible/judge/measure/stat"
)

// A Criterion decides which differences of two stored runs count. The zero
// value compares by the clock of the runs with a confidence of 95 %, and reports every
// significant difference.
type Criterion struct {
	Metric     Metric  `json:"metric"`     // "" is the clock of the runs
	Threshold  float64 `json:"threshold"`  // the smallest change that matters: 0.05 is 5 %
	Confidence float64 `json:"confidence"` // that all claims are true; 0 is 0.95
	// The submission of both runs that values of the Metric are divided by; "" for absolute
	// values.
	Reference string `json:"reference"`
}

// A RunComparison is the comparison of a stored run with an older one.
//
// The runs were measured separately, so their values are not paired. For each
// submission and case, the ratio is that of the medians, with the interval of
// [stat.Unpaired]. For a submission over all its cases, each round gives one
// value, the geometric mean of its times, and these values are compared in the
// same way. This assumes no distribution, and a round that was slow on all cases
// is one slow value. All claims together are true with the probability
// Confidence; half of the error is for claims over all cases, half for those on
// single cases. This covers only chance within the runs: the ratio includes every
// change between them, such as that of the machine. With a Reference, values are
// divided by those of the reference in the same round, which removes effects of
// the machine on both.
type RunComparison struct {
	Old       *StoredRun      `json:"old"` // the older run, relative to the reference if there is one
	New       *StoredRun      `json:"new"` // the newer run, likewise
	Criterion                 // the settings, with defaults filled in
	Machine   []Difference    `json:"machine"`  // differences for which times should not be compared
	Unknown   []string        `json:"unknown"`  // names of facts about the machine that one of the runs does not have
	Setting   []Difference    `json:"setting"`  // differences that may explain changes
	Programs  []ProgramChange `json:"programs"` // in the order of the new run
	Left      []Omission      `json:"left"`     // submissions and cases that were not compared
	Doubts    []stat.Doubt    `json:"doubts"`   // about the comparison
}

// A ProgramChange is a submission that is in both runs.
type ProgramChange struct {
	Problem  string `json:"problem"`    // the problem's id
	Name     string `json:"submission"` // the submission's name
	Language string `json:"language"`   // the language's code
	// Of the compiler; nil if nothing was compiled, or if it is not known.
	OldCommand []string `json:"old_command,omitempty"`
	NewCommand []string `json:"new_command,omitempty"` // likewise
	// The source is known to be unchanged and no other compiler command is known, so only the
	// machine or the toolchain may differ.
	SameSource bool   `json:"same_source"`
	Lost       string `json:"lost"` // why it no longer runs, which is a regression; "" if it runs
	// Over all its cases; nil if fewer than two have times in both runs, or no round has all.
	Overall *Change      `json:"overall"`
	Cells   []CaseChange `json:"cells"` // by case, in the order of the new run
}

// A CaseChange is a submission on a case that is in both runs.
type CaseChange struct {
	Case   string  `json:"case"`   // the name of the case
	Size   float64 `json:"size"`   // n of a generated input of growing size; 0 otherwise
	Lost   string  `json:"lost"`   // the new verdict of one that was accepted and no longer is, which is a regression
	Found  string  `json:"found"`  // the old verdict of one that is accepted now and was not
	Wrong  string  `json:"wrong"`  // the new verdict of one that is not accepted in either run
	Change *Change `json:"change"` // nil unless both runs have times

	old, new *StoredCell // nil if there is nothing to compare
}

// A Change compares a quantity of the new run with that of the old one.
type Change struct {
	stat.Ratio         // new divided by old, by the metric
	Outcome    Outcome `json:"outcome"` // by the threshold
	// The claim does not count, because programs that are known to be unchanged differ as much.
	Withheld bool `json:"withheld"`
	// In the metric's unit, or relative to the reference; for Overall, of the geometric means
	// of the rounds.
	Old stat.Summary `json:"old"`
	New stat.Summary `json:"new"` // likewise
	// Others has ratios of medians by the other metrics that were measured. They
	// make no claims.
	Others map[Metric]float64 `json:"others"`
}

// An Outcome classifies a [Change].
type Outcome string

const (
	Regression Outcome = "regression" // significantly slower, and the measured ratio reaches the threshold
	Held       Outcome = "held"       // significantly not slower by the threshold or more
	// Neither: too few runs, too much noise, or no more difference than in unchanged programs.
	Open Outcome = "open"
)

// Gained reports whether the new run is significantly faster, and the claim counts.
func (c *Change) Gained() bool { return c.Outcome == Held && c.Claim == stat.Faster && !c.Withheld }

// An Omission is a submission, or one of its cases, that was not compared.
type Omission struct {
	Problem string `json:"problem"`    // the problem's id
	Name    string `json:"submission"` // the submission's name
	Case    string `json:"case"`       // "" for all of its cases
	Why     string `json:"why"`        // "in OLD only", …
	Missing bool   `json:"missing"`    // the old run has it, so a regression would be missed
}

// Counts contains the numbers of results of a [RunComparison].
type Counts struct {
	Regressions int `json:"regressions"` // lost verdicts and significant slow-downs
	Open        int `json:"open"`        // changes with the outcome [Open]
	Missing     int `json:"missing"`     // leftovers that the old run has
}

// Counts counts the results.
func (a *RunComparison) Counts() (n Counts) {
	for i := range a.Programs {
		p := &a.Programs[i]
		for _, c := range p.Changes() {
			switch c.Outcome {
			case Regression:
				n.Regressions++
			case Open:
				n.Open++
			}
		}
		if p.Lost != "" {
			n.Regressions++
		}
		for _, c := range p.Cells {
			if c.Lost != "" {
				n.Regressions++
			}
		}
	}
	for _, l := range a.Left {
		if l.Missing {
			n.Missing++
		}
	}
	return n
}

// Changes returns all that was compared of a submission, the change over all cases
// first.
func (m *ProgramChange) Changes() (all []*Change) {
	if m.Overall != nil {
		all = append(all, m.Overall)
	}
	for _, c := range m.Cells {
		if c.Change != nil {
			all = append(all, c.Change)
		}
	}
	return all
}

// RunComparisonOf compares a stored run with an older one. It also compares runs on
// different machines; the caller may reject these by the field Machine. The error is for
// runs with different clocks, or with different counters of instructions: no value of one
// may be compared with one of the other.
func RunComparisonOf(old, new *StoredRun, y Criterion) (*RunComparison, error) {
	if old.Counter != new.Counter {
		return nil, fmt.Errorf("the clock of %s is %s; the clock of %s is %s: expected the same clock and version", old.Name,
			old.clock(), new.Name, new.clock())
	}
	a := &RunComparison{Criterion: y, Old: old, New: new}
	a.Metric, a.Confidence = cmp.Or(y.Metric, new.Metric()), cmp.Or(y.Confidence, 0.95)
	if a.Reference != "" {
		a.Old, a.New = old.relativeTo(a.Reference, a.Metric), new.relativeTo(a.Reference, a.Metric)
	}
	a.Machine, a.Unknown = differences(old.Machine, new.Machine)
	a.Setting, _ = differences(old.Setting, new.Setting)
	a.match()
	a.measure()
	a.excuse()
	a.doubt()
	return a, nil
}

// timed returns the cells that have times in both runs.
func (m *ProgramChange) timed() (old, new []*StoredCell) {
	for _, c := range m.Cells {
		if c.old != nil {
			old, new = append(old, c.old), append(new, c.new)
		}
	}
	return old, new
}

// measure computes the changes. It counts the claims first, because their number
// determines the confidence of each.
func (a *RunComparison) measure() {
	overall, single := 0, 0
	for i := range a.Programs {
		old, _ := a.Programs[i].timed()
		single += len(old)
		if len(old) > 1 {
			overall++
		}
	}
	// A run that ended as soon as it was precise enough has looked several times,
	// and may have ended at any look: the interval must be valid for every pair of
	// looks.
	looks := max(a.Old.Looks, 1) * max(a.New.Looks, 1)
	share := a.Confidence
	if overall > 0 {
		share = stat.Level(a.Confidence, 1, 2) // half of the error for each kind of claims
	}
	for i := range a.Programs {
		m := &a.Programs[i]
		for k := range m.Cells {
			if c := &m.Cells[k]; c.old != nil {
				c.Change = a.change([]*StoredCell{c.old}, []*StoredCell{c.new}, stat.Level(share, looks, single))
			}
		}
		if old, new := m.timed(); len(old) > 1 {
			m.Overall = a.change(old, new, stat.Level(share, looks, overall))
		}
	}
}

// change compares one cell, or several together; nil if no round has all of them.
func (a *RunComparison) change(old, new []*StoredCell, confidence float64) *Change {
	before, after := together(old, a.Metric), together(new, a.Metric)
	if before == nil || after == nil {
		return nil
	}
	c := &Change{
		Ratio:  stat.Unpaired(after, before, confidence),
		Old:    stat.Summarize(before, confidence),
		New:    stat.Summarize(after, confidence),
		Others: make(map[Metric]float64),
	}
	if a.Metric == ByInstructions && stat.Repeats(before) && stat.Repeats(after) {
		c.Ratio, c.Old, c.New = stat.Exact([][]float64{after}, [][]float64{before}), stat.ExactSummary(before),
			stat.ExactSummary(after)
	}
	if r := &c.Ratio; r.Ratio == 0 || math.IsInf(r.Ratio, 0) || math.IsNaN(r.Ratio) {
		// The clock is too coarse: nothing is known about the ratio.
		r.Claim, r.Interval = stat.CannotTell, stat.Interval{Hi: math.Inf(1), Confidence: 1}
	}
	c.Outcome = a.outcome(c.Ratio)
	for _, m := range Metrics {
		before, after := together(old, m), together(new, m)
		if m == a.Metric || before == nil || after == nil {
			continue
		}
		x, _ := stat.Median(after, confidence)
		y, _ := stat.Median(before, confidence)
		if r := x / y; r > 0 && !math.IsInf(r, 0) {
			c.Others[m] = r
		}
	}
	return c
}

// outcome returns the outcome of a ratio by the threshold.
func (a *RunComparison) outcome(r stat.Ratio) Outcome {
	switch {
	case r.Claim == stat.Slower && r.Ratio >= 1+a.Threshold:
		return Regression
	case r.Hi < 1+a.Threshold, r.Claim == stat.Equal:
		return Held
	}
	return Open
}

// together returns the geometric mean over the cells for each round that has all
// of them; for one cell, its values. It is nil if a cell has no values, or no round
// has all cells.
func together(cells []*StoredCell, m Metric) []float64 {
	if len(cells) == 1 {
		return cells[0].values(m)
	}
	var columns []column
	for _, c := range cells {
		values := c.values(m)
		columns = append(columns, column{c.Rounds[:len(values)], values})
	}
	return means(columns)
}
