// Package stress searches for inputs on which programs differ: on which a submission does
// not answer as the reference does, or fails. It makes inputs from those of the package, or
// with generators, and shrinks what it finds.
package stress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/strength/inputs"
)

// A Search has the settings of a search. Problem, Targets, and Reference or Accepted are
// needed.
type Search struct {
	Problem   *problem.Problem
	Reference *problem.Submission   // its output is the answer; nil means the fastest of Accepted
	Accepted  []*problem.Submission // submissions that are expected to be accepted: they check what is found
	Targets   []*problem.Submission // the submissions that may differ
	Cases     []*problem.Case       // the cases whose inputs are mutated; nil means all
	Generate  []string              // commands that make inputs, as in generators.yaml, besides those of the package
	Generated bool                  // make inputs with generators only, not by mutation
	Seed      uint64                // decides random choices; several jobs make their order vary
	Budget    time.Duration         // wall-clock time without compiling; 0 means no limit
	Inputs    int                   // the largest number of valid inputs; 0 means no limit
	Shrink    time.Duration         // wall-clock time for shrinking one input; 0 shrinks none
	// Search on for other ways in which a target fails, until the budget is spent; Budget or
	// Inputs is needed.
	All bool
	// What to make as large as possible, instead of searching for differences; of the only
	// target.
	Maximize func(*judge.Run) float64
	OnEvent  func(Progress) // called after each valid input, one at a time; may be nil
}

// Run searches until every target has a counterexample (unless All is set), the budget is spent, or ctx ends.
// Then it shrinks what it found. The error is a *[problem.Defect] for a package that
// cannot be searched, or a failure of the judge. The result is valid even if ctx ends.
func (s Search) Run(ctx context.Context, j *judge.Judge) (*Result, error) {
	if err := s.defect(); err != nil {
		return nil, err
	}
	r := &search{Search: s, j: j, result: &Result{}, seen: make(map[[16]byte]bool),
		found: make(map[*problem.Submission][]*Counterexample), usage: make(map[*problem.Submission]*usage),
		goals: make(map[goal]bool)}
	if r.Cases == nil {
		r.Cases = s.Problem.Cases
	}
	err := r.setup(ctx)
	if err == nil {
		err = r.loop(ctx)
	}
	r.result.Reference = r.Reference
	if r.sources != nil {
		r.result.Notes = append(r.result.Notes, r.sources.doubts()...)
	}
	for _, t := range s.Targets {
		r.result.Counterexamples = append(r.result.Counterexamples, r.found[t]...)
	}
	for _, c := range r.result.Counterexamples {
		if err == nil && ctx.Err() == nil && s.Shrink > 0 {
			err = r.shrink(ctx, c)
		}
		if err == nil && ctx.Err() == nil {
			err = r.keepOutput(ctx, c)
		}
	}
	return r.result, errors.Join(err, r.end())
}

// defect returns why a search makes no sense.
func (s *Search) defect() error {
	p := s.Problem
	defect := func(format string, args ...any) error {
		return &problem.Defect{File: p.Where(problem.ProblemFile), Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case p.Is(problem.SubmitAnswer):
		return defect("submissions of a submit-answer problem do not run")
	case len(p.InputValidators) == 0:
		return defect("has no input validator, so no new input is known to be valid: expected one in input_validators/")
	}
	return nil
}

// A search is a Search in progress.
type search struct {
	Search
	j         *judge.Judge
	mutator   *inputs.Mutator
	generator *generate.Inputs
	settings  []*problem.Case // the different settings that an input may have
	costs     costs
	sources   *sources
	began     time.Time

	answerFile func(input []byte) []byte // of a new input, where outputs are no answers

	reference *judge.Session
	sessions  map[*problem.Submission]*judge.Session // of targets and accepted ones that run

	mu     sync.Mutex
	seen   map[[16]byte]bool // hashes of inputs
	result *Result
	found  map[*problem.Submission][]*Counterexample
	usage  map[*problem.Submission]*usage
	goals  map[goal]bool // whether the submission fails in the group anyway
	faults int           // errors of programs of the package
	spent  time.Duration // on runs of accepted submissions
	turn   int           // the number of such runs

	confirming sync.Mutex // held while a counterexample is checked
}

// end ends the sessions.
func (r *search) end() error {
	var errs []error
	for _, x := range r.sessions {
		errs = append(errs, x.End().Err)
	}
	if r.generator != nil {
		errs = append(errs, r.generator.Close())
	}
	return errors.Join(errs...)
}

// loop tries inputs, several at once.
func (r *search) loop(ctx context.Context) error {
	if r.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Budget)
		defer cancel()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	workers := r.j.Workers()
	if workers > 1 {
		workers++ // one makes an input while the others run programs
	}
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil && !r.done() {
				if err := r.next(ctx); err != nil && ctx.Err() == nil {
					stop(err)
				}
			}
		})
	}
	wg.Wait()
	r.result.Elapsed = time.Since(r.began)
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) &&
		!errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// done reports whether nothing more is searched for.
