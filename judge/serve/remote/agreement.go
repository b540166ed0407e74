package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Agree returns a [judge.Judge.Executor] for workers of which no single one decides what
// another one may see differently: whether a submission compiles, and the verdict of a run
// whose time is near the limit.
func Agree(workers judge.Executor) func(*problem.Submission) judge.Executor {
	return func(*problem.Submission) judge.Executor { return &agreement{workers: workers} }
}

// An agreement executes the work items of one submission.
type agreement struct {
	workers   judge.Executor
	mu        sync.Mutex
	compiled  *judge.Compiled // of the first worker that compiled it; nil until then
	compilers []string        // the workers that compiled it
	avoid     []string        // the workers that rejected it, and two others did not, or that failed
}

// Execute implements [judge.Executor].
func (a *agreement) Execute(ctx context.Context, item *judge.WorkItem, ran func(*judge.Run)) (judge.Compiled, error) {
	for {
		one := *item
		one.Avoid = a.avoided()
		if doubts(&item.Settings) {
			one.Beyond = 2 * spread(&item.Settings)
		}
		var again []doubt
		c, err := a.workers.Execute(ctx, &one, func(run *judge.Run) {
			at := slices.IndexFunc(item.Cases, func(c *problem.Case) bool { return c.Name == run.Case })
			if why := doubtOf(&item.Settings, run); why != "" && at >= 0 {
				again = append(again, doubt{item.Cases[at], *run, why})
				return
			}
			ran(run)
		})
		a.resolve(ctx, item, again, ran)
		if err != nil || ctx.Err() != nil {
			return c, err
		}
		c, more, err := a.settle(ctx, &one, &c)
		if err != nil || !more || ctx.Err() != nil {
			return c, err
		}
	}
}

func (a *agreement) avoided() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.avoid)
}

var errNoRun = errors.New("another worker made no run")

// A doubt is about a run whose verdict may be another one on another machine.
type doubt struct {
	c   *problem.Case
	run judge.Run
	why string
}

// doubtOf returns why the verdict of a run that another machine made is doubtful, or "".
func doubtOf(s *judge.Settings, run *judge.Run) string {
	if !doubts(s) {
		return ""
	}
	p := flips(s, run)
	if p < cmp.Or(s.Doubt, judge.DefaultDoubt) {
		return ""
	}
	other := "TLE"
	if run.Verdict == problem.TimeLimit {
		other = "in time"
	}
	return fmt.Sprintf("%s: used %s CPU, limit %s; on another machine %s with a probability of %s",
		run.Circumstances(), terminal.Duration(run.Outcome.CPU), terminal.Exactly(s.TimeLimit), other, terminal.Share(p))
}

// resolve has doubtful runs made again by another worker, while no other program runs on
// its machine, and passes on the runs that count. Without another worker, the first ones do.
func (a *agreement) resolve(ctx context.Context, of *judge.WorkItem, doubts []doubt, ran func(*judge.Run)) {
	if len(doubts) == 0 {
		return
	}
	item := &judge.WorkItem{Submission: of.Submission, Settings: of.Settings, Avoid: a.avoided()}
	item.Alone, item.Beyond = true, 2*spread(&of.Settings)
	for _, d := range doubts {
		item.Cases = append(item.Cases, d.c)
		if !slices.Contains(item.Avoid, d.run.Worker) {
			item.Avoid = append(item.Avoid, d.run.Worker)
		}
	}
	runs := make(map[string]*judge.Run)
	compiled, err := a.workers.Execute(ctx, item, func(run *judge.Run) { runs[run.Case] = run })
	if ctx.Err() != nil {
		return
	}
	if err = cmp.Or(err, compiled.Err); err == nil && slices.Contains(item.Avoid, compiled.By) {
		err = judge.ErrNoOtherWorker
	}
	for _, d := range doubts {
		run, again := d.run, runs[d.c.Name]
		switch {
		case again != nil && again.Err == nil && !slices.Contains(item.Avoid, again.Worker):
			run = combined(run, *again, d.why)
		case again != nil && again.Err != nil:
			run.Doubt = d.why + "; not made again: " + again.Err.Error()
		default:
			run.Doubt = d.why + "; not made again: " + cmp.Or(err, errNoRun).Error()
		}
		ran(&run)
	}
}

