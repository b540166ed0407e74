package bench

import (
	"cmp"
	"slices"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// runs are the trials of one submission on one case that became something, in
// the order they ran.
type runs []*Trial

// grid holds the runs of a measurement by submission and case.
func grid(m *Measurement) [][]runs {
	g := make([][]runs, len(m.Submissions))
	for s := range g {
		g[s] = make([]runs, len(m.Cases))
	}
	for i := range m.Trials {
		if t := &m.Trials[i]; t.Round >= 0 && t.Err == "" {
			g[t.Submission][t.Case] = append(g[t.Submission][t.Case], t)
		}
	}
	return g
}

// time is the median of how slow the runs were. It is a bound from below if a run
// was stopped that may have been in the middle, or above it, had it gone on.
func (r runs) time() (median time.Duration, stopped bool) {
	all := slices.Clone(r)
	slices.SortFunc(all, func(a, b *Trial) int {
		x, _ := took(a.Outcome)
		y, _ := took(b.Outcome)
		return cmp.Compare(x, y)
	})
	// Of an even number it is between the two in the middle.
	low, _ := took(all[(len(all)-1)/2].Outcome)
	high, _ := took(all[len(all)/2].Outcome)
	for _, t := range all {
		at, cut := took(t.Outcome)
		stopped = stopped || cut && at <= high
	}
	return low + (high-low)/2, stopped
}

// seconds are the times of the runs; stopped says that some are bounds from
// below.
func (r runs) seconds() (xs []float64, stopped bool) {
	for _, t := range r {
		x, cut := took(t.Outcome)
		xs, stopped = append(xs, x.Seconds()), stopped || cut
	}
	return xs, stopped
}

// took is how slow a run was, and whether that is a bound because it was stopped.
// One that was stopped for its real time has taken that, but for the wait for a
// processor. Where that is not known, one that worked meanwhile is taken to have
// been held up by others, and what it got is all that is known.
func took(o sandbox.Outcome) (t time.Duration, stopped bool) {
	const working = 0.1
	if o.Exceeded == sandbox.Wall && o.Waited == 0 && float64(o.CPU) > working*float64(o.Wall) {
		return o.CPU, true
	}
	return judge.TimeOf(o)
}

// verdict is what most runs come to under a time limit, whatever limit they were
// made under: "" where that is not known.
func (r runs) verdict(limit time.Duration) problem.Verdict {
	count := make(map[problem.Verdict]int)
	most := problem.Verdict("")
	for _, t := range r {
		v := t.verdict(limit)
		if count[v]++; count[v] > count[most] || v == most {
			most = v
		}
	}
	return most
}

// verdict judges a trial again under a time limit; "" where that is not known.
func (t *Trial) verdict(limit time.Duration) problem.Verdict {
	slow, known := judge.TooSlow(t.Outcome, limit)
	switch {
	case !known:
		return ""
	case slow:
		return problem.TimeLimit
	case t.Verdict == problem.TimeLimit:
		return "" // in time under this limit, and its output was never looked at
	}
	return t.Verdict
}
