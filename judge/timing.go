package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
)

// InferenceLimit is the CPU time that a submission may use on a case while the time
// limit is not known.
const InferenceLimit = 60 * time.Second

// Alone returns a judge that runs one program at a time, under another time limit,
// and reports no events. Stop returns the CPU time at which a run is stopped, to
// measure how slow the program is, if it is above the limit; stop may be nil. The
// judge shares the sandbox and the cache of j and is unusable after j.Close.
func (j *Judge) Alone(limit time.Duration, stop func(*problem.Submission, *problem.Case) time.Duration) (*Judge, error) {
	return j.with(func(k *Judge) {
		k.Jobs, k.TimeLimit, k.timeToKill = 1, limit, stop
		k.All, k.Repeat, k.TimeToKill, k.KeepOutput, k.LogInteraction = false, 0, 0, false, false
		k.OnEvent, k.OnOutput, k.OnStderr = nil, nil, nil
	})
}

// Infer sets p.Limits.Time and p.Limits.Wall of a problem without a time limit.
// The limit is the smallest multiple of the problem's resolution that leaves the
// required margin above the slowest run that must pass (2025-09, "Problem
// timing"). Package verify measures the upper bounds, which takes longer. If the
// problem or j.TimeLimit sets a limit, Infer does nothing. The error is a
// *problem.Defect if no limit can be inferred.
func (j *Judge) Infer(ctx context.Context, p *problem.Problem) error {
	if j.LimitsOf(p).Time > 0 || p.Is(problem.SubmitAnswer) {
		return nil
	}
	// One program at a time: other programs would make the times longer.
	measure, err := j.Alone(InferenceLimit, nil)
	if err != nil {
		return err
	}
	slowest, bounded := time.Duration(0), false
	var broken error // a defect of the package, because of which a submission was not judged
	for _, s := range p.Submissions {
		if !problem.AnyRule(s.Expected, (*problem.Expectation).Lower) || s.Unusable != "" {
			continue
		}
		// The other cases cannot change the limit, and may be slow on purpose.
		cases := slices.DeleteFunc(slices.Clone(p.Cases), func(c *problem.Case) bool { return !s.Bounds(c, (*problem.Expectation).Lower) })
		r, stopped := measure.times(ctx, s, cases)
		var defect *problem.Defect
		switch err := r.JudgeError(); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &defect):
			broken = cmp.Or[error](broken, defect)
			continue
		case err != nil:
			return err
		}
		// If a submission that need not be accepted is stopped, that run does not
		// bound the limit. The submission's verdict will show that it is slow.
		if stopped != nil && stopped.Verdict == problem.TimeLimit && problem.AnyRule(s.Expected, (*problem.Expectation).MustPass) {
			return &problem.Defect{File: p.Where(s.Path), Msg: fmt.Sprintf("no time limit can be inferred from it: on %s it was stopped after %s of CPU and %s of real time",
				stopped.Case, units.Duration(stopped.Outcome.CPU), units.Duration(stopped.Outcome.Wall))}
		}
		if t, ok := SlowestAllowed(r); ok {
			slowest, bounded = max(slowest, t), true
		}
	}
	if !bounded {
		why := "no accepted submission can be judged here"
		if broken != nil {
			why = broken.Error()
		}
		return &problem.Defect{File: p.Where(problem.ProblemFile), Msg: "no time limit is set, and none can be inferred: " + why + "; set limits.time_limit or --time-limit"}
	}
	p.Limits.Time = p.Timing.Least(slowest)
	p.Limits.Wall = problem.WallLimit(p.Limits.Time)
	return nil
}

// times runs a submission on the cases, up to the first one on which it is stopped.
// The time of the stopped run is unknown, so the run is not in the report.
func (j *Judge) times(ctx context.Context, s *problem.Submission, cases []*problem.Case) (r *Report, stopped *Run) {
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

// TimeOf returns the CPU time of a run. If the run was stopped, it is a lower bound:
// the limit at which it was stopped or, if the program was waiting, the wall time.
func TimeOf(o sandbox.Outcome) (t time.Duration, stopped bool) {
	return timeOf(o), o.Exceeded == sandbox.CPU || o.Exceeded == sandbox.Wall
}

// TooSlow reports whether a run gets TLE under a time limit. Known is false if
// the run was stopped below that limit.
func TooSlow(o sandbox.Outcome, limit time.Duration) (slow, known bool) {
	l := problem.Limits{Time: limit, Wall: problem.WallLimit(limit)}
	v, _, err := verdictOf(o, l)
	if err != nil && o.Exceeded != sandbox.CPU && o.Exceeded != sandbox.Wall {
		// It was stopped at another limit.
		return o.CPU > l.Time || o.Wall-o.Waited > l.Wall, true
	}
	return v == problem.TimeLimit, err == nil
}

// timeOf returns the first result of TimeOf.
func timeOf(o sandbox.Outcome) time.Duration {
	switch o.Exceeded {
	case sandbox.CPU:
		return max(o.CPU, o.Limits.CPU)
	case sandbox.Wall:
		return max(o.CPU, o.Wall-o.Waited)
	}
	return o.CPU
}

// bounds limit how long programs run beyond the time limit: long enough to learn
// whether the limit separates fast submissions from slow ones, and no longer, because
// slow programs take more time than all others together.
type bounds struct {
	enough time.Duration // a run of at least this time is too slow by the required margin
	passes time.Duration // the longest time that a run which must pass may take, so that the report can name the limit that it needs

	mu    sync.Mutex
	shown map[*problem.Expectation]bool // rules that some case has met
}

func newBounds(p *problem.Problem, limit time.Duration) *bounds {
	enough := p.Timing.Enough(limit)
	return &bounds{enough: enough, passes: enough + time.Duration(p.Timing.Resolution*float64(time.Second)), shown: make(map[*problem.Expectation]bool)}
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