// combined returns the one of two runs of a case by different workers that counts; the
// other one is among its attempts.
func combined(first, second judge.Run, why string) judge.Run {
	outcomes, others := append(first.Times, second.Outcome), first.Others
	if first.Retried != "" {
		why = first.Retried + "; " + why
	}
	again := first.MadeAgain
	if second.Replaces(&first, false) {
		first, second = second, first
	}
	first.Times, first.Others, first.Retried, first.MadeAgain = outcomes, append(others, second.Attempt()), why, again
	return first
}

// settle returns what compiling came to, from that on the worker of an item. If workers do
// not agree, two of three decide. Again reports whether the item is to be executed by
// another worker.
func (a *agreement) settle(ctx context.Context, item *judge.WorkItem,
	c *judge.Compiled) (_ judge.Compiled, again bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case c.Skipped != "" || defectOf(c.Err) != nil: // the cause is the package or the machine
		return *c, false, nil
	case c.Err != nil:
		return a.replace(ctx, item, c)
	case !c.Rejected:
		if a.compiled == nil {
			a.compiled = c
		}
		if !slices.Contains(a.compilers, c.By) {
			a.compilers = append(a.compilers, c.By)
		}
		return *c, false, nil
	case a.compiled != nil && len(a.compilers) > 1 && !slices.Contains(item.Avoid, c.By):
		a.avoid = append(a.avoid, c.By)
		return *c, true, nil
	case a.compiled != nil:
		return a.decide(ctx, item, a.compiled, c)
	case problem.NamesCompileError(item.Submission.Expected):
		return *c, false, nil
	}
	// The compiler of one worker may be broken, and nobody expects that the submission is
	// rejected.
	other, err := a.compile(ctx, item, c.By)
	if err != nil || other.Rejected {
		return *c, false, nil
	}
	return a.decide(ctx, item, other, c)
}

// replace asks another worker if the judge has failed on one, as with a compiler that does
// not compile its test program. Without another one, the failure counts.
func (a *agreement) replace(ctx context.Context, item *judge.WorkItem,
	failed *judge.Compiled) (_ judge.Compiled, again bool, err error) {
	if slices.Contains(item.Avoid, failed.By) {
		return *failed, false, nil
	}
	if a.compiled == nil {
		other, err := a.compile(ctx, item, failed.By)
		if err != nil {
			return *failed, false, nil
		}
		if other.Rejected {
			return *other, false, nil
		}
		a.compiled, a.compilers = other, []string{other.By}
	}
	a.avoid = append(a.avoid, failed.By)
	return *failed, true, nil
}

// decide asks a third worker if one compiles the submission and another one rejects it.
// Without a third one, the error names both.
func (a *agreement) decide(ctx context.Context, item *judge.WorkItem,
	accepts, rejects *judge.Compiled) (_ judge.Compiled, again bool, err error) {
	third, err := a.compile(ctx, item, accepts.By, rejects.By)
	switch {
	case ctx.Err() != nil:
		return *rejects, false, context.Cause(ctx)
	case err != nil:
		message, _, _ := strings.Cut(strings.TrimSpace(rejects.Compile.Message), "\n")
		// The submission is neither accepted nor rejected.
		return judge.Compiled{By: rejects.By}, false, fmt.Errorf(
			"worker %s rejects what worker %s compiles (%s), and no third one decides: %w", rejects.By, accepts.By, message, err)
	case third.Rejected:
		return *rejects, false, nil
	}
	a.compiled, a.compilers, a.avoid = accepts, []string{accepts.By, third.By}, append(a.avoid, rejects.By)
	return *accepts, true, nil
}

// compile has a worker other than those compile the submission. The error is for a worker
// that cannot say whether the submission compiles.
func (a *agreement) compile(ctx context.Context, item *judge.WorkItem, than ...string) (*judge.Compiled, error) {
	one := *item
	one.Cases, one.Avoid = item.Cases[:1], than
	c, err := a.workers.Execute(ctx, &one, func(*judge.Run) {})
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(than, c.By):
		return nil, judge.ErrNoOtherWorker
	case c.Err != nil:
		return nil, c.Err
	case c.Skipped != "":
		return nil, errors.New(c.Skipped)
	}
	return &c, nil
}
