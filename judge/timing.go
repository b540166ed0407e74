package judge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"crucible/judge/sandbox"
)

// inferenceLimit is the CPU time that a submission gets on a case while there
// is no time limit to hold it against.
const inferenceLimit = 60 * time.Second

// Infer sets the time limit of a problem that names none: the smallest
// multiple of its resolution that gives the slowest submission which must pass
// the margin that the problem asks for (2025-09, "Problem timing"). Upper
// bounds, which take long to measure, are left to Verify. With a limit given,
// by the problem or by j.TimeLimit, Infer does nothing.
func (j *Judge) Infer(ctx context.Context, p *Problem) error {
	if j.LimitsOf(p).Time > 0 || p.Is("submit-answer") {
		return nil
	}
	if err := j.start(); err != nil {
		return err
	}
	// One at a time: neighbours would make it a limit for a busy machine.
	measure := &Judge{Runner: j.runner, Jobs: 1, TimeLimit: inferenceLimit, Cache: j.Cache, Cores: j.Cores, FixedAddresses: j.FixedAddresses}
	defer measure.Close()
	slowest, bounded := time.Duration(0), false
	for _, s := range p.Submissions {
		if !anyRule(s.Expected, (*Expectation).boundsBelow) || s.Unusable != "" {
			continue
		}
		r, stopped := measure.times(ctx, s, p.Cases)
		var defect *Defect
		switch err := r.JudgeError(); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &defect):
			continue // told with the submission itself
		case err != nil:
			return err
		}
		// A submission that must be accepted says what the limit must allow. That
		// others run for a minute is told with their verdicts.
		if stopped != nil && stopped.Verdict == TimeLimit && anyRule(s.Expected, (*Expectation).mustPass) {
			return &Defect{File: p.Where(s.Path), Msg: fmt.Sprintf("no time limit can be inferred from it: on %s it was stopped after %s of CPU and %s of real time",
				stopped.Case, Duration(stopped.Outcome.CPU), Duration(stopped.Outcome.Wall))}
		}
		if t, ok := slowestUnder(r, (*Expectation).boundsBelow); ok {
			slowest, bounded = max(slowest, t), true
		}
	}
	if !bounded {
		return &Defect{File: p.Where(problemFile), Msg: "no time_limit, and no submission that can be judged here bounds one from below; give limits.time_limit or --time-limit"}
	}
	p.Limits.Time = p.Timing.least(slowest)
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

// least is the smallest time limit that leaves the slowest submission its margin.
func (t TimeRule) least(slowest time.Duration) time.Duration {
	steps := math.Ceil(slowest.Seconds() * t.ACToLimit / t.Resolution)
	return time.Duration(math.Round(max(steps, 1) * t.Resolution * float64(time.Second)))
}

func anyRule(expected []Expectation, is func(*Expectation) bool) bool {
	for i := range expected {
		if is(&expected[i]) {
			return true
		}
	}
	return false
}

// slowestUnder returns the longest time over the cases that rules of a kind
// speak of; ok is false when there was no such case.
func slowestUnder(r *Report, is func(*Expectation) bool) (t time.Duration, ok bool) {
	for i := range r.Expected {
		e := &r.Expected[i]
		if !is(e) {
			continue
		}
		for k := range r.Runs {
			if run := &r.Runs[k]; run.Err == nil && e.speaksOf(run.Case) {
				t, ok = max(t, timeOf(run.Outcome)), true
			}
		}
	}
	return t, ok
}

// timeOf is what a run says of how slow the program is: its CPU time. One that
// was stopped takes at least as long as it was given, and one that waited until
// then took the real time.
func timeOf(o sandbox.Outcome) time.Duration {
	switch o.Exceeded {
	case sandbox.CPU:
		return max(o.CPU, o.Limits.CPU)
	case sandbox.Wall:
		return max(o.CPU, o.Wall)
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
	shown map[*Submission]bool // those that took long enough on some case
}

func newBounds(p *Problem, limit time.Duration) *bounds {
	enough := time.Duration(math.Ceil(float64(limit) * p.Timing.LimitToTLE))
	return &bounds{enough: enough, told: enough + time.Duration(p.Timing.Resolution*float64(time.Second)), shown: make(map[*Submission]bool)}
}

// timeToKill is the CPU time to stop a run at. The bound that a slow submission
// sets is its slowest case: once one has shown that it is slow enough, the
// verdicts of the others are all that is left to learn, for which the limit will
// do. Submissions that bound the limit neither way are run no further, either.
func (b *bounds) timeToKill(s *Submission, c *Case) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case s.bounds(c, (*Expectation).boundsBelow):
		return b.told
	case s.bounds(c, (*Expectation).boundsAbove) && !b.shown[s]:
		return b.enough
	}
	return 0
}

// learn takes a run into account.
func (b *bounds) learn(e Event) {
	if e.Kind != Ran || e.Run.Err != nil || timeOf(e.Run.Outcome) < b.enough || !e.Submission.bounds(e.Case, (*Expectation).boundsAbove) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown[e.Submission] = true
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
