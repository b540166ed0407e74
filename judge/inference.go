package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// crowdedLimit is the CPU time at which a run beside other programs is stopped while
// the time limit is not known. The run is then made again alone, under InferenceLimit.
const crowdedLimit = 10 * time.Second

// Infer sets p.Limits.Time and p.Limits.Wall of a problem without a time limit.
// The limit is the smallest multiple of the problem's resolution that leaves the
// required margin above the slowest run that must pass (2025-09, "Problem
// timing"). Package verify measures the upper bounds, which takes longer. If the
// problem or j.TimeLimit sets a limit, Infer does nothing. The error is a
// *problem.Defect if no limit can be inferred.
//
// Several programs run at once. This can only make them slower, so a run is made
// again alone if its time would raise the limit above the one that the runs alone
// need. The next call of Run does not make these runs again.
func (j *Judge) Infer(ctx context.Context, p *problem.Problem) error {
	if j.LimitsOf(p).Time > 0 || p.Is(problem.SubmitAnswer) {
		return nil
	}
	i := &inference{p: p, made: make(map[*problem.Submission]map[*problem.Case]*Run)}
	if err := i.measure(ctx, j); err != nil {
		return err
	}
	slowest, err := i.slowest(ctx)
	if err != nil {
		return err
	}
	p.Limits.Time = p.Timing.Least(slowest)
	p.Limits.Wall = problem.WallLimit(p.Limits.Time)
	j.measured.put(i.made)
	return nil
}

// An inference has the submissions that bound the time limit from below, and their
// runs.
type inference struct {
	p        *problem.Problem
	measured []measurement
	alone    bool // one program runs at a time
	// Runs that it made, also on cases after the one on which a submission was stopped.
	made map[*problem.Submission]map[*problem.Case]*Run
}

// A measurement is a submission with its runs on the cases on which it bounds the
// limit, up to the first one on which it was stopped.
type measurement struct {
	s       *problem.Submission
	session source // nil if the submission cannot run
	cases   []*problem.Case
	runs    []Run
	err     error // of Begin
}

