package judge

import (
	"context"
	"slices"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Alone returns a judge that runs one program at a time, under another time limit,
// and reports no events. Stop returns the CPU time at which a run is stopped, to
// measure how slow the program is, if it is above the limit; stop may be nil. The
// judge shares the sandbox and the cache of j and is unusable after j.Close.
func (j *Judge) Alone(limit time.Duration,
	stop func(*problem.Submission, *problem.Case) time.Duration) (*Judge, error) {
	return j.with(func(k *Judge) {
		k.quiet()
		k.Jobs, k.TimeLimit, k.timeToKill = 1, limit, stop
	})
}

// Under returns a judge with another time limit, which reports no events. It shares the
// sandbox, the cache and the store of j, and is unusable after j.Close.
func (j *Judge) Under(limit time.Duration) (*Judge, error) {
	return j.with(func(k *Judge) {
		k.quiet()
		k.TimeLimit = limit
	})
}

// quiet sets the judge to make each run once, for its time, and to report no events.
func (j *Judge) quiet() {
	j.Settings = Settings{TimeLimit: j.TimeLimit, Distortion: j.Distortion, Spread: j.Spread, Doubt: j.Doubt,
		Instructions: j.Instructions, FixedAddresses: j.FixedAddresses, Measures: j.Measures}
	j.timeToKill = nil
	j.OnEvent, j.OnOutput, j.OnStderr = nil, nil, nil
}

// slowestUnder returns the longest time over the cases of a rule; ok is false if
// none was run.
func slowestUnder(r *Report, e *problem.Expectation) (t time.Duration, ok bool) {
	for k := range r.Runs {
		if run := &r.Runs[k]; run.Err == nil && e.SpeaksOf(run.Case) {
			t, ok = max(t, timeOf(run.Outcome)), true
		}
	}
	return t, ok
}

// SlowestAllowed returns the longest time of a run that must stay within the time
// limit, over all rules of the submission. Ok is false if there is none.
func SlowestAllowed(r *Report) (t time.Duration, ok bool) {
	for i := range r.Expected {
		if e := &r.Expected[i]; e.Lower() {
			one, ran := slowestUnder(r, e)
			t, ok = max(t, one), ok || ran
		}
	}
	return t, ok
}

// StoppedWaiting reports whether a run of the submission was stopped at the wall-clock
// limit: its time is then how long the judge waited for it.
func StoppedWaiting(r *Report) bool {
	return slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Outcome.Exceeded == sandbox.Wall })
}

// FastestExceeding returns the time that the limit must be below: each rule requires
// that its slowest case is too slow, so it is the shortest of these times (2025-09,
// "Timelimit inference"). Ok is false if there is none.
func FastestExceeding(r *Report) (t time.Duration, ok bool) {
	for i := range r.Expected {
		if e := &r.Expected[i]; e.Upper() {
			if one, ran := slowestUnder(r, e); ran && (!ok || one < t) {
				t, ok = one, true
			}
		}
	}
	return t, ok
}

// bounds limit how long programs run beyond the time limit: long enough to learn
// whether the limit separates fast submissions from slow ones, and no longer, because
// slow programs take more time than all others together.
type bounds struct {
	enough time.Duration // a run of at least this time is too slow by the required margin
	// The longest time that a run which must pass may take, so that the report can name the
	// limit that it needs.
	passes time.Duration

	mu    sync.Mutex
	shown map[*problem.Expectation]bool // rules that some case has met
}

func newBounds(p *problem.Problem, limit time.Duration) *bounds {
	enough := p.Timing.Enough(limit)
	return &bounds{enough: enough, passes: enough + time.Duration(p.Timing.Resolution*float64(time.Second)),
		shown: make(map[*problem.Expectation]bool)}
}

// timeToKill returns the CPU time at which a run is stopped. A rule about a slow
// submission depends on its slowest case: once one case has taken long enough, only
// the verdicts of the others are needed, and the limit is enough for that. The same
// holds for submissions that do not bound the limit.
func (b *bounds) timeToKill(s *problem.Submission, c *problem.Case) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case s.Bounds(c, (*problem.Expectation).Lower):
		return b.passes
	case s.Bounds(c, func(e *problem.Expectation) bool { return e.Upper() && !b.shown[e] }):
		return b.enough
	}
	return 0
}

// learn marks the rules that a finished run shows to be met.
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

// RunToMargins runs every submission on every case, beyond the time limit as
// far as needed to learn whether the limit separates fast submissions from slow
// ones.
func (j *Judge) RunToMargins(ctx context.Context, p *problem.Problem) ([]*Report, error) {
	bounds := newBounds(p, j.LimitsOf(p).Time)
	patient, err := j.with(func(k *Judge) {
		k.All, k.timeToKill = true, bounds.timeToKill
		k.OnEvent = func(e Event) {
			bounds.learn(e)
			if j.OnEvent != nil {
				j.OnEvent(e)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return patient.RunAll(ctx, p.Submissions, p.Cases), nil
}

// Remeasure repeats the cases on which the submission's CPU time is above most,
// one program at a time, and keeps the shortest times in r: a program must exceed
// a margin by itself, not because other programs ran at the same time.
func (j *Judge) Remeasure(ctx context.Context, p *problem.Problem, r *Report, most time.Duration) error {
	const times = 3
	alone, err := j.Alone(j.TimeLimit, newBounds(p, j.LimitsOf(p).Time).timeToKill)
	if err != nil {
		return err
	}
	session, begun := alone.Begin(ctx, p.SubmissionNamed(r.Submission))
	if session == nil {
		return begun.JudgeError()
	}
	defer session.End()
	for i := range r.Runs {
		run := &r.Runs[i]
		c := slices.IndexFunc(p.Cases, func(c *problem.Case) bool { return c.Name == run.Case })
		for range times {
			if run.Outcome.CPU <= most || c < 0 {
				break
			}
			if again := session.Run(ctx, p.Cases[c]); again.Err == nil {
				run.Outcome.CPU = min(run.Outcome.CPU, again.Outcome.CPU)
			}
		}
	}
	return nil
}