func (r *search) done() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.alive()) == 0 || r.Inputs > 0 && r.result.Valid >= r.Inputs
}

// alive returns the targets that run, and may have a counterexample that is searched for.
// Callers hold r.mu.
func (r *search) alive() []*problem.Submission {
	return slices.DeleteFunc(slices.Clone(r.Targets), func(s *problem.Submission) bool {
		open := slices.ContainsFunc(r.settings, func(setting *problem.Case) bool { return !r.goals[goal{s, setting.Group}] })
		enough := 1
		if r.All {
			enough = maxFailures
		}
		return len(r.found[s]) >= enough || r.sessions[s] == nil || !open
	})
}

// A usage is what a search has spent on a target.
type usage struct {
	tries int
	spent time.Duration
}

// affordable returns the targets that run on this input: those on which not much more time
// was spent than on the others, because one that is slow on every input would take all of
// it. Callers hold r.mu.
func (r *search) affordable() []*problem.Submission {
	alive := r.alive()
	total := time.Duration(0)
	for _, s := range alive {
		if r.usage[s] == nil {
			r.usage[s] = new(usage)
		}
		total += r.usage[s].spent
	}
	return slices.DeleteFunc(alive, func(s *problem.Submission) bool {
		return r.usage[s].spent > time.Second+2*total/time.Duration(len(alive)+1)
	})
}

// next makes one input and tries it.
func (r *search) next(ctx context.Context) error {
	made, err := r.sources.next(ctx)
	if made == nil {
		return err
	}
	r.mu.Lock()
	key := hash(made.input)
	repeated := r.seen[key]
	r.seen[key] = true
	if len(r.seen) > maxSeen {
		clear(r.seen) // some inputs may be tried again
	}
	if repeated {
		r.result.Repeated++
	}
	r.mu.Unlock()
	if repeated {
		r.sources.result(made, inputs.Repeated, 0)
		return nil
	}
	release, err := r.j.Acquire(ctx, 1)
	if err != nil {
		return err
	}
	t, err := r.try(ctx, made)
	release()
	if err != nil && ctx.Err() == nil {
		if err = r.fault(err); err != nil {
			return err
		}
	}
	switch {
	case t.valid:
		r.mutator.Add(made.input, made.setting, t.value)
		r.sources.result(made, inputs.Valid, len(t.different))
	case !t.unchecked:
		r.sources.result(made, inputs.Invalid, 0)
	}
	for _, c := range t.different {
		c.How, c.command, c.seed = made.how, made.command, made.seed
		if err := r.confirm(ctx, c); err != nil && ctx.Err() == nil {
			if err = r.fault(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// fault stores an error of a program of the package, such as a validator that crashes on
// an output. The search goes on, but not after many errors.
func (r *search) fault(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, judge.ErrCrashed) {
		if r.result.Crashes++; r.result.Crash == nil {
			r.result.Crash = err
		}
		return nil
	}
	if r.faults++; r.faults > maxFaults || problem.OutOfResources(err) {
		return err
	}
	if r.faults <= 3 {
		r.result.Notes = append(r.result.Notes, err.Error())
	}
	return nil
}

// maxFaults is the number of errors of programs of the package that a search tolerates.
const maxFaults = 100

// maxSeen bounds the memory for hashes of inputs, which is about 50 bytes for each.
const maxSeen = 4 << 20

// progress changes the result, and reports the progress.
func (r *search) progress(change func(*Result)) *Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Elapsed, r.result.Found, r.result.Targets = time.Since(r.began), len(r.found), len(r.Targets)
	change(r.result)
	now := r.result.Progress
	if r.OnEvent != nil {
		r.OnEvent(now)
	}
	return &now
}
