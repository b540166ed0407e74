package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"crucible/judge/sandbox"
)

// InferenceLimit is the CPU time that a submission gets on a case while there
// is no time limit to hold it against.
const InferenceLimit = 60 * time.Second

// Alone returns a judge that is like j, but runs one program at a time, under
// another time limit. A run is stopped at the CPU time that stop says, to learn
// how slow it is, if that is above the limit; a nil stop says nothing. It
// borrows j's sandbox: close it before j.
func (j *Judge) Alone(limit time.Duration, stop func(*Submission, *Case) time.Duration) (*Judge, error) {
	if err := j.start(); err != nil {
		return nil, err
	}
	return &Judge{Runner: j.runner, Jobs: 1, TimeLimit: limit, Cache: j.Cache, Cores: j.Cores, FixedAddresses: j.FixedAddresses, timeToKill: stop}, nil
}

// Infer sets the time limit of a problem that names none: the smallest
// multiple of its resolution that gives the slowest submission which must pass
// the margin that the problem asks for (2025-09, "Problem timing"). Upper
// bounds, which take long to measure, are left to Verify. With a limit given,
// by the problem or by j.TimeLimit, Infer does nothing.
func (j *Judge) Infer(ctx context.Context, p *Problem) error {
	if j.LimitsOf(p).Time > 0 || p.Is("submit-answer") {
		return nil
	}
	// One at a time: neighbours would make it a limit for a busy machine.
	measure, err := j.Alone(InferenceLimit, nil)
	if err != nil {
		return err
	}
	defer measure.Close()
	slowest, bounded := time.Duration(0), false
	var broken error // that of the package, which kept a submission from being judged
	for _, s := range p.Submissions {
		if !anyRule(s.Expected, (*Expectation).boundsBelow) || s.Unusable != "" {
			continue
		}
		// The other cases cannot change the limit, and may be slow on purpose.
		cases := slices.DeleteFunc(slices.Clone(p.Cases), func(c *Case) bool { return !s.bounds(c, (*Expectation).boundsBelow) })
		r, stopped := measure.times(ctx, s, cases)
		var defect *Defect
		switch err := r.JudgeError(); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &defect):
			broken = cmp.Or[error](broken, defect)
			continue
		case err != nil:
			return err
		}
		// A submission that must be accepted says what the limit must allow. That
		// others run for a minute is told with their verdicts.
		if stopped != nil && stopped.Verdict == TimeLimit && anyRule(s.Expected, (*Expectation).mustPass) {
			return &Defect{File: p.Where(s.Path), Msg: fmt.Sprintf("no time limit can be inferred from it: on %s it was stopped after %s of CPU and %s of real time",
				stopped.Case, Duration(stopped.Outcome.CPU), Duration(stopped.Outcome.Wall))}
		}
		if t, ok := mustAllow(r); ok {
			slowest, bounded = max(slowest, t), true
		}
	}
	if !bounded {
		why := "no submission that can be judged here bounds one from below"
		if broken != nil {
			why = broken.Error()
		}
		return &Defect{File: p.Where(problemFile), Msg: "no time limit is set, and none can be inferred: " + why + "; set limits.time_limit or --time-limit"}
	}
	p.Limits.Time = p.Timing.Least(slowest)
	p.Limits.Wall = wallLimit(p.Limits.Time)
	return nil
}

// times runs a submission on the cases, all of them unless it is stopped on one,
// which takes a minute or two; its time there says nothing, and that run is not
// in the report.
func (j *Judge) times(ctx context.Context, s *Submission, cases []*Case) (r *Report, stopped *Run) {
	session, r := j.Begin(ctx, s)
	if session == nil {
		return r, nil
	}
	for _, c := range cases {
		run := session.Run(ctx, c)
		if ctx.Err() != nil {
			break
		}
		if run.Outcome.Exceeded == sandbox.CPU || run.Outcome.Exceeded == sandbox.Wall {
			session.report.Runs = session.report.Runs[:len(session.report.Runs)-1]
			stopped = &run
			break
		}
	}
	return session.End(), stopped
}

// Least is the smallest time limit that leaves the slowest submission its margin.
func (t TimeRule) Least(slowest time.Duration) time.Duration {
	// What divides without a rest does so in binary fractions, too.
	const rounding = 1e-12
	steps := math.Ceil(slowest.Seconds() * t.ACToLimit / t.Resolution * (1 - rounding))
	return time.Duration(math.Round(max(steps, 1) * t.Resolution * float64(time.Second)))
}

// Enough is the time from which on a submission is too slow for the limit by
// the margin asked for.
func (t TimeRule) Enough(limit time.Duration) time.Duration {
	return time.Duration(math.Ceil(float64(limit) * t.LimitToTLE))
}

// BoundsBelow reports whether the time limit must be above the submission's
// time on the case of that name.
func (e *Expectation) BoundsBelow(name string) bool { return e.boundsBelow() && e.speaksOf(name) }

// BoundsAbove reports whether the case of that name is one of those on some of
// which the submission must exceed the time limit.
func (e *Expectation) BoundsAbove(name string) bool { return e.boundsAbove() && e.speaksOf(name) }

// MustPass reports whether nothing but AC is permitted.
func (e *Expectation) MustPass() bool { return e.mustPass() }

func anyRule(expected []Expectation, is func(*Expectation) bool) bool {
	for i := range expected {
		if is(&expected[i]) {
			return true
		}
	}
	return false
}

