package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// elsewhere has the state of a submission whose runs an Executor makes.
type elsewhere struct {
	*tally
	mu        sync.Mutex
	compiled  *Compiled // what compiling came to; nil until the first item has ended
	compilers []string  // the workers that compiled the submission
	avoid     []string  // the workers that rejected it, and two others did not
}

// schedule sends the cases in work items and returns the runs that count. The first item
// shows whether the submission compiles; the others are under way at the same time.
func (e *elsewhere) schedule(ctx context.Context, cases []*problem.Case) []Run {
	e.j.Tell(Event{Kind: Compiling, Submission: e.s})
	o := newOrder(e.tally, cases)
	if e.send(ctx, o) {
		var wg sync.WaitGroup
		for range min(e.j.Workers(), len(cases)) {
			wg.Go(func() {
				for e.send(ctx, o) {
				}
			})
		}
		wg.Wait()
	}
	r := e.report
	if c := e.compiled; c != nil {
		r.Compile, r.Skipped, r.Err = c.Compile, c.Skipped, cmp.Or(r.Err, c.Err)
		if c.Rejected && r.Err == nil {
			e.reject()
			return nil
		}
	}
	return o.kept(ctx)
}

// send sends one work item and adds its runs. It reports whether there may be more to
// send.
func (e *elsewhere) send(ctx context.Context, o *order) (more bool) {
	release, err := e.j.Acquire(ctx, 1)
	if err != nil {
		return false
	}
	defer release()
	chunk := o.take(ctx, e.j.pace.cases(e.s.Problem))
	if chunk == nil {
		return false
	}
	item := &WorkItem{Submission: e.s, Before: o.before(chunk[0]), Settings: e.j.settingsOf(e.limits), Avoid: e.avoided()}
	for _, i := range chunk {
		item.Cases = append(item.Cases, o.cases[i])
	}
	made := make(map[int]bool)
	var doubts []doubted
	compiled, err := e.j.Executor.Execute(ctx, item, func(run *Run) {
		at := slices.IndexFunc(chunk, func(i int) bool { return o.cases[i].Name == run.Case })
		if at < 0 || made[at] {
			return // it was not asked for
		}
		made[at] = true
		e.j.pace.learn(e.s.Problem, run)
		if why := e.doubtful(run); why != "" {
			doubts = append(doubts, doubted{chunk[at], *run, why})
			return
		}
		o.add(chunk[at], e.ran(o.cases[chunk[at]], *run))
	})
	e.again(ctx, o, doubts)
	o.giveBack(chunk)
	e.mu.Lock()
	defer e.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	if err == nil {
		more, err = e.settle(ctx, item, &compiled)
		if err == nil && more && !compiled.Rejected && compiled.Err == nil && len(made) == 0 {
			err = e.noRun(item)
		}
	}
	e.report.Err = cmp.Or(e.report.Err, err)
	return more && e.report.Err == nil
}

func (e *elsewhere) avoided() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.avoid)
}

var errNoRun = errors.New("another worker made no run")

// A doubted run is one whose verdict may be another one on another machine.
type doubted struct {
	at  int // index of the case
	run Run
	why string
}

// again has doubtful runs made again by another worker, while no other program runs on
// its machine, and adds the runs that count. Without another worker, the first ones do.
func (e *elsewhere) again(ctx context.Context, o *order, doubts []doubted) {
	if len(doubts) == 0 {
		return
	}
	item := &WorkItem{Submission: e.s, Settings: e.j.settingsOf(e.limits), Avoid: e.avoided()}
	item.Alone = true
	for _, d := range doubts {
		item.Cases = append(item.Cases, o.cases[d.at])
		if !slices.Contains(item.Avoid, d.run.Worker) {
			item.Avoid = append(item.Avoid, d.run.Worker)
		}
	}
	made := make(map[string]*Run)
	compiled, err := e.j.Executor.Execute(ctx, item, func(run *Run) { made[run.Case] = run })
	if ctx.Err() != nil {
		return
	}
	if err = cmp.Or(err, compiled.Err); err == nil && slices.Contains(item.Avoid, compiled.By) {
		err = ErrNoOtherWorker
	}
	for _, d := range doubts {
		run, again := d.run, made[d.run.Case]
		switch {
		case again != nil && again.Err == nil && !slices.Contains(item.Avoid, again.Worker):
			run = e.j.combined(run, *again, d.why)
		case again != nil && again.Err != nil:
			run.Doubt = d.why + "; not made again: " + again.Err.Error()
		default:
			run.Doubt = d.why + "; not made again: " + cmp.Or(err, errNoRun).Error()
		}
		o.add(d.at, e.ran(o.cases[d.at], run))
	}
}

// doubtful returns why the verdict of a run that another machine made is doubtful, or "".
func (t *tally) doubtful(run *Run) string {
	if !t.j.doubts() {
		return ""
	}
	p := t.flips(run)
	if p < cmp.Or(t.j.Doubt, DefaultDoubt) {
		return ""
	}
	other := "TLE"
	if run.Verdict == problem.TimeLimit {
		other = "in time"
	}
	return fmt.Sprintf("%s%s: used %s CPU, limit %s; on another machine %s with a probability of %s",
		run.Verdict, beside(run.Outcome.Beside), terminal.Duration(run.Outcome.CPU), terminal.Exactly(t.limits.Time), other,
		terminal.Share(p))
}

