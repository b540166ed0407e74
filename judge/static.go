package judge

import (
	"context"
	"fmt"
	"slices"

	"crucible/judge/problem"
)

// inspect judges a static validation case. It runs only the static validator,
// which reads the submission's files and judges as an output validator does
// (2025-09, "Static validator").
func (a *attempt) inspect(ctx context.Context) error {
	e := &a.exam
	if e.p.StaticValidator == nil {
		return &problem.Defect{File: e.p.Where("static_validator"), Msg: "is missing, and " + a.c.Name + " needs it"}
	}
	if err := e.open(ctx, []*problem.Program{e.p.StaticValidator}); err != nil {
		return err
	}
	x := e.examiners[0]
	x.kind, x.testlib = "static validator", false // testlib has no convention for it
	_, entry, err := a.s.Language.Arrange(a.program.Sources, a.s.Entry)
	if err != nil {
		return &problem.Defect{File: e.p.Where(a.s.Path), Msg: err.Error()}
	}
	cmd, leave, err := e.command(x)
	if err != nil {
		return err
	}
	defer leave()
	stderr := &Stderr{Most: KeptSaid}
	cmd.Args = slices.Concat(cmd.Args, []string{a.s.Language.Code, entry, x.folder()}, a.c.Static.Args)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	out, err := a.j.runner.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("static validator: %w", err)
	}
	o, err := e.opinion(x, out, stderr)
	if err != nil {
		return err
	}
	o.give(&a.run)
	if !o.accepts && o.message == "" {
		a.run.Why = "rejected by the static validator"
	}
	return nil
}
