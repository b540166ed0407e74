// Package stress searches for inputs on which programs differ: on which a submission does
// not answer as the reference does, or fails. It makes inputs from those of the package, or
// with generators, and shrinks what it finds.
package stress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/generate"
	"crucible/judge/problem"
)

// A Search has the settings of a search. Problem, Targets, and Reference or Accepted are
// needed.
type Search struct {
	Problem   *problem.Problem
	Reference *problem.Submission      // its output is the answer; nil means the fastest of Accepted
	Accepted  []*problem.Submission    // submissions that are expected to be accepted: they check what is found
	Targets   []*problem.Submission    // the submissions that may differ
	Cases     []*problem.Case          // the cases whose inputs are mutated; nil means all
	Generate  []string                 // commands that make inputs, as in generators.yaml, besides those of the package
	Generated bool                     // make inputs with generators only, not by mutation
	Seed      uint64                   // decides random choices; several jobs make their order vary
	Budget    time.Duration            // wall-clock time without compiling; 0 means no limit
	Inputs    int                      // the largest number of valid inputs; 0 means no limit
	Shrink    time.Duration            // wall-clock time for shrinking one input; 0 shrinks none
	Climb     func(*judge.Run) float64 // what to make as large as possible, instead of searching for differences; of the only target
	OnEvent   func(Progress)           // called after each valid input, one at a time; may be nil
}

// A Progress is the state of a search.
type Progress struct {
	Valid, Invalid, Repeated int           // inputs so far
	Unchecked                int           // inputs on which no submission differed, so no input validator ran: it would take longer
	Found, Targets           int           // targets for which an input was found
	Elapsed                  time.Duration // since the first input
}

// A Result is what a search found.
type Result struct {
	Progress
	Reference       *problem.Submission
	Counterexamples []*Counterexample // in the order of Search.Targets; without those that have none
	Disagreement    *Counterexample   // the first one that shows that an accepted submission does not agree with the reference; nil if there is none
	Disagreements   int               // inputs on which accepted submissions do not agree, as far as they were tried; nothing is found on them
	Slow            int               // valid inputs on which the reference failed or exceeded a limit
	Failure         *Counterexample   // the first such failure of the reference; nil if there is none
	Best            *Counterexample   // the input with the largest value of Search.Climb, and its verdict; nil without
	BestRun         judge.Run         // of Best
	Start           float64           // the largest value of an input of the package
	Crash           error             // the first crash of a validator; nil if there is none
	Crashes         int               // of validators: the input is not valid, or the output not judged
	Notes           []string          // doubts about the package
}

// A Counterexample is an input on which a submission differs from the reference.
type Counterexample struct {
	Submission *problem.Submission
	Case       *problem.Case   // a case with the settings that the input has: its group and the arguments of programs
	Verdict    problem.Verdict // not AC
	Why        string          // the reason of the verdict on Smallest, one line
	How        string          // how the input was made: "mutation", or the command of a generator with its seed
	Input      []byte          // as found
	Answer     []byte          // the output of the reference
	After      int             // inputs on which the submission ran until it was found
	Elapsed    time.Duration   // until it was found
	Shrunk     []byte          // the smallest input found from Input on which the verdict is the same; nil if it was not shrunk
	ShrunkTo   []byte          // the answer of Shrunk
	Steps      []string        // the changes from Input to Shrunk

	command  []string // of the generator that made the input; nil if none did
	seed     uint32   // of the generator
	unplaced bool     // the input is not valid with the settings of Case
}

// Smallest returns the smallest input that was found.
func (c *Counterexample) Smallest() []byte {
	if c.Shrunk != nil {
		return c.Shrunk
	}
	return c.Input
}

// SmallestAnswer returns the answer of Smallest.
func (c *Counterexample) SmallestAnswer() []byte {
	if c.Shrunk != nil {
		return c.ShrunkTo
	}
	return c.Answer
}

