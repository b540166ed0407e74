package bench

import (
	"cmp"
	"slices"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
)

// within reports whether the submission must be within the time limit on a case.
func (e *Submission) within(name string) bool {
	return slices.ContainsFunc(e.Expected, func(x problem.Expectation) bool { return x.BoundsBelow(name) })
}

// exceeds reports whether the submission must exceed the time limit on a case.
func (e *Submission) exceeds(name string) bool {
	return slices.ContainsFunc(e.Expected, func(x problem.Expectation) bool { return x.BoundsAbove(name) })
}

// side returns how a submission bounds the limit on the cases of the measurement.
func side(m *Measurement, s int) Side {
	e := &m.Submissions[s]
	low := slices.ContainsFunc(m.Cases, func(c Input) bool { return e.within(c.Name) })
	high := slices.ContainsFunc(m.Cases, func(c Input) bool { return e.exceeds(c.Name) })
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

// limitVerdict returns the verdict of a submission under the limit.
func (x *bandBuilder) limitVerdict(s int) LimitVerdict {
	st := LimitVerdict{Submission: SubmissionIndex(s), Case: -1, Bounds: side(x.m, s)}
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
		slowest = nil // the verdict is not known
	}
	st.Flip = stat.ChanceAbove(slowest, x.b.At.Seconds(), cut, x.spread, conf)
	if st.Verdict == problem.TimeLimit {
		st.Flip = st.Flip.Not()
	}
	st.Case = st.Nearest[0]
	_, st.Stopped = x.grid[s][st.Case].time()
	xs, _ := x.grid[s][st.Case].seconds()
	st.Time = stat.Summarize(xs, conf)
	return st
}

// slowestEach combines the first run on each of the cases into one run on all
// cases, the second runs into another, and so on. It returns the time of each on
// its slowest case, in seconds.
func slowestEach(of []runs, cases []CaseIndex) (slowest []float64, stopped bool) {
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

// wrong returns why a submission was not measured; "" if it was.
func (x *bandBuilder) wrong(s int) string {
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

// nearby is the smallest ratio of a case's time to that of the deciding case, for
// both to be measured again: a case that is a fifth faster is seldom the slower one
// in another run.
const nearby = 0.8

// mostNearest is the largest number of cases that are measured again.
const mostNearest = 3

// nearest returns the cases of one submission that decide whether it is too slow
// for a limit, and the verdict of most runs. If it is in time, they are its slowest
// case and those that take nearly as long. If it is too slow, it is the slowest
// case: one that is too slow is enough, and takes long. The slowest comes first.
//
// If some cases were run more often than others, they were chosen before: nearest
// returns only these.
func nearest(of []runs, limit time.Duration) (cases []CaseIndex, v problem.Verdict) {
	all, v := deciding(of, limit)
	most := 0
	for _, c := range all {
		most = max(most, len(of[c]))
	}
	all = slices.DeleteFunc(all, func(c CaseIndex) bool { return len(of[c]) < (most+1)/2 })
	if v == problem.TimeLimit {
		return all[:1], v
	}
	for _, c := range all {
		longest, _ := of[all[0]].time()
		if t, _ := of[c].time(); len(cases) < mostNearest && float64(t) >= nearby*float64(longest) {
			cases = append(cases, c)
		}
	}
	return cases, v
}

// deciding returns the cases on which a submission is too slow or, if there are
// none, all on which it ran, and the verdict of most runs. The slowest comes first.
func deciding(of []runs, limit time.Duration) (cases []CaseIndex, v problem.Verdict) {
	var slow []CaseIndex
	v = problem.Accepted
	for i, r := range of {
		if len(r) == 0 {
			continue
		}
		c := CaseIndex(i)
		cases = append(cases, c)
		switch is := r.verdict(limit); {
		case limit == 0:
		case is == problem.TimeLimit:
			slow = append(slow, c)
		case v == problem.Accepted:
			v = is // the first verdict other than AC decides
		}
	}
	switch {
	case slow != nil:
		cases, v = slow, problem.TimeLimit
	case cases == nil || limit == 0:
		v = ""
	}
	slices.SortStableFunc(cases, func(a, b CaseIndex) int {
		x, _ := of[a].time()
		y, _ := of[b].time()
		return cmp.Compare(y, x)
	})
	return cases, v
}
