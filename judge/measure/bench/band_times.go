package bench

import (
	"slices"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// time returns the median time of the runs. It is a lower bound, and stopped is
// true, if a run was stopped before it passed the median.
func (r runs) time() (median time.Duration, stopped bool) {
	var times []time.Duration
	for _, t := range r {
		at, _ := took(t.Outcome)
		times = append(times, at)
	}
	slices.Sort(times)
	low, high := times[(len(times)-1)/2], times[len(times)/2]
	stopped = slices.ContainsFunc(r, func(t *Trial) bool {
		at, cut := took(t.Outcome)
		return cut && at <= high
	})
	return low + (high-low)/2, stopped
}

// seconds returns the times of the runs; stopped means that some are lower bounds.
func (r runs) seconds() (xs []float64, stopped bool) {
	for _, t := range r {
		x, cut := took(t.Outcome)
		xs, stopped = append(xs, x.Seconds()), stopped || cut
	}
	return xs, stopped
}

// took returns the time of a run, and whether that is a lower bound because the
// run was stopped. The time of a run stopped at the wall-clock limit is its
// wall-clock time without the wait for a processor. If that wait is not known and
// the run used the processor, other programs may have delayed it, and only its CPU
// time is certain.
func took(o sandbox.Outcome) (t time.Duration, stopped bool) {
	const working = 0.1
	if o.Exceeded == sandbox.Wall && o.Waited == 0 && float64(o.CPU) > working*float64(o.Wall) {
		return o.CPU, true
	}
	return judge.TimeOf(o)
}

// verdict returns the verdict of most runs under a time limit, which may differ
// from that of the measurement; "" if it is not known.
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

// verdict returns the verdict of a trial under another time limit; "" if it is not
// known.
func (t *Trial) verdict(limit time.Duration) problem.Verdict {
	slow, known := judge.TooSlow(t.Outcome, limit)
	switch {
	case !known:
		return ""
	case slow:
		return problem.TimeLimit
	case t.Verdict == problem.TimeLimit:
		return "" // in time under this limit, but its output was not checked
	}
	return t.Verdict
}
