package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"crucible/judge/problem"
)

// A delegation is a submission whose runs an Executor makes.
type delegation struct {
	*tally
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

// alone makes one attempt while no other program runs on the executor's machine.
func (d *delegation) alone(ctx context.Context, c *problem.Case) (only Run, err error) {
	item := &WorkItem{Submission: d.s, Cases: []*problem.Case{c}, Settings: d.settings()}
	item.Alone = true
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