// Run searches until every target has a counterexample, the budget is spent, or ctx ends.
// Then it shrinks what it found. The error is a *[problem.Defect] for a package that
// cannot be searched, or a failure of the judge. The result is valid even if ctx ends.
func (s Search) Run(ctx context.Context, j *judge.Judge) (*Result, error) {
	if err := s.defect(); err != nil {
		return nil, err
	}
	r := &running{Search: s, j: j, result: &Result{}, seen: make(map[[16]byte]bool), found: make(map[*problem.Submission]*Counterexample), use: make(map[*problem.Submission]*use), goals: make(map[goal]bool)}
	if r.Cases == nil {
		r.Cases = s.Problem.Cases
	}
	err := r.begin(ctx)
	if err == nil {
		err = r.search(ctx)
	}
	r.result.Reference = r.Reference
	if r.sources != nil {
		r.result.Notes = append(r.result.Notes, r.sources.notes...)
	}
	for _, t := range s.Targets {
		if c := r.found[t]; c != nil {
			r.result.Counterexamples = append(r.result.Counterexamples, c)
		}
	}
	for _, c := range r.result.Counterexamples {
		if err == nil && ctx.Err() == nil && s.Shrink > 0 {
			err = r.shrink(ctx, c)
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
	case p.Is(problem.Interactive) || p.Is(problem.MultiPass):
		return defect("interactive and multi-pass problems cannot be searched, because no program of the package answers a new input")
	case len(p.InputValidators) == 0:
		return defect("has no input validator, so no new input is known to be valid: expected one in input_validators/")
	}
	return nil
}

// A running is a search in progress.
type running struct {
	Search
	j       *judge.Judge
	mutator *Mutator
	inputs  *generate.Inputs
	homes   []*problem.Case // the different settings that an input may have
	costs   costs
	sources *sources
	began   time.Time

	reference *judge.Session
	sessions  map[*problem.Submission]*judge.Session // of targets and accepted ones that run

	mu     sync.Mutex
	seen   map[[16]byte]bool // hashes of inputs
	result *Result
	found  map[*problem.Submission]*Counterexample
	use    map[*problem.Submission]*use
	goals  map[goal]bool // whether the submission fails in the group anyway
	faults int           // errors of programs of the package
	spent  time.Duration // on runs of accepted submissions
	turn   int           // the number of such runs

	believing sync.Mutex // held while a counterexample is checked
}

// end ends the sessions.
func (r *running) end() error {
	var errs []error
	for _, x := range r.sessions {
		errs = append(errs, x.End().Err)
	}
	if r.inputs != nil {
		errs = append(errs, r.inputs.Close())
	}
	return errors.Join(errs...)
}

// search tries inputs, several at once.
func (r *running) search(ctx context.Context) error {
	if r.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Budget)
		defer cancel()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	for range r.j.Workers() {
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
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// done reports whether nothing more is searched for.
func (r *running) done() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.alive()) == 0 || r.Inputs > 0 && r.result.Valid >= r.Inputs
}

// alive returns the targets that run, have no counterexample yet, and may have one.
// Callers hold r.mu.
func (r *running) alive() []*problem.Submission {
	return slices.DeleteFunc(slices.Clone(r.Targets), func(s *problem.Submission) bool {
		open := slices.ContainsFunc(r.homes, func(home *problem.Case) bool { return !r.goals[goal{s, home.Group}] })
		return r.found[s] != nil || r.sessions[s] == nil || !open
	})
}

// A use is what a search has spent on a target.
type use struct {
	tries int
	spent time.Duration
}

// affordable returns the targets that run on this input: those on which not much more time
// was spent than on the others, because one that is slow on every input would take all of
// it. Callers hold r.mu.
func (r *running) affordable() []*problem.Submission {
	alive := r.alive()
	total := time.Duration(0)
	for _, s := range alive {
		if r.use[s] == nil {
			r.use[s] = new(use)
		}
		total += r.use[s].spent
	}
	return slices.DeleteFunc(alive, func(s *problem.Submission) bool {
		return r.use[s].spent > time.Second+2*total/time.Duration(len(alive)+1)
	})
}

