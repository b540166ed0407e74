package stress

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/strength/inputs"
)

// setup compiles the programs and reads the inputs.
func (r *search) setup(ctx context.Context) error {
	if err := r.compile(ctx); err != nil {
		return err
	}
	if r.Maximize == nil {
		if err := r.refer(ctx); err != nil {
			return err
		}
	}
	program := r.reference
	if r.Maximize != nil {
		if program = r.sessions[r.Targets[0]]; program == nil {
			return &problem.Defect{File: r.Problem.Where(r.Targets[0].Path), Msg: "the submission cannot run"}
		}
	}
	if err := r.chooseAnswers(ctx, program); err != nil {
		return err
	}
	numbers, err := inputs.Constants(r.Problem)
	if err != nil {
		return err
	}
	r.mutator = inputs.NewMutator(r.Seed, numbers)
	if r.Maximize != nil {
		r.mutator.PreferValue()
	}
	if err := r.fill(ctx); err != nil {
		return err
	}
	// A generator must not make what is too large to mutate, nor take long.
	r.generator, err = generate.OpenInputs(r.j, r.Problem, generate.Options{Time: generatorTime, Output: inputs.MaxSize})
	if err != nil {
		return err
	}
	r.sources = newSources(r.Seed, r.mutator, r.generator, append(r.generator.Commands(), r.Generate...))
	if r.Generated && len(r.sources.commands) == 0 {
		return &problem.Defect{File: r.Problem.Where("generators"),
			Msg: "no generator, and no mutation is asked for: name a generator"}
	}
	r.sources.only = r.Generated
	r.sources.settings, r.sources.useful = len(r.settings), r.useful
	r.began = time.Now()
	return nil
}

// A packageInput is a case of the package, and what is known about it.
type packageInput struct {
	c        *problem.Case
	input    []byte   // nil if it is too large
	rejected []string // why input validators reject it
	wrong    *judge.Run
	value    float64 // of Search.Maximize
}

// fill adds the inputs of the package to the pool, except those that an input validator
// rejects. As long as that takes little time, it also checks that the reference is right
// on them.
func (r *search) fill(ctx context.Context) error {
	settingOf := r.distinctSettings()
	var all []*packageInput
	for _, c := range r.Cases {
		if c.Static == nil && c.Has(".in") {
			all = append(all, &packageInput{c: c})
		}
	}
	until := time.Now().Add(max(r.Budget/10, time.Second))
	err := r.j.Each(ctx, len(all), func(i int) error { return r.examine(ctx, all[i], until) })
	if err != nil {
		return err
	}
	var rejected []*packageInput
	for _, g := range all {
		switch {
		case g.wrong != nil && r.Reference != nil:
			return &problem.Defect{File: r.Problem.Where(r.Reference.Path),
				Msg: fmt.Sprintf("is the reference, but it is %s on %s: %s: name another one with --ref, or correct the case",
					g.wrong.Verdict, g.c.Name, g.wrong.Why)}
		case g.rejected != nil:
			rejected = append(rejected, g)
		case g.input != nil:
			r.mutator.Add(g.input, settingOf[g.c], g.value)
			r.result.Start = max(r.result.Start, g.value)
		}
		if g.input != nil {
			r.seen[hash(g.input)] = true
		}
	}
	if len(rejected) > 0 {
		first := fmt.Sprintf("input validators reject %d of %d inputs of the package, first %s: %s", len(rejected), len(all),
			rejected[0].c.Name, rejected[0].rejected[0])
		if r.mutator.Size() == 0 {
			return &problem.Defect{File: r.Problem.Where("input_validators"), Msg: first +
				": no new input can be valid either: judge verify shows all"}
		}
		r.result.Notes = append(r.result.Notes, first)
	}
	if r.mutator.Size() == 0 {
		return &problem.Defect{File: r.Problem.Where("data"), Msg: fmt.Sprintf("has no input of at most %d bytes to mutate",
			inputs.MaxSize)}
	}
	return nil
}

// examine reads an input of the package and, before a time, runs the input validators and
// the reference on it. The caller has acquired a job.
func (r *search) examine(ctx context.Context, g *packageInput, until time.Time) (err error) {
	if g.input, err = read(g.c, ".in"); err != nil || g.input == nil {
		return err
	}
	if r.Maximize != nil {
		g.value, err = r.maximize(ctx, g.c, g.input, nil)
		return err
	}
	if time.Now().After(until) {
		return nil
	}
	if g.rejected, err = r.j.Rejections(ctx, r.Problem, r.Problem.InputValidators, g.c); errors.Is(err, judge.ErrCrashed) {
		g.rejected, err = []string{err.Error()}, nil
	}
	if err != nil || g.rejected != nil {
		return err
	}
	run := r.reference.Try(ctx, g.c)
	if run.Err == nil && (run.Verdict == problem.WrongAnswer || run.Verdict == problem.RuntimeError) {
		g.wrong = &run
	}
	return ctx.Err()
}

// distinctSettings sets r.settings: a case for each of the different settings of cases, and one for
// each group without cases, because a new input may belong to it. It returns the index of
// the settings of each case. In a scoring problem, samples count for no score, so their
// settings are not used if there are others.
func (r *search) distinctSettings() map[*problem.Case]int {
	settingOf := make(map[*problem.Case]int)
	scoring := r.Problem.Is(problem.Scoring)
	var names []string
	add := func(c *problem.Case) {
		group := ""
		if scoring {
			group = c.Group.Name
		}
		name := fmt.Sprintf("%s %q %q %q %q %q", group, c.Args, c.InputValidatorArgs, c.InputValidatorArgsBy,
			c.OutputValidatorArgs, c.Files)
		i := slices.Index(names, name)
		if i < 0 && len(names) < maxSettings {
			i = len(names)
			names, r.settings = append(names, name), append(r.settings, c)
		}
		settingOf[c] = max(i, 0)
	}
	for _, c := range r.Cases {
		if c.Static == nil && !(scoring && c.Sample()) {
			add(c)
		}
	}
	var empty func(*problem.Group)
	empty = func(g *problem.Group) {
		if len(g.Groups) == 0 && len(g.Cases) == 0 {
			add(g.NewCase(r.Problem, "stress"))
		}
		for _, sub := range g.Groups {
			empty(sub)
		}
	}
	if secret := r.Problem.Data.At("secret"); scoring && secret != nil {
		empty(secret)
	}
	for _, c := range r.Cases {
		if c.Static == nil && len(names) == 0 {
			add(c)
		}
	}
	return settingOf
}

// maxSettings bounds the number of settings among which to choose.
const maxSettings = 100

// useful reports whether some target may be found to differ with these settings.
func (r *search) useful(setting int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.alive(),
		func(s *problem.Submission) bool { return !r.goals[goal{s, r.settings[setting].Group}] })
}

// compile compiles all submissions, several at once.
func (r *search) compile(ctx context.Context) error {
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
func (r *search) refer(ctx context.Context) error {
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
		return &problem.Defect{File: r.Problem.Where("submissions"),
			Msg: "no submission that is expected to be accepted can run and ends normally on " + r.Cases[0].Name}
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
	data, err := io.ReadAll(io.LimitReader(f, inputs.MaxSize+1))
	if len(data) > inputs.MaxSize {
		return nil, err
	}
	return data, err
}

func hash(input []byte) [16]byte {
	sum := sha256.Sum256(input)
	return [16]byte(sum[:16])
}
