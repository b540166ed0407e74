package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/units"
)

// A Grower makes cases of growing size. It is not for concurrent use. Close it
// when done.
type Grower struct {
	g      *generation
	growth Growth
	seed   uint64
}

// Grow prepares to make cases from a series. Their inputs come from its command
// and the seed, their answers from the solution that generators.yaml names or
// else from the first submission that must be accepted and can be run here.
// Programs run in the sandbox, and what they make is kept in the cache, as for
// [Generate]. Input validators are not asked: inputs may be larger than the
// problem allows. Nothing is compiled yet, but the error is a *[problem.Defect] if the
// command cannot be read, or its generator is not there.
func Grow(ctx context.Context, j *judge.Judge, p *problem.Problem, growth Growth, seed uint64) (*Grower, error) {
	if p.Is(problem.SubmitAnswer) {
		return nil, &problem.Defect{File: p.Where(problem.ProblemFile), Msg: "nothing is run on inputs, which is the type submit-answer: time cannot grow"}
	}
	plan, err := ReadPlan(p.FS)
	if err != nil {
		return nil, err
	}
	one := &Plan{Cases: make([]Case, 1)}
	if plan != nil {
		one.Solution, one.Generators = plan.Solution, plan.Generators
	}
	g, err := newGeneration(j, p.FS, one, Generating{Blindly: true})
	if err != nil {
		return nil, err
	}
	g.at = growth.where()
	if one.Solution == "" {
		one.Solution = model(ctx, j, g.problem)
	}
	grower := &Grower{g, growth, seed}
	if err := grower.found(); err != nil {
		return nil, errors.Join(err, grower.Close())
	}
	return grower, nil
}

// found reports it if the generator is not there.
func (g *Grower) found() error {
	c, err := g.sized(max(g.growth.From, 1))
	if err != nil {
		return err
	}
	t := g.g.generator(&c)
	if t.err == nil {
		return nil
	}
	return g.g.defect(&c, "%v", &toolError{t, t.err})
}

// Close gives back what was needed to make cases. Those that were made cannot be
// run afterwards.
func (g *Grower) Close() error { return g.g.end() }

// Case makes the case of a size. The error is a *[problem.Defect] when the generator or
// the solution is at fault, such as one that refuses the size; an *[Unfinished] if
// the context ended meanwhile; else it is the judge's own.
func (g *Grower) Case(ctx context.Context, n int64) (*problem.Case, error) {
	c, err := g.sized(n)
	if err != nil {
		return nil, err
	}
	g.g.index[c.Name] = 0
	var files map[string]*Made
	command := strings.Join(slices.Concat([]string{c.Program}, c.Args), " ")
	began, before := time.Now(), ""
	for _, step := range []struct {
		took, still string
		run         func() error
	}{
		{"compiling the generator took", c.Program + " was still being compiled", func() error {
			_, err := g.g.ready(ctx, g.g.generator(&c))
			return err
		}},
		{"making the input took", command + " was still making the input", func() error {
			_, err := g.g.run(ctx, &c, make(map[string]*Made))
			return err
		}},
		{"", cmp.Or(strings.TrimPrefix(c.Solution, "/submissions/"), "the solution") + " was still making the answer", func() (err error) {
			files, _, err = g.g.makeNow(ctx, &c) // the input is in the store
			return err
		}},
	} {
		err := step.run()
		switch {
		case ctx.Err() != nil:
			return nil, &Unfinished{Doing: before + step.still, cause: context.Cause(ctx)}
		case err != nil:
			return nil, g.fault(&c, err)
		}
		if took := time.Since(began); took >= worthTelling {
			before += step.took + " " + units.Duration(took) + ", "
		}
		began = time.Now()
	}
	_, k, err := g.g.placed(&c, "secret", files)
	return k, err
}

// worthTelling is a time that a step takes which may matter to somebody.
const worthTelling = 100 * time.Millisecond

// An Unfinished is the error of a case that was being made when the context
// ended.
type Unfinished struct {
	Doing string // the step that it was at, after those that took long, for people: "gen.py 64 was still making the input"
	cause error
}

func (e *Unfinished) Error() string { return e.cause.Error() }
func (e *Unfinished) Unwrap() error { return e.cause }

// sized is what the case of a size is made from.
func (g *Grower) sized(n int64) (Case, error) {
	c, err := Sized(g.growth.Command, g.g.problem.Constants, n, strconv.FormatUint(g.seed, 10))
	if err != nil {
		return c, g.growth.Fault("%v", err)
	}
	c.Name, c.Line, c.Column, c.Solution = fmt.Sprintf("secret/n%d", n), g.growth.line, g.growth.column, g.g.plan.Solution
	return c, nil
}

// fault puts the case to an error about a tool.
func (g *Grower) fault(c *Case, err error) error {
	if e := new(toolError); errors.As(err, &e) {
		if d := new(problem.Defect); errors.As(err, &d) {
			return g.g.defect(c, "%v", e)
		}
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return err
}

// model is the first submission that must be accepted and can be run here; ""
// if there is none.
func model(ctx context.Context, j *judge.Judge, p *problem.Problem) string {
	for _, s := range p.Submissions {
		if s.Unusable != "" || s.Unreadable != nil || s.Language == nil || !problem.AnyRule(s.Expected, (*problem.Expectation).MustPass) {
			continue
		}
		if _, err := j.Toolchain(ctx, s.Language); err == nil {
			return "/submissions/" + s.Name
		}
	}
	return ""
}
