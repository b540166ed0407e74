package bench

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// BandOf computes the band from runs of every submission on every case, with more
// runs of the cases close to the limit; see [LimitPlan].
//
// A submission's time on a case is the median of its runs there. Its time under
// an expectation is that of the slowest case that the expectation applies to
// (2025-09, "Problem timing"). If several workers made the runs, those count of the
// worker that took longest or, if the submission must exceed the limit on the case, of
// the one that was fastest: a limit is to separate the submissions on all of them.
func BandOf(m *Measurement) *Band {
	b := &Band{Measurement: m, Limit: m.Limits.Time}
	x := &bandBuilder{m: m, b: b}
	var samples [][]float64
	var tables []*table // by worker
	for w := range m.machines() {
		tables = append(tables, tabulateOf(m, w))
	}
	for s := range m.Submissions {
		var row, all []runs
		for c := range m.Cases {
			best, every := x.deciding(tables, s, c)
			row, all = append(row, best), append(all, every)
			if xs, stopped := row[c].seconds(); !stopped {
				samples = append(samples, xs)
			}
		}
		x.grid, x.all = append(x.grid, row), append(x.all, all)
	}
	x.spread = stat.SpreadOf(samples)
	x.bounds()
	b.Proposed, b.None = x.limitFor(1)
	if b.Slowest != nil {
		b.Least = time.Duration(float64(b.Slowest.Time) * m.Timing.ACToLimit)
	}
	if b.Fastest != nil {
		b.Most = time.Duration(float64(b.Fastest.Time) / m.Timing.LimitToTLE)
	}
	b.Violated = x.violated()
	b.At = cmp.Or(b.Limit, b.Proposed)
	for s := range m.Submissions {
		b.Rows = append(b.Rows, x.limitVerdict(s))
	}
	x.languages()
	for _, slower := range []float64{0.5, 2, 3, 5} {
		limit, why := x.limitFor(slower)
		unknown := limit == 0 && (b.Slowest == nil || b.Slowest.Stopped || b.Fastest.Stopped)
		b.Machines = append(b.Machines, MachineLimit{Slower: slower, Limit: limit, Why: why, Unknown: unknown})
	}
	x.doubts()
	for w := range m.Workers {
		if len(m.Workers) == 1 {
			break
		}
		one := BandOf(m.Of(w))
		b.Workers = append(b.Workers, WorkerBand{Worker: m.Workers[w], Slowest: one.Slowest, Fastest: one.Fastest,
			Proposed: one.Proposed})
	}
	return b
}

// deciding returns the runs of a submission on a case: those of the worker that counts, and
// all, without judge errors.
func (x *bandBuilder) deciding(tables []*table, s, c int) (best, all runs) {
	above := !x.m.Submissions[s].within(x.m.Cases[c].Name) && x.m.Submissions[s].exceeds(x.m.Cases[c].Name)
	for _, t := range tables {
		r := slices.DeleteFunc(t.records[s][c].runs, func(t *Trial) bool { return t.Err != "" })
		if len(best) == 0 || len(r) > 0 && longer(r, best) != above {
			best = r
		}
		all = append(all, r...)
	}
	return best, all
}

// longer reports whether the median time of some runs is longer than that of others.
func longer(r, than runs) bool {
	a, _ := r.time()
	b, _ := than.time()
	return a > b
}

// A bandBuilder computes a band.
type bandBuilder struct {
	m       *Measurement
	grid    [][]runs // by submission and case, without judge errors
	all     [][]runs // the same, of all workers
	b       *Band
	spread  stat.Spread // of runs of the same program, pooled over all submissions
	ignored []Bound     // submissions that may fail and were stopped; they do not bound the limit
}

// bounds finds the submissions that bound the limit on either side. If one that
// must pass was stopped, no limit is known to be sufficient. One that must fail
// within the time limit and was stopped contradicts its expectation: it is ignored,
// with a doubt.
func (x *bandBuilder) bounds() {
	for s := range x.m.Submissions {
		expected := x.m.Submissions[s].Expected
		for i := range expected {
			e := &expected[i]
			if at, ok := x.slowest(s, e.BoundsBelow); ok {
				switch {
				case at.Stopped && !e.MustPass():
					x.ignored = append(x.ignored, at)
				case x.b.Slowest == nil || at.Time > x.b.Slowest.Time:
					x.b.Slowest = &at
				}
			}
			if at, ok := x.slowest(s, e.BoundsAbove); ok && (x.b.Fastest == nil || at.Time < x.b.Fastest.Time) {
				x.b.Fastest = &at
			}
		}
	}
}

// slowest returns the slowest case of a submission among those selected; ok is
// false if it ran on none of them.
func (x *bandBuilder) slowest(s int, among func(name string) bool) (at Bound, ok bool) {
	for c, r := range x.grid[s] {
		if len(r) == 0 || !among(x.m.Cases[c].Name) {
			continue
		}
		if t, stopped := r.time(); !ok || t > at.Time {
			at, ok = Bound{Submission: SubmissionIndex(s), Case: CaseIndex(c), Time: t, Stopped: stopped, Runs: len(r)}, true
		}
	}
	return at, ok
}