// measure runs the submissions on the cases, and returns only when it is sure which
// times would be measured with one program at a time.
func (i *inference) measure(ctx context.Context, j *Judge) error {
	k, err := j.with(func(k *Judge) {
		k.quiet()
		k.TimeLimit, k.Measures = InferenceLimit, true
		if k.Workers() > 1 || k.Executor != nil {
			k.TimeLimit = crowdedLimit
		}
		k.OnEvent = func(e Event) {
			if e.Kind == Ran {
				i.keep(e.Submission, e.Case, e.Run)
			}
		}
	})
	if err != nil {
		return err
	}
	i.alone = k.Workers() == 1 && k.Executor == nil
	lower := (*problem.Expectation).Lower
	for _, s := range i.p.Submissions {
		if problem.AnyRule(s.Expected, lower) && s.Unusable == "" {
			// The other cases cannot change the limit, and may be slow on purpose.
			cases := slices.DeleteFunc(slices.Clone(i.p.Cases), func(c *problem.Case) bool { return !s.Bounds(c, lower) })
			i.measured = append(i.measured, measurement{s: s, cases: cases})
		}
	}
	k.overlap(len(i.measured), func(n int) {
		m := &i.measured[n]
		session, r := k.source(ctx, m.s)
		if session != nil {
			m.session, m.runs = session, session.schedule(ctx, session.order(m.cases))
		}
		m.err = r.JudgeError()
	})
	err = i.confirm(ctx)
	for n := range i.measured {
		if m := &i.measured[n]; m.session != nil {
			m.err = cmp.Or(m.session.End().Err, m.err)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// confirm makes runs again, alone, until no run that was made beside other programs
// can change the limit.
func (i *inference) confirm(ctx context.Context) error {
	for ctx.Err() == nil {
		var sure time.Duration // the longest time of a run that was made alone
		var at *measurement    // has the slowest of the other runs
		var doubtful *Run
		for n := range i.measured {
			m := &i.measured[n]
			for r := range m.runs {
				switch run := &m.runs[r]; {
				case run.Err != nil || untimed(run.Outcome):
				case i.alone || len(run.Times) > 1:
					sure = max(sure, timeOf(run.Outcome))
				case doubtful == nil || timeOf(run.Outcome) > timeOf(doubtful.Outcome):
					at, doubtful = m, run
				}
			}
		}
		if doubtful == nil || i.p.Timing.Least(timeOf(doubtful.Outcome)) <= i.p.Timing.Least(sure) {
			return nil
		}
		c := at.caseOf(doubtful)
		again, err := at.session.alone(ctx, c)
		if err != nil {
			return err
		}
		if again.Err != nil {
			doubtful.Err = again.Err
			continue
		}
		outcomes := append(doubtful.Times, again.Outcome)
		if timeOf(again.Outcome) < timeOf(doubtful.Outcome) {
			*doubtful = again
		}
		doubtful.Times, doubtful.StoredAt = outcomes, nil
		at.session.save(ctx, c, doubtful)
		i.keep(at.s, c, doubtful)
	}
	return context.Cause(ctx)
}

// slowest returns the time of the slowest run that must stay within the time limit.
func (i *inference) slowest(ctx context.Context) (slowest time.Duration, err error) {
	bounded := false
	var broken error // a defect of the package, because of which a submission was not judged
	for n := range i.measured {
		m := &i.measured[n]
		var defect *problem.Defect
		switch err := m.judgeError(); {
		case errors.As(err, &defect):
			broken = cmp.Or[error](broken, defect)
			continue
		case err != nil:
			return 0, err
		}
		for r := range m.runs {
			switch run := &m.runs[r]; {
			case !untimed(run.Outcome):
				slowest, bounded = max(slowest, timeOf(run.Outcome)), true
			case run.Verdict == problem.TimeLimit && problem.AnyRule(m.s.Expected, (*problem.Expectation).MustPass):
				// If a submission that need not be accepted is stopped, that run does not
				// bound the limit. The submission's verdict will show that it is slow.
				return 0, &problem.Defect{File: i.p.Where(m.s.Path),
					Msg: fmt.Sprintf("no time limit can be inferred from it: on %s it was stopped after %s of CPU and %s of real time",
						run.Case, terminal.Duration(run.Outcome.CPU), terminal.Duration(run.Outcome.Wall))}
			}
		}
	}
	if !bounded {
		why := "no accepted submission can be judged here"
		if broken != nil {
			why = broken.Error()
		}
		return 0, &problem.Defect{File: i.p.Where(problem.ProblemFile),
			Msg: "no time limit is set, and none can be inferred: " + why + "; set limits.time_limit or --time-limit"}
	}
	return slowest, nil
}

// judgeError returns the first failure of the judge.
func (m *measurement) judgeError() error {
	err := m.err
	for n := range m.runs {
		err = cmp.Or(err, m.runs[n].Err)
	}
	return err
}

// patient returns a session that makes attempts under the limits of runs that no other
// program disturbs.
func (x *Session) patient() *Session {
	if !x.j.Measures {
		return x
	}
	limits := x.limits
	limits.Time, limits.Wall = InferenceLimit, problem.WallLimit(InferenceLimit)
	return &Session{draft: &draft{j: x.j, s: x.s, limits: limits}, program: x.program}
}

// keep keeps a run that the inference made. Runs of the store stay there, since other
// rules apply to their verdicts.
func (i *inference) keep(s *problem.Submission, c *problem.Case, run *Run) {
	if run.StoredAt != nil {
		return
	}
	if i.made[s] == nil {
		i.made[s] = make(map[*problem.Case]*Run)
	}
	kept := *run
	i.made[s][c] = &kept
}

// caseOf returns the case of a run.
func (m *measurement) caseOf(run *Run) *problem.Case {
	return m.cases[slices.IndexFunc(m.cases, func(c *problem.Case) bool { return c.Name == run.Case })]
}

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

// Elsewhere returns a judge whose runs others make, see [Judge.Executor], and which reports no
// events. It shares the sandbox, the cache and the store of j, and is unusable after
// j.Close.
func (j *Judge) Elsewhere(x func(*problem.Submission) Executor) (*Judge, error) {
	return j.with(func(k *Judge) {
		k.quiet()
		k.Executor = x
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
	j.Settings = Settings{TimeLimit: j.TimeLimit, OutputLimit: j.OutputLimit, Distortion: j.Distortion, Spread: j.Spread,
		Doubt: j.Doubt, Instructions: j.Instructions, FixedAddresses: j.FixedAddresses, Measures: j.Measures}
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

// JudgeFile judges one source file of this machine, which need not be in the
// package, on all cases of the problem. The report expects AC. If the problem sets
// no time limit, JudgeFile infers it first. The error is that of a file that cannot
// be read, a *[problem.Defect], or a failure of the judge; if the report is not nil,
// it has the runs until then. A missing compiler is no error: see Report.Skipped. If
// ctx ends, the report's Verdict is "", and the error may be nil.
func (j *Judge) JudgeFile(ctx context.Context, p *problem.Problem, name string) (*Report, error) {
	s, err := problem.NewSubmission(p, os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if err != nil {
		return nil, err
	}
	if err := j.Infer(ctx, p); err != nil {
		return nil, err
	}
	r := j.Run(ctx, s, p.Cases)
	return r, r.JudgeError()
}
