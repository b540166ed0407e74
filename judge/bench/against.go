package bench

import (
	"cmp"
	"math"
	"slices"

	"crucible/judge/stat"
)

// A Yardstick says how two stored runs are compared. Its zero value compares
// CPU times with a confidence of 95 %, and minds any difference that is sure.
type Yardstick struct {
	Metric     Metric
	Threshold  float64 // the smallest change that matters: 0.05 is 5 %
	Confidence float64 // that no claim at all is wrong; 0 is 0.95
	Reference  string  // the submission of both runs that numbers of the Metric are relative to; "" if they are as measured
}

// An Against is what of a stored run is slower than in another one.
//
// The runs were measured apart, so nothing is paired between them. For each
// submission and case it is the ratio of medians, with [stat.Unpaired]'s
// interval. For a submission over all its cases a round of either run comes to
// one number, the geometric mean of the round's times, and these are compared
// in the same way: no assumption about their distribution is added, and a round
// that was slow as a whole is one slow number. All claims together are wrong
// with a probability of at most what Confidence leaves, half of it for whole
// submissions and half for single cases. That is of chance within the runs:
// what changed between them, beside the programs, is part of the ratio, unless
// both runs have a Reference: numbers are then over those of the reference in
// the same round, so that what the machine does to both is in neither.
type Against struct {
	Yardstick
	Old, New *Saved
	Machine  []Difference // why the times should not be compared at all
	Unknown  []string     // names of facts of the machine that are not known of both
	Setting  []Difference // what may explain differences
	Programs []Matched    // in the order of the new run
	Left     []Leftover
	Doubts   []stat.Doubt
}

// A Matched is a submission that is in both runs.
type Matched struct {
	Problem, Name, Language string
	SameSource              bool    // known to be unchanged: what differs is the machine or the toolchain
	Lost                    string  // it ran and does not run any more: why; a regression
	Overall                 *Change // of all its cases together; nil if fewer than two have times in both, or no round has them all
	Cells                   []MatchedCell
}

// A MatchedCell is a submission on a case that is in both runs.
type MatchedCell struct {
	Case   string
	Size   float64
	Lost   string  // it was accepted and is not any more: what it is now; a regression
	Found  string  // it was not accepted and is now: what it was
	Wrong  string  // it was not accepted and still is not: what it is now
	Change *Change // nil if it has no times in both
}

// A Change is how one quantity of the new run stands to that of the old one.
type Change struct {
	stat.Ratio              // new over old, by the metric
	Old, New   stat.Summary // in the metric's unit, or over the reference; of Overall, geometric means of a round
	Outcome    Outcome
	Withheld   bool // that it is slower or faster is not claimed: what is known not to have changed differs as much
	// Ratios of medians by the other metrics, for which nothing is claimed; the
	// metric itself and what was not measured are left out.
	Others map[Metric]float64
}

// An Outcome is what a [Change] means to somebody who wants no regressions.
type Outcome string

const (
	Regression Outcome = "regression" // surely slower, and it is seen to be so by the threshold or more
	Held       Outcome = "held"       // surely not slower by the threshold or more
	Open       Outcome = "open"       // too few runs, or too noisy, to say either; or it differs by no more than what has not changed
)

// Gained reports whether it is faster, and that is claimed.
func (c *Change) Gained() bool { return c.Outcome == Held && c.Claim == stat.Faster && !c.Withheld }

// A Leftover is something that was not compared.
type Leftover struct {
	Problem, Name string // of the submission
	Case          string // "" for all of its cases
	Why           string // "in OLD only", …
	Missing       bool   // the old run has it, so a regression would not be seen
}

// Regressions counts what got worse: verdicts lost and sure slowdowns.
func (a *Against) Regressions() int { return a.count(Regression) }

// Open counts the comparisons that too few runs leave open.
func (a *Against) Open() int { return a.count(Open) }

// Missing counts what the old run has and what could not be compared.
func (a *Against) Missing() (n int) {
	for _, l := range a.Left {
		if l.Missing {
			n++
		}
	}
	return n
}

