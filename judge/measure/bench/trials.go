package bench

import (
	"math"
	"slices"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
)

// runs are trials of one submission on one case, in the order in which they ran.
type runs []*Trial

// A sample contains the trials of one submission on one case.
type sample struct {
	runs  runs   // all but warm-ups
	fault *Trial // the first trial that was not accepted or had a judge error, also a warm-up; nil if none
	right int    // the number of trials before fault, including warm-ups
}

// good returns the runs if all trials were accepted; otherwise nil.
func (r *sample) good() runs {
	if r.fault != nil {
		return nil
	}
	return r.runs
}

// A table contains the trials of a measurement by submission and case: the runs of one
// worker, and the faults of all.
type table struct {
	*Measurement
	records   [][]sample
	reference int // the index of the reference, see [Comparison]
}

// tabulate returns the table of the worker that took longest.
func tabulate(m *Measurement) *table { return tabulateOf(m, m.Slowest()) }

func tabulateOf(m *Measurement, worker int) *table {
	t := &table{Measurement: m, records: make([][]sample, len(m.Submissions)), reference: m.Reference}
	for s := range t.records {
		t.records[s] = make([]sample, len(m.Cases))
	}
	for i := range m.Trials {
		trial := &m.Trials[i]
		r := &t.records[trial.Submission][trial.Case]
		switch {
		case r.fault != nil:
		case trial.Err != "" || trial.Verdict != problem.Accepted:
			r.fault = trial
		case trial.Worker == worker:
			r.right++
		}
		if trial.Round >= 0 && trial.Worker == worker {
			r.runs = append(r.runs, trial)
		}
	}
	accepted := make([]int, len(m.Submissions)) // the number of cases
	for _, p := range t.pairs() {
		accepted[p.Submission]++
	}
	for s := range accepted {
		if accepted[s] > accepted[t.reference] {
			t.reference = s
		}
	}
	return t
}

// accepted reports whether a submission can be run and had no fault on a case.
func (t *table) accepted(p Pair) bool {
	return t.Submissions[p.Submission].Skipped == "" && t.records[p.Submission][p.Case].fault == nil
}

// pairs returns the accepted pairs, also those that have not run yet.
func (t *table) pairs() (all []Pair) {
	for s := range t.Submissions {
		for c := range t.Cases {
			if p := (Pair{s, c}); t.accepted(p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// comparable reports whether there is a case on which the reference and another
// submission can be compared, or a single submission can be measured.
func (t *table) comparable() bool {
	return slices.ContainsFunc(t.pairs(), func(p Pair) bool {
		return t.Alone() || p.Submission != t.reference && t.accepted(Pair{t.reference, p.Case})
	})
}

// rounds returns the number of rounds that all accepted pairs have.
func (t *table) rounds() int {
	var counts []int
	for _, p := range t.pairs() {
		counts = append(counts, len(t.records[p.Submission][p.Case].runs))
	}
	if counts == nil {
		return 0
	}
	return slices.Min(counts)
}

// ratio compares a submission with the reference on the cases from first to before
// end, for the rounds in which both ran on all of them; nil if there are none.
func (t *table) ratio(s, first, end int, level float64) *stat.Ratio {
	n := end - first
	values := shared(append(t.columns(s, first, end), t.columns(t.reference, first, end)...))
	if n == 0 || values[0] == nil {
		return nil
	}
	if t.Clock == ByInstructions && !slices.ContainsFunc(values, func(one []float64) bool { return !stat.Repeats(one) }) {
		r := stat.Exact(values[:n], values[n:])
		return &r
	}
	r := stat.Paired(values[:n], values[n:], level)
	return &r
}

// alone summarizes the only submission: the geometric means over all cases, of the
// rounds in which it ran on all of them; nil if there are none.
func (t *table) alone(level float64) *stat.Summary {
	all := means(t.columns(0, 0, len(t.Cases)))
	if all == nil {
		return nil
	}
	s := t.summarize(all, level)
	return &s
}

// Value returns the value of a trial by the clock: seconds of CPU time, or instructions.
func (m *Measurement) Value(t *Trial) float64 {
	if m.Clock == ByInstructions {
		return executed(t)
	}
	return cpu(t)
}

// summarize summarizes values of the clock. Counts of instructions that repeat exactly
// have an exact median.
func (m *Measurement) summarize(values []float64, level float64) stat.Summary {
	if m.Clock == ByInstructions && stat.Repeats(values) {
		return stat.ExactSummary(values)
	}
	return stat.Summarize(values, level)
}

// repeats reports whether the clock counts instructions, and all counts of each
// submission on each case on which it ran are equal in two rounds or more.
func (t *table) repeats() bool {
	some := false
	for _, p := range t.pairs() {
		counts := t.records[p.Submission][p.Case].runs.values(executed)
		if counts != nil && !stat.Repeats(counts) {
			return false
		}
		some = some || counts != nil
	}
	return some && t.Clock == ByInstructions
}

// A column contains the values of one submission on one case, and their rounds.
type column struct {
	rounds []int
	values []float64
}

// columns returns the values of a submission on the cases from first to
// before end. A column is empty if not all runs were accepted.
func (t *table) columns(s, first, end int) []column {
	columns := make([]column, end-first)
	for i := range columns {
		c := &columns[i]
		for _, run := range t.records[s][first+i].good() {
			c.rounds, c.values = append(c.rounds, run.Round), append(c.values, t.Value(run))
		}
	}
	return columns
}

// shared returns the values of each column for the rounds that all columns have.
// Rounds must be in the same order in all columns.
func shared(columns []column) [][]float64 {
	has := make(map[int]int)
	for _, c := range columns {
		for _, round := range c.rounds {
			has[round]++
		}
	}
	values := make([][]float64, len(columns))
	for i, c := range columns {
		for k, round := range c.rounds {
			if has[round] == len(columns) {
				values[i] = append(values[i], c.values[k])
			}
		}
	}
	return values
}

// means returns the geometric mean over the columns for each round that all
// columns have; nil if there is none.
func means(columns []column) (all []float64) {
	if len(columns) == 0 {
		return nil
	}
	values := shared(columns)
	for i := range values[0] {
		sum := 0.0
		for _, of := range values {
			sum += math.Log(of[i]) / float64(len(columns))
		}
		all = append(all, math.Exp(sum))
	}
	return all
}