// combined returns the one of two runs of a case by different workers that counts; the
// other one is among its attempts.
func (j *Judge) combined(first, second Run, why string) Run {
	outcomes, others := append(first.Times, second.Outcome), first.Others
	if first.Retried != "" {
		why = first.Retried + "; " + why
	}
	again := first.MadeAgain
	if j.replaces(&first, &second) {
		first, second = second, first
	}
	first.Times, first.Others, first.Retried, first.MadeAgain = outcomes, append(others, second.attempt()), why, again
	return first
}

// settle adds what compiling came to on the worker of an item. If workers do not agree,
// two of three decide. More reports whether there are runs to make. The caller has locked
// e.mu.
func (e *elsewhere) settle(ctx context.Context, item *WorkItem, c *Compiled) (more bool, err error) {
	switch first := e.compiled; {
	case c.Skipped != "" || defect(c.Err):
		if first == nil {
			e.compiled = c
		}
		return first != nil, nil
	case c.Err != nil:
		return e.replace(ctx, item, c), nil
	case !c.Rejected:
		if first == nil {
			e.compiled = c
		}
		if !slices.Contains(e.compilers, c.By) {
			e.compilers = append(e.compilers, c.By)
		}
		return true, nil
	case first != nil && len(e.compilers) > 1 && !slices.Contains(item.Avoid, c.By):
		e.avoid = append(e.avoid, c.By)
		return true, nil
	case first != nil:
		return e.decide(ctx, item, first, c)
	case problem.NamesCompileError(e.s.Expected):
		e.compiled = c
		return false, nil
	}
	// The compiler of one worker may be broken, and nobody expects that the submission is
	// rejected.
	other, err := e.compile(ctx, item, c.By)
	if err != nil || other.Rejected {
		e.compiled = c
		return false, nil
	}
	return e.decide(ctx, item, other, c)
}

// replace asks another worker if the judge has failed on one, as with a compiler that does
// not compile its test program. Without another one, the failure counts.
func (e *elsewhere) replace(ctx context.Context, item *WorkItem, failed *Compiled) (more bool) {
	if slices.Contains(item.Avoid, failed.By) {
		e.report.Err = cmp.Or(e.report.Err, failed.Err)
		return false
	}
	if e.compiled == nil {
		other, err := e.compile(ctx, item, failed.By)
		if err != nil {
			e.compiled = failed
			return false
		}
		if e.compiled = other; other.Rejected {
			return false
		}
		e.compilers = []string{other.By}
	}
	e.avoid = append(e.avoid, failed.By)
	return true
}

// defect reports whether the cause of an error is the package.
func defect(err error) bool {
	_, is := errors.AsType[*problem.Defect](err)
	return is
}

// decide asks a third worker if one compiles the submission and another one rejects it.
// Without a third one, the error names both.
func (e *elsewhere) decide(ctx context.Context, item *WorkItem, accepts, rejects *Compiled) (more bool, err error) {
	third, err := e.compile(ctx, item, accepts.By, rejects.By)
	switch {
	case ctx.Err() != nil:
		return false, nil
	case err != nil:
		message, _, _ := strings.Cut(strings.TrimSpace(rejects.Compile.Message), "\n")
		return false, fmt.Errorf("worker %s rejects what worker %s compiles (%s), and no third one decides: %w", rejects.By,
			accepts.By, message, err)
	case third.Rejected:
		e.compiled = rejects
		return false, nil
	}
	e.compiled, e.compilers, e.avoid = accepts, []string{accepts.By, third.By}, append(e.avoid, rejects.By)
	return true, nil
}

// compile has a worker other than those compile the submission. The error is for a worker
// that cannot say whether the submission compiles.
func (e *elsewhere) compile(ctx context.Context, item *WorkItem, than ...string) (*Compiled, error) {
	one := *item
	one.Cases, one.Avoid = item.Cases[:1], than
	c, err := e.j.Executor.Execute(ctx, &one, func(*Run) {})
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(than, c.By):
		return nil, ErrNoOtherWorker
	case c.Err != nil:
		return nil, c.Err
	case c.Skipped != "":
		return nil, errors.New(c.Skipped)
	}
	return &c, nil
}

// alone makes one attempt while no other program runs on the executor's machine.
func (e *elsewhere) alone(ctx context.Context, c *problem.Case) (made Run, err error) {
	item := &WorkItem{Submission: e.s, Cases: []*problem.Case{c}, Settings: e.j.settingsOf(e.limits)}
	item.Alone = true
	ran := false
	compiled, err := e.j.Executor.Execute(ctx, item, func(run *Run) { made, ran = *run, true })
	if err = cmp.Or(err, compiled.Err); err == nil && !ran {
		err = e.noRun(item)
	}
	return made, err
}

// noRun returns the error for an item of which no case was run.
func (e *elsewhere) noRun(w *WorkItem) error {
	return fmt.Errorf("the executor made no run of %s on %s: expected at least that one", e.s.Name, w.Cases[0].Name)
}

// save does nothing: the executor keeps runs.
func (e *elsewhere) save(context.Context, *problem.Case, *Run) {}

// End returns the report.
func (e *elsewhere) End() *Report {
	if r := e.report; r.Err != nil && r.Runs == nil || r.Skipped != "" || r.Verdict == problem.CompileError {
		return r
	}
	failed := e.report.Err != nil
	r := e.end()
	if failed { // there are cases without a run
		r.Verdict, r.Score, r.MaxScore, r.Groups = problem.Undecided, nil, nil, nil
	}
	return r
}

// settingsOf returns the settings of work items under the limits.
func (j *Judge) settingsOf(limits problem.Limits) Settings {
	s := j.Settings
	s.TimeLimit, s.Fresh = limits.Time, j.Stored == nil
	if j.doubts() {
		s.Beyond = 2 * j.spread()
	}
	return s
}
