package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Grower makes cases of growing size. It is not for concurrent use, and must be
// closed.
type Grower struct {
	g      *generation
	growth Growth
	seed   uint64
}

// Grow prepares to make the cases of a series. The command of the series and the seed
// decide the inputs. The solution that generators.yaml names makes the answers; if it
// names none, the first submission does that must be accepted and can run on this
// machine. Programs run in the sandbox, and their files are cached as for [Generate].
// Input validators do not run, because inputs may be larger than the problem allows.
// Grow compiles nothing. It returns a *[problem.Defect] if the command is invalid or
// its generator does not exist.
func Grow(ctx context.Context, j *judge.Judge, p *problem.Problem, growth Growth, seed uint64) (*Grower, error) {
	if p.Is(problem.SubmitAnswer) {
		return nil, problem.Defectf(p.Where(problem.ProblemFile), "submissions of a submit-answer problem do not run, so "+
			"their times cannot grow")
	}
	plan, err := ReadPlan(p.FS)
	if err != nil {
		return nil, err
	}
	if plan == nil {
		plan = &Plan{}
	}
	plan = &Plan{solution: plan.solution, generators: plan.generators}
	g, err := newGeneration(j, p.FS, plan, Options{})
	if err != nil {
		return nil, err
	}
	g.at = growth.where()
	plan.solution = cmp.Or(plan.solution, model(ctx, j, g.problem))
	grower := &Grower{g, growth, seed}
	c, err := grower.sized(max(growth.From, 1))
	if err == nil {
		if t := g.generator(&c); t.err != nil {
			err = g.explain(&c, &toolError{tool: t, err: t.err})
		}
	}
	if err != nil {
		return nil, errors.Join(err, grower.Close())
	}
	return grower, nil
}

// Close frees the resources of the Grower. Cases from it cannot run afterwards.
func (g *Grower) Close() error { return g.g.end() }

// Case makes the case of a size. The error is a *[problem.Defect] if the generator or
// the solution is at fault, for example if it rejects the size; an *[UnfinishedError] if
// the context ended; otherwise a failure of the judge.
func (g *Grower) Case(ctx context.Context, n int64) (*problem.Case, error) {
	c, err := g.sized(n)
	if err != nil {
		return nil, err
	}
	m := &caseWork{generation: g.g, casePlan: &c}
	input := &caseWork{generation: g.g, casePlan: &c, files: make(map[string]*File)}
	began, before := time.Now(), ""
	for _, step := range []struct {
		took, still string
		run         func() error
	}{
		{"compiling the generator took", c.program + " was still being compiled", func() error {
			_, err := g.g.ready(ctx, g.g.generator(&c))
			return err
		}},
		{"making the input took", input.commandLine(c.args) + " was still making the input",
			func() error { return input.run(ctx) }},
		// The store has the input.
		{"", cmp.Or(strings.TrimPrefix(c.solution, "/submissions/"), "the solution") + " was still making the answer",
			func() error { return m.make(ctx) }},
	} {
		err := step.run()
		switch {
		case ctx.Err() != nil:
			return nil, &UnfinishedError{Doing: before + step.still, cause: context.Cause(ctx)}
		case errors.As(err, new(*toolError)):
			return nil, g.g.explain(&c, err)
		case err != nil:
			return nil, err
		}
		if took := time.Since(began); took >= minTook {
			before += step.took + " " + terminal.Duration(took) + ", "
		}
		began = time.Now()
	}
	_, k, err := m.placed()
	return k, err
}

// minTook is the shortest time of a step that an [UnfinishedError] mentions.
const minTook = 100 * time.Millisecond

// An UnfinishedError is the error of a case that was not complete when the context ended.
type UnfinishedError struct {
	Doing string // the current step, after earlier steps that took long: "gen.py 64 was still making the input"
	cause error
}

// Error returns the message of the cause.
func (e *UnfinishedError) Error() string { return e.cause.Error() }

// Unwrap returns the cause of the context's end.
func (e *UnfinishedError) Unwrap() error { return e.cause }

// sized returns the case of a size.
func (g *Grower) sized(n int64) (casePlan, error) {
	c, err := sized(g.growth.Command, g.g.problem.Constants, n, strconv.FormatUint(g.seed, 10))
	if err != nil {
		return c, g.growth.Fault("%v", err)
	}
	c.name, c.at, c.solution = fmt.Sprintf("secret/n%d", n), g.growth.at, g.g.plan.solution
	return c, nil
}

// model returns the first submission that must be accepted and can run on this machine,
// or "".
func model(ctx context.Context, j *judge.Judge, p *problem.Problem) string {
	for _, s := range p.Submissions {
		if s.Unusable != "" || s.Unreadable != nil || s.Language == nil ||
			!problem.AnyRule(s.Expected, (*problem.Expectation).MustPass) {
			continue
		}
		if _, err := j.Toolchain(ctx, s.Language.Code); err == nil {
			return "/submissions/" + s.Name
		}
	}
	return ""
}
