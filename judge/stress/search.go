// Package stress searches for inputs on which programs differ: on which a submission does
// not answer as the reference does, or fails. It makes inputs from those of the package, or
// with generators, and shrinks what it finds.
package stress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
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
	Notes           []string          // doubts about the package
}

// A Counterexample is an input on which a submission differs from the reference.
type Counterexample struct {
	Submission *problem.Submission
	Case       *problem.Case   // the case of the package that the input was made from
	Verdict    problem.Verdict // not AC
	Why        string          // the reason of the verdict, one line
	How        string          // how the input was made: "mutation", or the command of a generator with its seed
	Input      []byte          // as found
	Answer     []byte          // the output of the reference
	After      int             // inputs on which the submission ran until it was found
	Elapsed    time.Duration   // until it was found
	Shrunk     []byte          // the smallest input found from Input on which the verdict is the same; nil if it was not shrunk
	ShrunkTo   []byte          // the answer of Shrunk
	Steps      []string        // the changes from Input to Shrunk
}

// Run searches until every target has a counterexample, the budget is spent, or ctx ends.
// Then it shrinks what it found. The error is a *[problem.Defect] for a package that
// cannot be searched, or a failure of the judge. The result is valid even if ctx ends.
func (s Search) Run(ctx context.Context, j *judge.Judge) (*Result, error) {
	if err := s.check(); err != nil {
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
		for _, name := range r.sources.exhausted {
			r.result.Notes = append(r.result.Notes, fmt.Sprintf("%s made %d inputs in a row that are invalid or not new, and is not used any more", name, maxQuiet))
		}
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

// check reports why a search makes no sense.
func (s *Search) check() error {
	p := s.Problem
	defect := func(format string, args ...any) error {
		return &problem.Defect{File: p.Where(problem.ProblemFile), Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case p.Is(problem.SubmitAnswer):
		return defect("submissions of a submit-answer problem do not run")
	case p.Is(problem.Interactive) || p.Is(problem.MultiPass):
		return defect("interactive and multi-pass problems: the answer to a new input is not known")
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

// begin compiles the programs and reads the inputs.
func (r *running) begin(ctx context.Context) error {
	if err := r.compile(ctx); err != nil {
		return err
	}
	if r.Climb == nil {
		if err := r.refer(ctx); err != nil {
			return err
		}
	}
	numbers, err := numbersOf(r.Problem)
	if err != nil {
		return err
	}
	r.mutator = NewMutator(r.Seed, numbers)
	if r.Climb != nil {
		r.mutator.Climb()
	}
	for i, c := range r.Cases {
		if c.Static != nil || !c.Has(".in") {
			continue
		}
		input, err := read(c, ".in")
		if err != nil {
			return err
		}
		if input == nil {
			continue
		}
		value := 0.0
		if r.Climb != nil {
			if value, err = r.climb(ctx, c, input, nil); err != nil {
				return err
			}
			r.result.Start = max(r.result.Start, value)
		}
		r.mutator.Add(input, i, value)
		r.seen[hash(input)] = true
	}
	if len(r.mutator.pool) == 0 {
		return &problem.Defect{File: r.Problem.Where("data"), Msg: fmt.Sprintf("has no input of at most %d bytes to mutate", maxSeed)}
	}
	// A generator must not make what is too large to mutate, nor take long.
	r.inputs, err = generate.OpenInputs(r.j, r.Problem, generate.Options{Time: generatorTime, Output: maxSeed})
	if err != nil {
		return err
	}
	r.sources = newSources(r.Seed, r.mutator, r.inputs, append(r.inputs.Commands(), r.Generate...))
	r.began = time.Now()
	return nil
}

// compile compiles all submissions, several at once.
func (r *running) compile(ctx context.Context) error {
	r.sessions = make(map[*problem.Submission]*judge.Session)
	all := slices.Concat(r.Targets, r.Accepted)
	if r.Reference != nil && !slices.Contains(all, r.Reference) {
		all = append(all, r.Reference)
	}
	var wg sync.WaitGroup
	var errs []error
	for _, s := range all {
		wg.Go(func() {
			x, report := r.j.Begin(ctx, s) // waits for a job
			r.mu.Lock()
			defer r.mu.Unlock()
			switch {
			case x != nil:
				r.sessions[s] = x
			case ctx.Err() != nil:
			case report.Err != nil:
				errs = append(errs, report.Err)
			default:
				r.result.Notes = append(r.result.Notes, s.Name+" cannot run: "+cannotRun(report))
			}
		})
	}
	wg.Wait()
	slices.Sort(r.result.Notes)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errs...)
}

// refer sets the reference: the one that is given, or the accepted submission that takes
// the least time on a small input.
func (r *running) refer(ctx context.Context) error {
	if r.Reference != nil {
		if r.reference = r.sessions[r.Reference]; r.reference == nil {
			return &problem.Defect{File: r.Problem.Where(r.Reference.Path), Msg: "the reference cannot run"}
		}
		return nil
	}
	least := time.Duration(math.MaxInt64)
	for _, s := range r.Accepted {
		x := r.sessions[s]
		if x == nil {
			continue
		}
		run := x.Answer(ctx, r.Cases[0], io.Discard)
		if run.Err != nil {
			return run.Err
		}
		if run.Verdict == problem.Accepted && run.Outcome.Wall < least {
			least, r.Reference, r.reference = run.Outcome.Wall, s, x
		}
	}
	if r.reference == nil {
		return &problem.Defect{File: r.Problem.Where("submissions"), Msg: "no submission that is expected to be accepted can run and ends normally on " + r.Cases[0].Name}
	}
	return nil
}

func cannotRun(r *judge.Report) string {
	if r.Skipped != "" {
		return r.Skipped
	}
	return "it does not compile"
}

// read returns a file of a case; nil if it is larger than the inputs that are mutated.
func read(c *problem.Case, ext string) ([]byte, error) {
	f, err := c.Open(ext)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSeed+1))
	if len(data) > maxSeed {
		return nil, err
	}
	return data, err
}

func hash(input []byte) [16]byte {
	sum := sha256.Sum256(input)
	return [16]byte(sum[:16])
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

// alive returns the targets that run and have no counterexample yet. Callers hold r.mu.
func (r *running) alive() []*problem.Submission {
	return slices.DeleteFunc(slices.Clone(r.Targets), func(s *problem.Submission) bool { return r.found[s] != nil || r.sessions[s] == nil })
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
	t, err := r.try(ctx, r.Cases[made.original], made.input)
	release()
	if err != nil && ctx.Err() == nil {
		if err = r.fault(err); err != nil {
			return err
		}
	}
	fate := Invalid
	if t.valid {
		fate = Valid
		r.mutator.Add(made.input, made.original, t.value)
	}
	r.sources.learnOf(made, fate, len(t.different))
	for _, c := range t.different {
		c.How = made.how
		if err := r.believe(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// fault stores an error of a program of the package, such as a validator that crashes on
// an output. The search goes on, but not after many errors.
func (r *running) fault(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
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
	valid     bool
	value     float64 // of Search.Climb
	answer    []byte
	different []*Counterexample
}

// try runs the input validators, the reference and the targets on an input. The caller has
// acquired a job.
func (r *running) try(ctx context.Context, of *problem.Case, input []byte) (t trial, err error) {
	if t.valid, err = r.isValid(ctx, of, input); err != nil || !t.valid {
		r.mu.Lock()
		r.result.Invalid++
		r.mu.Unlock()
		return t, err
	}
	if r.Climb != nil {
		r.mu.Lock()
		r.result.Valid++
		now := r.tell()
		r.mu.Unlock()
		t.value, err = r.climb(ctx, of, input, &now)
		return t, err
	}
	answer, run := r.answer(ctx, of, input)
	if run.Err != nil {
		return t, run.Err
	}
	t.answer = answer
	r.mu.Lock()
	r.result.Valid++
	now := r.tell()
	if run.Verdict != problem.Accepted {
		r.result.Slow++
		if r.result.Failure == nil {
			r.result.Failure = r.counterexample(r.Reference, of, input, nil, run, now)
		}
	}
	targets := slices.DeleteFunc(r.affordable(), func(s *problem.Submission) bool { return r.goals[goal{s, of.Group}] })
	r.mu.Unlock()
	if run.Verdict != problem.Accepted {
		return t, nil
	}
	one := with(of, input, answer)
	for _, s := range targets {
		began := time.Now()
		run := r.sessions[s].Try(ctx, one)
		r.mu.Lock()
		r.use[s].tries++
		r.use[s].spent += time.Since(began)
		now.Valid = r.use[s].tries
		r.mu.Unlock()
		if run.Err != nil {
			err = run.Err
			continue
		}
		if run.Verdict != problem.Accepted {
			t.different = append(t.different, r.counterexample(s, of, input, answer, &run, now))
		}
	}
	if s := r.due(); s != nil {
		began := time.Now()
		run := r.sessions[s].Try(ctx, one)
		r.mu.Lock()
		r.spent += time.Since(began)
		r.mu.Unlock()
		if run.Err == nil && (run.Verdict == problem.WrongAnswer || run.Verdict == problem.RuntimeError) {
			r.disagree(r.counterexample(s, of, input, answer, &run, now))
		}
		err = errors.Join(err, run.Err)
	}
	return t, err
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

// tell reports the progress. Callers hold r.mu.
func (r *running) tell() Progress {
	now := r.result.Progress
	now.Elapsed, now.Found, now.Targets = time.Since(r.began), len(r.found), len(r.Targets)
	r.result.Progress = now
	if r.OnEvent != nil {
		r.OnEvent(now)
	}
	return now
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
			c := r.counterexample(target, of, input, nil, &run, *now)
			r.result.Best, r.result.BestRun = c, run
		}
	}
	return value, run.Err
}

func (r *running) counterexample(s *problem.Submission, of *problem.Case, input, answer []byte, run *judge.Run, now Progress) *Counterexample {
	return &Counterexample{Submission: s, Case: of, Verdict: run.Verdict, Why: run.Why, Input: input, Answer: answer, After: now.Valid, Elapsed: now.Elapsed}
}

// isValid reports whether all input validators accept an input. A validator that crashes
// or exceeds a limit does not accept it.
func (r *running) isValid(ctx context.Context, of *problem.Case, input []byte) (bool, error) {
	rejected, err := r.j.Rejections(ctx, r.Problem, r.Problem.InputValidators, with(of, input, nil))
	return err == nil && len(rejected) == 0, err
}

// answer returns the output of the reference.
func (r *running) answer(ctx context.Context, of *problem.Case, input []byte) ([]byte, *judge.Run) {
	var b bytes.Buffer
	run := r.reference.Answer(ctx, with(of, input, nil), &b)
	return b.Bytes(), &run
}

// believe checks a difference: the output validators accept the answer of the reference,
// all other accepted submissions agree with it, and the target differs again.
func (r *running) believe(ctx context.Context, c *Counterexample) error {
	r.believing.Lock()
	defer r.believing.Unlock()
	r.mu.Lock()
	known := r.found[c.Submission] != nil
	r.mu.Unlock()
	if known {
		return nil
	}
	release, err := r.j.Acquire(ctx, r.j.Workers()) // alone, so that no time is due to another program
	if err != nil {
		return err
	}
	defer release()
	if lost, err := r.lost(ctx, c.Submission, c.Case.Group); err != nil || lost {
		return err
	}
	one := with(c.Case, c.Input, c.Answer)
	if run, err := r.j.CheckOutput(ctx, r.Problem, one, ".ans"); err != nil {
		return err
	} else if run.Verdict != problem.Accepted {
		r.disagree(r.counterexample(r.Reference, c.Case, c.Input, c.Answer, &run, Progress{Valid: c.After, Elapsed: c.Elapsed}))
		return nil
	}
	if run := r.sessions[c.Submission].Try(ctx, one); run.Err != nil || run.Verdict == problem.Accepted {
		return run.Err
	}
	for _, s := range r.Accepted {
		if r.sessions[s] == nil || s == r.Reference {
			continue
		}
		run := r.sessions[s].Try(ctx, one)
		switch {
		case run.Err != nil:
			return run.Err
		case run.Verdict == problem.WrongAnswer || run.Verdict == problem.RuntimeError:
			r.disagree(r.counterexample(s, c.Case, c.Input, c.Answer, &run, Progress{Valid: c.After, Elapsed: c.Elapsed}))
			return nil
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found[c.Submission] = c
	r.result.Found = len(r.found)
	return nil
}

// lost reports whether a submission fails on a case of a group of a scoring problem, so
// that another input on which it fails shows nothing: its score cannot fall further.
// Callers hold r.believing.
func (r *running) lost(ctx context.Context, s *problem.Submission, g *problem.Group) (bool, error) {
	if !r.Problem.Is(problem.Scoring) || g == nil {
		return false, nil
	}
	key := goal{s, g}
	r.mu.Lock()
	lost, known := r.goals[key]
	r.mu.Unlock()
	if known {
		return lost, nil
	}
	for _, c := range g.Cases {
		run := r.sessions[s].Try(ctx, c)
		if run.Err != nil {
			return false, run.Err
		}
		if lost = run.Verdict != problem.Accepted; lost {
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.goals[key] = lost
	return lost, ctx.Err()
}

// A goal is a submission that may fail in a group.
type goal struct {
	s *problem.Submission
	g *problem.Group
}

// disagree stores that accepted submissions do not agree, which is the most important
// finding: no answer is known to be right.
func (r *running) disagree(c *Counterexample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result.Disagreements++; r.result.Disagreement == nil {
		r.result.Disagreement = c
	}
}

// numberForms match numbers in sources and statements: 1000, 10^5, 1e9, 10**6, 1'000'000.
var numberForms = regexp.MustCompile(`[0-9][0-9_']*(?:(?:\^\{?|\*\*|e)[0-9]{1,2})?`)

// numbersOf returns the numbers in the sources of the input validators, which usually are
// bounds.
func numbersOf(p *problem.Problem) (numbers []*big.Int, err error) {
	seen := make(map[string]bool)
	for _, v := range p.InputValidators {
		sources, err := v.Read()
		if err != nil {
			return nil, err
		}
		for _, source := range sources {
			for _, text := range numberForms.FindAllString(string(source[:min(len(source), 1<<20)]), 10000) {
				n := numberOf(text)
				if n != nil && !seen[n.String()] && len(numbers) < maxNumbers {
					seen[n.String()] = true
					numbers = append(numbers, n)
				}
			}
		}
	}
	return numbers, nil
}

// maxNumbers bounds the dictionary. A header such as testlib.h has thousands of numbers.
const maxNumbers = 500

func numberOf(text string) *big.Int {
	text = strings.NewReplacer("_", "", "'", "", "{", "", "**", "^").Replace(text)
	at := strings.IndexAny(text, "^e")
	if at < 0 {
		at = len(text)
	}
	n, ok := new(big.Int).SetString(text[:at], 10)
	if !ok || n.BitLen() > 70 || at == len(text) {
		return n
	}
	e, ok := new(big.Int).SetString(text[at+1:], 10)
	if !ok || e.Int64() > 64 || n.BitLen() > 10 {
		return nil
	}
	if text[at] == 'e' {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), e, nil))
	} else {
		n.Exp(n, e, nil)
	}
	if n.BitLen() > 70 {
		return nil
	}
	return n
}
