package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"crucible/judge/problem"
	"crucible/judge/result"
)

// An ExecutorError is the error of a run of a session that its [Executor] did not make.
type ExecutorError struct{ error }

// Unwrap returns the error of the executor.
func (e *ExecutorError) Unwrap() error { return e.error }

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

// A delegation is a submission whose runs an Executor makes.
type delegation struct {
	*draft
	executor Executor
	mu       sync.Mutex
	compiled *Compiled // what compiling came to; nil until the first item has ended
}

// schedule sends the cases in work items and returns the runs that count. The first item
// shows whether the submission compiles; the others are under way at the same time.
func (d *delegation) schedule(ctx context.Context, o *order) []Run {
	d.j.Tell(Event{Kind: Compiling, Submission: d.s})
	if d.send(ctx, o) {
		var wg sync.WaitGroup
		for range min(d.j.Workers(), len(o.cases)) {
			wg.Go(func() {
				for d.send(ctx, o) {
				}
			})
		}
		wg.Wait()
	}
	r := d.report
	if c := d.compiled; c != nil {
		r.Compile, r.Skipped, r.Err = c.Compile, c.Skipped, cmp.Or(r.Err, c.Err)
		if c.Rejected && r.Err == nil {
			d.reject()
			return nil
		}
	}
	return o.kept(ctx)
}

// send sends one work item and adds its runs. It reports whether there may be more to
// send.
func (d *delegation) send(ctx context.Context, o *order) (more bool) {
	release, err := d.j.Acquire(ctx, 1)
	if err != nil {
		return false
	}
	defer release()
	chunk := o.take(ctx, d.j.pace.cases(d.s.Problem))
	if chunk == nil {
		return false
	}
	item := &WorkItem{Submission: d.s, Before: o.before(chunk[0]), Settings: d.settings()}
	for _, i := range chunk {
		item.Cases = append(item.Cases, o.cases[i])
	}
	ran := make(map[int]bool)
	c, err := d.executor.Execute(ctx, item, func(run *Run) {
		at := slices.IndexFunc(chunk, func(i int) bool { return o.cases[i].Name == run.Case })
		if at < 0 || ran[at] {
			return // it was not asked for
		}
		ran[at] = true
		d.j.pace.learn(d.s.Problem, run)
		o.add(chunk[at], d.ran(o.cases[chunk[at]], *run))
	})
	o.giveBack(chunk)
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	runs := !c.Rejected && (c.Skipped == "" || d.compiled != nil)
	if err = cmp.Or(err, c.Err); err == nil && runs && len(ran) == 0 {
		err = d.noRun(item)
	}
	if d.compiled == nil || c.Rejected {
		d.compiled = &c
	}
	d.report.Err = cmp.Or(d.report.Err, err)
	return runs && d.report.Err == nil
}

// beginElsewhere has the executor compile a submission; see Begin.
func (j *Judge) beginElsewhere(ctx context.Context, t *draft) (*Session, *Report) {
	d, r := &delegation{draft: t, executor: j.Executor(t.s)}, t.report
	item := &WorkItem{Submission: t.s, Settings: d.settings()}
	item.Alone = true
	c, err := d.executor.Execute(ctx, item, func(*Run) {})
	r.Compile, r.Skipped, r.Err = c.Compile, c.Skipped, cmp.Or(err, c.Err)
	if ctx.Err() != nil || r.Err != nil || r.Skipped != "" {
		return nil, r
	}
	if c.Rejected {
		t.reject()
		return nil, r
	}
	return &Session{draft: t, elsewhere: d}, r
}

// alone makes one attempt while no other program runs on the executor's machine.
func (d *delegation) alone(ctx context.Context, c *problem.Case) (only Run, err error) {
	item := &WorkItem{Submission: d.s, Cases: []*problem.Case{c}, Settings: d.settings()}
	item.Alone = true
	if d.j.timeToKill != nil {
		item.TimeToKill = d.j.timeToKill(d.s, c)
	}
	ran := false
	compiled, err := d.executor.Execute(ctx, item, func(run *Run) { only, ran = *run, true })
	if err = cmp.Or(err, compiled.Err); err == nil && !ran {
		err = d.noRun(item)
	}
	return only, err
}

// noRun returns the error for an item of which no case was run.
func (d *delegation) noRun(w *WorkItem) error {
	return fmt.Errorf("the executor made no run of %s on %s: expected at least that one", d.s.Name, w.Cases[0].Name)
}

// save does nothing: the executor keeps runs.
func (d *delegation) save(context.Context, *problem.Case, *Run) {}

// End returns the report.
func (d *delegation) End() *Report {
	if r := d.report; r.Err != nil && r.Runs == nil || r.Skipped != "" || r.Verdict == problem.CompileError {
		return r
	}
	failed := d.report.Err != nil
	r := d.end()
	if failed { // there are cases without a run
		r.Verdict, r.Score, r.MaxScore, r.Groups = problem.Undecided, nil, nil, nil
	}
	return r
}

// settings returns the settings of work items.
func (d *delegation) settings() Settings {
	s := d.j.Settings
	s.TimeLimit, s.Fresh = d.limits.Time, d.j.Stored == nil
	return s
}
