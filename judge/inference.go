package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"crucible/judge/problem"
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
	return &Session{tally: &tally{j: x.j, s: x.s, limits: limits}, program: x.program}
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
