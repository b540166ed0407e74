package bench

import (
	"cmp"
	"slices"
	"time"

	"crucible/judge/problem"
	"crucible/judge/stat"
)

// side is where a submission puts the limit, on the cases that there are.
func side(m *Measurement, s int) Side {
	low, high := false, false
	for i := range m.Submissions[s].Expected {
		e := &m.Submissions[s].Expected[i]
		for _, c := range m.Cases {
			low, high = low || e.BoundsBelow(c.Name), high || e.BoundsAbove(c.Name)
		}
	}
	switch {
	case low && high:
		return Both
	case low:
		return Above
	case high:
		return Below
	}
	return Neither
}

// stance is how a submission stands to the limit.
func (x *banding) stance(s int) Stance {
	st := Stance{Case: -1, Bounds: side(x.m, s)}
	if st.Wrong = x.wrong(s); st.Wrong != "" {
		return st
	}
	conf := confidence(x.m)
	st.Nearest, st.Verdict = nearest(x.grid[s], x.b.At)
	if len(st.Nearest) == 0 {
		st.Wrong = "not measured"
		return st
	}
	slowest, cut := slowestEach(x.grid[s], st.Nearest)
	if x.b.At == 0 || st.Verdict == "" {
		slowest = nil // of which nothing is known
	}
	st.Flip = stat.ChanceAbove(slowest, x.b.At.Seconds(), cut, x.spread(), conf)
	if st.Verdict == problem.TimeLimit {
		st.Flip = st.Flip.Not()
	}
	st.Case = st.Nearest[0]
	_, st.Stopped = x.grid[s][st.Case].time()
	xs, _ := x.grid[s][st.Case].seconds()
	st.Time = stat.Summarize(xs, conf)
	return st
}

// slowestEach takes the first run on each of the cases for one run of the whole
// submission, the second for another, and so on: the times of each on its
// slowest case, in seconds. That one is above the limit if any is.
func slowestEach(of []runs, cases []int) (slowest []float64, stopped bool) {
	for i, c := range cases {
		xs, cut := of[c].seconds()
		stopped = stopped || cut
		if i == 0 {
			slowest = xs
			continue
		}
		slowest = slowest[:min(len(slowest), len(xs))]
		for k := range slowest {
			slowest[k] = max(slowest[k], xs[k])
		}
	}
	return slowest, stopped
}

// spread is how runs of the same program vary, of all submissions together.
func (x *banding) spread() stat.Spread {
	if x.pooled == nil {
		var samples [][]float64
		for s := range x.grid {
			for _, r := range x.grid[s] {
				if xs, stopped := r.seconds(); !stopped {
					samples = append(samples, xs)
				}
			}
		}
		pooled := stat.SpreadOf(samples)
		x.pooled = &pooled
	}
	return *x.pooled
}

// wrong says why nothing is known of a submission.
func (x *banding) wrong(s int) string {
	if why := x.m.Submissions[s].Skipped; why != "" {
		return "skipped: " + why
	}
	for i := range x.m.Trials {
		if t := &x.m.Trials[i]; t.Submission == s && t.Err != "" {
			return "judge error on " + x.m.Cases[t.Case].Name + ": " + t.Err
		}
	}
	return ""
}

// nearby is how near a case must be to the one that decides, to decide as well:
// what is a fifth faster is seldom slower in another run.
const nearby = 0.8

// mostNearest bounds how many cases are measured again.
const mostNearest = 3

// nearest finds the cases of one submission that decide whether it is too slow
// for a limit, and the verdict that most runs come to. They are its slowest
// case, and those that take nearly as long if it is in time; if it is too slow,
// only cases on which it is. The one that decides most comes first.
//
// Once some cases were run more often than others, it is among those: they
// were chosen so before.
func nearest(of []runs, limit time.Duration) (cases []int, v problem.Verdict) {
	var slow, all []int
	v = problem.Accepted
	for c, r := range of {
		if len(r) == 0 {
			continue
		}
		all = append(all, c)
		switch is := r.verdict(limit); {
		case limit == 0:
		case is == problem.TimeLimit:
			slow = append(slow, c)
		case v == problem.Accepted:
			v = is // the first that is not AC decides
		}
	}
	if slow != nil {
		all, v = slow, problem.TimeLimit
	}
	switch {
	case all == nil:
		return nil, ""
	case limit == 0:
		v = ""
	}
	slices.SortStableFunc(all, func(a, b int) int {
		x, _ := of[a].time()
		y, _ := of[b].time()
		return cmp.Compare(y, x)
	})
	most := 0
	for _, c := range all {
		most = max(most, len(of[c]))
	}
	longest := time.Duration(0)
	for _, c := range all {
		t, _ := of[c].time()
		if len(of[c]) < (most+1)/2 {
			continue // was not chosen to be run again
		}
		if longest == 0 {
			longest = t
		}
		if len(cases) < mostNearest && float64(t) >= nearby*float64(longest) {
			cases = append(cases, c)
		}
		if v == problem.TimeLimit && len(cases) == 1 {
			break // one case that is too slow is enough, and costs enough
		}
	}
	return cases, v
}