// slowestUnder returns the longest time over the cases that a rule speaks of;
// ok is false when there was no such case.
func slowestUnder(r *Report, e *Expectation) (t time.Duration, ok bool) {
	for k := range r.Runs {
		if run := &r.Runs[k]; run.Err == nil && e.speaksOf(run.Case) {
			t, ok = max(t, timeOf(run.Outcome)), true
		}
	}
	return t, ok
}

// mustAllow is the longest time that the limit must be above, over all rules of
// the submission; ok is false when there is none.
func mustAllow(r *Report) (t time.Duration, ok bool) {
	for i := range r.Expected {
		if e := &r.Expected[i]; e.boundsBelow() {
			one, ran := slowestUnder(r, e)
			t, ok = max(t, one), ok || ran
		}
	}
	return t, ok
}

// mustExceed is the shortest time that the limit must be below: each rule wants
// its slowest case to be too slow, so of several rules the one that is met last
// decides (2025-09, "Timelimit inference").
func mustExceed(r *Report) (t time.Duration, ok bool) {
	for i := range r.Expected {
		if e := &r.Expected[i]; e.boundsAbove() {
			if one, ran := slowestUnder(r, e); ran && (!ok || one < t) {
				t, ok = one, true
			}
		}
	}
	return t, ok
}

// TimeOf is what a run says of how slow the program is: its CPU time. Of one
// that was stopped it is a bound: how long it was given or, if it waited until
// then, the real time.
func TimeOf(o sandbox.Outcome) (t time.Duration, stopped bool) {
	return timeOf(o), o.Exceeded == sandbox.CPU || o.Exceeded == sandbox.Wall
}

// TooSlow reports whether a run gets TLE under a time limit. It is not known of
// a run that was stopped before that.
func TooSlow(o sandbox.Outcome, limit time.Duration) (slow, known bool) {
	l := Limits{Time: limit, Wall: wallLimit(limit)}
	v, _, err := verdictOf(o, l)
	if err != nil && o.Exceeded != sandbox.CPU && o.Exceeded != sandbox.Wall {
		// It was stopped for something else, before it was too slow.
		return o.CPU > l.Time || o.Wall-o.Waited > l.Wall, true
	}
	return v == TimeLimit, err == nil
}

// timeOf is TimeOf, without whether it is a bound.
func timeOf(o sandbox.Outcome) time.Duration {
	switch o.Exceeded {
	case sandbox.CPU:
		return max(o.CPU, o.Limits.CPU)
	case sandbox.Wall:
		return max(o.CPU, o.Wall-o.Waited)
	}
	return o.CPU
}

// Bounds say how long programs are let run beyond the time limit, so that it is
// known whether the limit separates, and not longer: programs that are too slow
// cost more than all others together.
type bounds struct {
	enough time.Duration // what takes that long is too slow by the margin asked for
	told   time.Duration // how long what should pass is waited for, to tell what limit it would want

	mu    sync.Mutex
	shown map[*Expectation]bool // rules of which some case took long enough
}

func newBounds(p *Problem, limit time.Duration) *bounds {
	enough := p.Timing.Enough(limit)
	return &bounds{enough: enough, told: enough + time.Duration(p.Timing.Resolution*float64(time.Second)), shown: make(map[*Expectation]bool)}
}

// timeToKill is the CPU time to stop a run at. The bound that a rule about a slow
// submission sets is its slowest case: once one has shown that it is slow enough,
// the verdicts of the others are all that is left to learn, for which the limit
// will do. Submissions that bound the limit neither way are run no further, either.
func (b *bounds) timeToKill(s *Submission, c *Case) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case s.bounds(c, (*Expectation).boundsBelow):
		return b.told
	case s.bounds(c, func(e *Expectation) bool { return e.boundsAbove() && !b.shown[e] }):
		return b.enough
	}
	return 0
}

// learn takes a run into account.
func (b *bounds) learn(e Event) {
	if e.Kind != Ran || e.Run.Err != nil || timeOf(e.Run.Outcome) < b.enough {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range e.Submission.Expected {
		if rule := &e.Submission.Expected[i]; rule.BoundsAbove(e.Case.Name) {
			b.shown[rule] = true
		}
	}
}

// bounds reports whether a rule of a kind speaks of the submission's time on the case.
func (s *Submission) bounds(c *Case, is func(*Expectation) bool) bool {
	return anyRule(s.Expected, func(e *Expectation) bool { return is(e) && e.speaksOf(c.Name) })
}

// A margin is one bound on the time limit that a submission sets.
type margin struct {
	submission string
	time       time.Duration
}

// limitDefects holds the time limit against the slowest submission that must
// pass and the fastest that must not.
func (p *Problem) limitDefects(slowest, fastest margin) []error {
	var errs []error
	limit := p.Limits.Time
	at := p.Where(problemFile)
	if need := time.Duration(float64(slowest.time) * p.Timing.ACToLimit); slowest.submission != "" && need > limit {
		errs = append(errs, &Defect{File: at, Msg: fmt.Sprintf("time limit %s: %s takes %s, times ac_to_time_limit %v is %s",
			Exactly(limit), slowest.submission, Duration(slowest.time), p.Timing.ACToLimit, Duration(need))})
	}
	if need := time.Duration(float64(limit) * p.Timing.LimitToTLE); fastest.submission != "" && need > fastest.time {
		errs = append(errs, &Defect{File: at, Msg: fmt.Sprintf("time limit %s: %s takes only %s, want at least %s, which is the limit times time_limit_to_tle %v",
			Exactly(limit), fastest.submission, Duration(fastest.time), Duration(need), p.Timing.LimitToTLE)})
	}
	return errs
}