// limitFor returns the limit by the rule on a machine that is slower by the given
// factor; 0 and the reason if there is none.
func (x *bandBuilder) limitFor(slower float64) (limit time.Duration, why string) {
	low, high, rule := x.b.Slowest, x.b.Fastest, x.m.Timing
	switch {
	case low == nil:
		return 0, "no measured submission bounds the limit from below"
	case low.Stopped:
		return 0, fmt.Sprintf("%s was stopped after %s: its time is not known, so neither is a limit", x.name(low),
			terminal.Duration(low.Time))
	}
	limit = rule.Least(slowed(low.Time, slower))
	if high == nil {
		return limit, ""
	}
	need, has := rule.Enough(limit), slowed(high.Time, slower)
	switch {
	case has >= need:
		return limit, ""
	case high.Stopped:
		return 0, fmt.Sprintf("%s was stopped after %s, too early to show that it takes %s, which is time_limit_to_tle %v "+
			"times %s",
			x.name(high), terminal.Duration(has), terminal.Duration(need), rule.LimitToTLE, terminal.Exactly(limit))
	}
	why = fmt.Sprintf("%s takes %s and needs a limit of %s; %s takes %s, expected at least %s, which is %.3g times as "+
		"long",
		x.name(low), terminal.Duration(slowed(low.Time, slower)), terminal.Exactly(limit), x.name(high),
		terminal.Duration(has), terminal.Duration(need), float64(need)/float64(has))
	if finest := float64(low.Time) * rule.ACToLimit * rule.LimitToTLE; finest <= float64(high.Time) {
		why += fmt.Sprintf("; the limits between are not multiples of time_resolution %v", rule.Resolution)
	}
	return 0, why
}

func slowed(d time.Duration, factor float64) time.Duration {
	return time.Duration(float64(d) * factor)
}

// violated returns a line for each way in which the problem's own limit breaks the
// rule.
func (x *bandBuilder) violated() (all []string) {
	limit, rule := x.b.Limit, x.m.Timing
	if limit == 0 {
		return nil
	}
	if low := x.b.Slowest; low != nil && x.b.Least > limit {
		most := map[bool]string{true: "at least "}[low.Stopped]
		all = append(all, fmt.Sprintf("%s takes %s%s, times ac_to_time_limit %v is %s%s, above the limit %s",
			x.name(low), most, terminal.Duration(low.Time), rule.ACToLimit, most, terminal.Duration(x.b.Least),
			terminal.Exactly(limit)))
	}
	if high := x.b.Fastest; high != nil && high.Time < rule.Enough(limit) {
		takes := map[bool]string{true: "was stopped after", false: "takes only"}[high.Stopped]
		all = append(all, fmt.Sprintf("%s %s %s, expected at least %s, which is the limit %s times time_limit_to_tle %v",
			x.name(high), takes, terminal.Duration(high.Time), terminal.Duration(rule.Enough(limit)), terminal.Exactly(limit),
			rule.LimitToTLE))
	}
	return all
}

// name returns the name of a bound: "accepted/dlx.go on secret/03".
func (x *bandBuilder) name(at *Bound) string {
	return x.m.Submissions[at.Submission].Name + " on " + x.m.Cases[at.Case].Name
}

// languages compares the accepted submissions of the languages: those that must
// pass, and passed on all cases.
func (x *bandBuilder) languages() {
	for s, e := range x.m.Submissions {
		t, ok := x.passed(s)
		if !ok || e.Language == "" {
			continue
		}
		l := find(x.b.Languages, func(l *Multiplier) bool { return l.Language == e.Language })
		if l == nil {
			x.b.Languages = append(x.b.Languages, Multiplier{Language: e.Language, Submission: SubmissionIndex(s), Time: t})
			l = &x.b.Languages[len(x.b.Languages)-1]
		}
		if t < l.Time {
			l.Submission, l.Time = SubmissionIndex(s), t
		}
		if needs := float64(t) * x.m.Timing.ACToLimit; needs >= l.Needs {
			l.Slowest, l.Needs = SubmissionIndex(s), needs // the limit, until all are known
		}
	}
	slices.SortFunc(x.b.Languages, func(a, b Multiplier) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Language, b.Language))
	})
	for i := range x.b.Languages {
		l := &x.b.Languages[i]
		if best := x.b.Languages[0].Time; best > 0 {
			l.Factor = float64(l.Time) / float64(best)
		}
		if x.b.At > 0 {
			l.Needs /= float64(x.b.At)
		} else {
			l.Needs = 0
		}
	}
}

// passed returns the time of a submission that must pass; ok is false if it failed
// for a reason other than the time limit.
func (x *bandBuilder) passed(s int) (t time.Duration, ok bool) {
	for i := range x.m.Submissions[s].Expected {
		e := &x.m.Submissions[s].Expected[i]
		if !e.MustPass() {
			continue
		}
		at, ran := x.slowest(s, e.BoundsBelow)
		if !ran {
			return 0, false
		}
		t, ok = max(t, at.Time), true
	}
	for _, r := range x.all[s] {
		if slices.ContainsFunc(r, func(t *Trial) bool { return t.Verdict != problem.Accepted }) {
			return 0, false
		}
	}
	return t, ok
}
