package judge

import (
	"context"
	"errors"

	"crucible/judge/problem"
	"crucible/judge/result"
)

// Execute makes runs in this process; see [Executor]. Of the judge's own settings it
// uses those about the machine: how many programs run at once, and how they are confined.
func (j *Judge) Execute(ctx context.Context, item *WorkItem, ran func(*Run)) (Compiled, error) {
	k, err := j.as(&item.Settings)
	if err != nil {
		return Compiled{}, err
	}
	x, r := k.Begin(ctx, item.Submission)
	c := Compiled{Compile: r.Compile, Skipped: r.Skipped, Err: r.Err, Rejected: r.Verdict == problem.CompileError}
	if x == nil {
		return c, context.Cause(ctx)
	}
	defer x.program.Vacate() // Close tries again
	if item.Alone {
		for _, one := range item.Cases {
			run, err := x.alone(ctx, one)
			if err != nil {
				return c, err
			}
			ran(&run)
		}
		return c, context.Cause(ctx)
	}
	x.resume(item)
	o := x.order(item.Cases)
	o.first, o.counted = true, ran
	x.schedule(ctx, o)
	return c, context.Cause(ctx)
}

// as returns a judge with the settings of a work item. It shares the jobs of j.
func (j *Judge) as(s *Settings) (*Judge, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	if s.Instructions && !j.Instructions {
		return nil, errors.New("instructions are not counted here")
	}
	k := *j
	k.Settings, k.timeToKill = *s, nil
	k.Executor, k.OnEvent, k.OnOutput = nil, nil, nil
	if s.Fresh {
		k.Stored = nil
	}
	return &k, nil
}

// resume counts the known runs of the cases before a work item. Those that are not known
// make more cases needed, not fewer.
func (x *Session) resume(item *WorkItem) {
	if x.state == nil {
		return
	}
	before := make(map[string]*result.Run, len(item.Before))
	for i := range item.Before {
		before[item.Before[i].Case] = &item.Before[i]
	}
	for _, c := range x.s.Problem.Cases {
		if c == item.Cases[0] {
			return
		}
		if run := before[c.Name]; run != nil {
			x.state.Add(c, run)
		}
	}
}