// next makes one input and tries it.
func (r *running) next(ctx context.Context) error {
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
		r.sources.learnOf(made, Repeated, 0)
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
		r.mutator.Add(made.input, made.home, t.value)
		r.sources.learnOf(made, Valid, len(t.different))
	case !t.unchecked:
		r.sources.learnOf(made, Invalid, 0)
	}
	for _, c := range t.different {
		c.How, c.command, c.seed = made.how, made.command, made.seed
		if err := r.believe(ctx, c); err != nil && ctx.Err() == nil {
			if err = r.fault(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// fault stores an error of a program of the package, such as a validator that crashes on
// an output. The search goes on, but not after many errors.
func (r *running) fault(err error) error {
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

// A trial is what one input showed.
type trial struct {
	home             *problem.Case // whose settings the input has
	input            []byte
	one              *problem.Case // with the input and the answer of the reference
	valid, unchecked bool
	value            float64 // of Search.Climb
	answer           []byte
	different        []*Counterexample
}

// try runs the input validators, the reference and the targets on an input. The caller has
// acquired a job.
func (r *running) try(ctx context.Context, c *candidate) (t trial, err error) {
	t.home, t.input = r.homes[c.home], c.input
	late := r.Climb == nil && r.costs.late()
	if !late {
		if err := r.check(ctx, &t); err != nil || !t.valid {
			return t, err
		}
		if r.Climb != nil {
			t.value, err = r.climb(ctx, t.home, t.input, r.progress(func(*Result) {}))
			return t, err
		}
	}
	began := time.Now()
	answer, run := r.answer(ctx, t.home, t.input)
	if run.Err != nil {
		return t, run.Err
	}
	if run.Verdict != problem.Accepted {
		if t.unchecked = late; !late {
			r.failed(&t, run)
		}
		r.costs.ran(late, time.Since(began), false)
		return t, nil
	}
	t.answer, t.one = answer, with(t.home, t.input, answer)
	err = r.differences(ctx, &t)
	r.costs.ran(late, time.Since(began), len(t.different) > 0)
	switch {
	case late && len(t.different) == 0:
		t.unchecked = true
		r.progress(func(result *Result) { result.Unchecked++ })
		return t, err
	case late:
		if e := r.check(ctx, &t); e != nil || !t.valid {
			for _, c := range t.different {
				c.unplaced = true
			}
			return t, errors.Join(err, e)
		}
	}
	return t, errors.Join(err, r.compareAccepted(ctx, &t))
}

// check runs the input validators.
func (r *running) check(ctx context.Context, t *trial) (err error) {
	began := time.Now()
	if t.valid, err = r.isValid(ctx, t.home, t.input); err != nil {
		t.valid = false
	}
	r.costs.checked(time.Since(began), t.valid)
	r.progress(func(result *Result) {
		if t.valid {
			result.Valid++
		} else {
			result.Invalid++
		}
	})
	return err
}

// failed stores that the reference failed on a valid input.
func (r *running) failed(t *trial, run *judge.Run) {
	r.progress(func(result *Result) {
		if result.Slow++; result.Failure == nil {
			result.Failure = counterexample(r.Reference, t.home, t.input, nil, run, result.Progress)
		}
	})
}

// differences runs the targets on an input with the answer of the reference.
func (r *running) differences(ctx context.Context, t *trial) (err error) {
	r.mu.Lock()
	now := r.result.Progress
	targets := slices.DeleteFunc(r.affordable(), func(s *problem.Submission) bool { return r.goals[goal{s, t.home.Group}] })
	r.mu.Unlock()
	for _, s := range targets {
		began := time.Now()
		run := r.sessions[s].Compare(ctx, t.one, t.answer)
		r.mu.Lock()
		r.use[s].tries++
		r.use[s].spent += time.Since(began)
		now.Valid = r.use[s].tries
		now.Elapsed = time.Since(r.began)
		r.mu.Unlock()
		if run.Err != nil {
			err = run.Err
			continue
		}
		if run.Verdict != problem.Accepted {
			t.different = append(t.different, counterexample(s, t.home, t.input, t.answer, &run, now))
		}
	}
	return err
}

// compareAccepted runs an accepted submission on a valid input, now and then.
func (r *running) compareAccepted(ctx context.Context, t *trial) error {
	s := r.due()
	if s == nil {
		return nil
	}
	began := time.Now()
	run := r.sessions[s].Try(ctx, t.one) // the validator judges the answer of the reference, too
	r.mu.Lock()
	r.spent += time.Since(began)
	now := r.result.Progress
	r.mu.Unlock()
	if run.Err == nil && (run.Verdict == problem.WrongAnswer || run.Verdict == problem.RuntimeError) {
		c := counterexample(s, t.home, t.input, t.answer, &run, now)
		// If the validator does not accept the answer itself, the submission is not to blame.
		if checked, err := r.j.CheckOutput(ctx, r.Problem, t.one, ".ans"); err != nil {
			return err
		} else if checked.Verdict != problem.Accepted {
			c = counterexample(r.Reference, t.home, t.input, t.answer, &checked, now)
		}
		r.disagree(c)
	}
	return run.Err
}

// due returns an accepted submission that runs on this input, too, because accepted ones
// may disagree; nil if none does. They take turns, and a quarter of the time.
func (r *running) due() *problem.Submission {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spent > time.Since(r.began)*time.Duration(r.j.Workers())/4 {
		return nil
	}
	for range r.Accepted {
		s := r.Accepted[r.turn%len(r.Accepted)]
		if r.turn++; r.sessions[s] != nil && s != r.Reference {
			return s
		}
	}
	return nil
}

// progress changes the result, and reports the progress.
func (r *running) progress(change func(*Result)) *Progress {
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

// climb runs the target on an input and returns the value. A larger value than before must
// be seen again, alone: other programs make a program slower. Callers have acquired a job;
// now is nil for inputs of the package.
func (r *running) climb(ctx context.Context, of *problem.Case, input []byte, now *Progress) (float64, error) {
	target := r.Targets[0]
	x := r.sessions[target]
	if x == nil {
		return 0, &problem.Defect{File: r.Problem.Where(target.Path), Msg: "the submission cannot run"}
	}
	one := with(of, input, nil)
	run := x.Answer(ctx, one, io.Discard)
	value := r.Climb(&run)
	r.believing.Lock()
	defer r.believing.Unlock()
	if run.Err == nil && now != nil && value > max(r.Climb(&r.result.BestRun), r.result.Start) {
		run = x.Answer(ctx, one, io.Discard)
		if value = min(value, r.Climb(&run)); run.Err == nil && value > max(r.Climb(&r.result.BestRun), r.result.Start) {
			c := counterexample(target, of, input, nil, &run, *now)
			r.result.Best, r.result.BestRun = c, run
		}
	}
	return value, run.Err
}

func counterexample(s *problem.Submission, of *problem.Case, input, answer []byte, run *judge.Run, now Progress) *Counterexample {
	return &Counterexample{Submission: s, Case: of, Verdict: run.Verdict, Why: run.Why, Input: input, Answer: answer, After: now.Valid, Elapsed: now.Elapsed}
}

// isValid reports whether all input validators accept an input. A validator that crashes
// or exceeds a limit does not accept it.
func (r *running) isValid(ctx context.Context, of *problem.Case, input []byte) (bool, error) {
	rejected, err := r.j.Rejections(ctx, r.Problem, r.Problem.InputValidators, with(of, input, nil))
	if errors.Is(err, judge.ErrCrashed) {
		return false, r.fault(err)
	}
	return err == nil && len(rejected) == 0, err
}

// answer returns the output of the reference.
func (r *running) answer(ctx context.Context, of *problem.Case, input []byte) ([]byte, *judge.Run) {
	var b bytes.Buffer
	run := r.reference.Answer(ctx, with(of, input, nil), &b)
	return b.Bytes(), &run
}
