package judge

import (
	"context"

	"crucible/judge/problem"
)

// inspect judges a static validation case. It runs only the static validator,
// which reads the submission's files and judges as an output validator does
// (2025-09, "Static validator").
func (a *attempt) inspect(ctx context.Context) error {
	e := &a.output
	if e.p.StaticValidator == nil {
		return &problem.Defect{File: e.p.Where("static_validator"), Msg: "is missing, and " + a.c.Name + " needs it"}
	}
	if err := e.open(ctx, []*problem.Program{e.p.StaticValidator}); err != nil {
		return err
	}
	x := e.validators[0]
	x.kind, x.testlib = "static validator", false // testlib has no convention for it
	d, err := e.run(ctx, x, nil, nil, append([]string{a.s.Language.Code, a.program.Entry, x.folder()},
		a.c.Static.Args...)...)
	if err != nil {
		return err
	}
	d.apply(&a.run)
	if !d.accepts && d.message == "" {
		a.run.Why = "rejected by the static validator"
	}
	return nil
}
