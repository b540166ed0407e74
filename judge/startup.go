package judge

import (
	"cmp"
	"context"
	"fmt"

	"crucible/judge/build"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Startup runs the empty program of a language several times, under the limits of a
// problem and pinned like its submissions. It measures the part of their time that
// the language itself needs. The outcomes are in the order of the runs; the first run
// starts with cold caches. A failure of the empty program is an error.
func (j *Judge) Startup(ctx context.Context, p *problem.Problem, code string, times int) ([]sandbox.Outcome, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	l := language.ByCode(code)
	if l == nil {
		return nil, fmt.Errorf("no language %q", code)
	}
	what := "the empty program of " + l.Name
	program, err := j.buildEmpty(ctx, l, what, j.LimitsOf(p).Memory)
	if err != nil {
		return nil, err
	}
	defer program.Vacate() // Close tries again
	a := &attempt{Session: &Session{tally: &tally{j: j, s: &problem.Submission{Problem: p}, limits: j.LimitsOf(p)},
		program: program}, runner: j.runner, limits: j.LimitsOf(p), c: &problem.Case{}}
	var outcomes []sandbox.Outcome
	for range times {
		o, err := a.start(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", what, err)
		case o.Exceeded != "" || o.Exit != 0:
			_, why, _ := verdictOf(o, a.limits)
			return nil, fmt.Errorf("%s does not run under the problem's limits: %s", what, why)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// buildEmpty builds a language's empty program.
func (j *Judge) buildEmpty(ctx context.Context, l *language.Language, what string,
	memory int64) (*build.Program, error) {
	release, err := j.Acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	return j.CompileTool(ctx, build.Source{
		What: what, Files: map[string][]byte{"Main" + l.Ext(): []byte(cmp.Or(l.Empty, l.Hello))}, Language: l, Memory: memory,
		Submission: true,
	}, build.Usual)
}

// start runs the program once, with no input.
func (a *attempt) start(ctx context.Context) (o sandbox.Outcome, err error) {
	release, err := a.j.Acquire(ctx, 1)
	if err != nil {
		return o, err
	}
	defer release()
	err = a.j.InFolder(a.program, true, func(dir string) error {
		cmd := a.command(dir)
		cores, unpin := a.j.pin()
		defer unpin()
		cmd.Cores = cores
		o, err = a.j.runner.Run(ctx, cmd)
		return err
	})
	return o, err
}