func (a *Against) count(o Outcome) (n int) {
	add := func(lost string, c *Change) {
		if lost != "" && o == Regression || c != nil && c.Outcome == o {
			n++
		}
	}
	for _, p := range a.Programs {
		add(p.Lost, p.Overall)
		for _, c := range p.Cells {
			add(c.Lost, c.Change)
		}
	}
	return n
}

// AgainstOf compares a stored run with an older one. It compares runs of
// different machines, too: whether to is for the caller to say, by Machine.
func AgainstOf(old, new *Saved, y Yardstick) *Against {
	a := &Against{Yardstick: y, Old: old, New: new}
	a.Metric, a.Confidence = cmp.Or(y.Metric, ByCPU), cmp.Or(y.Confidence, 0.95)
	if a.Reference != "" {
		a.Old, a.New = old.relativeTo(a.Reference, a.Metric), new.relativeTo(a.Reference, a.Metric)
	}
	a.Machine, a.Unknown = differences(old.Machine, new.Machine)
	a.Setting, _ = differences(old.Setting, new.Setting)
	pairs := a.match()
	a.measure(pairs)
	a.excuse()
	a.doubt(pairs)
	return a
}

// A pairing is where the numbers of a Matched come from.
type pairing struct {
	old, new []*SavedCell // by cell of the Matched; nil where there is nothing to compare
}

// timed are those of the pairing's cells that have numbers in both runs.
func (p pairing) timed() (old, new []*SavedCell) {
	for i := range p.old {
		if p.old[i] != nil {
			old, new = append(old, p.old[i]), append(new, p.new[i])
		}
	}
	return old, new
}

// measure fills in the changes. How many claims there are decides how sure each
// must be, so they are counted first.
func (a *Against) measure(pairs []pairing) {
	whole, single := 0, 0
	for _, p := range pairs {
		old, _ := p.timed()
		single += len(old)
		if len(old) > 1 {
			whole++
		}
	}
	// A run that ended as soon as it was sure enough has looked several times,
	// and its numbers may be those of any look: the interval must hold at every
	// pair of looks.
	looks := max(a.Old.Looks, 1) * max(a.New.Looks, 1)
	share := a.Confidence
	if whole > 0 {
		share = stat.Level(a.Confidence, 1, 2) // half of the error for each kind of claims
	}
	for i, p := range pairs {
		m := &a.Programs[i]
		for k := range m.Cells {
			if p.old[k] != nil {
				m.Cells[k].Change = a.change([]*SavedCell{p.old[k]}, []*SavedCell{p.new[k]}, stat.Level(share, looks, single))
			}
		}
		if old, new := p.timed(); len(old) > 1 {
			m.Overall = a.change(old, new, stat.Level(share, looks, whole))
		}
	}
}

// change compares cells, one or several together; nil if no round has them all.
func (a *Against) change(old, new []*SavedCell, confidence float64) *Change {
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
	if r := &c.Ratio; r.Ratio == 0 || math.IsInf(r.Ratio, 0) || math.IsNaN(r.Ratio) {
		// A clock too coarse for the program: nothing is known, least of all by how much.
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

// outcome judges a ratio by the threshold.
func (a *Against) outcome(r stat.Ratio) Outcome {
	switch {
	case r.Claim == stat.Slower && r.Ratio >= 1+a.Threshold:
		return Regression
	case r.Hi < 1+a.Threshold:
		return Held
	}
	return Open
}

// together are the geometric means over cells of what was measured in one
// round, by round: of one cell its numbers as they are. It is nil where a cell
// has none, or where no round has all.
func together(cells []*SavedCell, m Metric) []float64 {
	if len(cells) == 1 {
		return cells[0].values(m)
	}
	sums, times := make(map[int]float64), make(map[int]int)
	for _, c := range cells {
		for i, x := range c.values(m) {
			sums[c.Rounds[i]] += math.Log(x) / float64(len(cells))
			times[c.Rounds[i]]++
		}
	}
	var means []float64
	for _, c := range cells[0].Rounds {
		if times[c] == len(cells) {
			means = append(means, math.Exp(sums[c]))
		}
	}
	return slices.Clip(means)
}
