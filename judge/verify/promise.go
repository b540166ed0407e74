package verify

import (
	"context"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
)

// Validators of inputs and of answers are asked alike: what they check is on
// standard input, and exit status 42 accepts it. They differ in what else of the
// case they are given.

// wantAccepted wants the validators to accept every case that is not invalid by
// the file that they check.
func (promise *Promise) wantAccepted(ctx context.Context, j *judge.Judge, p *problem.Problem, validators []*problem.Program) error {
	cases := slices.DeleteFunc(slices.Concat(p.Cases, p.ValidOutput, p.InvalidOutput), func(c *problem.Case) bool { return c.Static != nil })
	promise.Checked = len(cases)
	return promise.look(ctx, j, cases, func(c *problem.Case) error {
		rejected, err := j.Rejections(ctx, p, validators, c)
		if err == nil && rejected != nil {
			return &problem.Defect{File: p.Where(c.Path(validators[0].Checks)), Msg: strings.Join(rejected, "; ")}
		}
		return err
	})
}

// wantRejected wants each case to be rejected by one of the validators.
func (promise *Promise) wantRejected(ctx context.Context, j *judge.Judge, p *problem.Problem, validators []*problem.Program, cases []*problem.Case) error {
	return promise.look(ctx, j, cases, func(c *problem.Case) error {
		rejected, err := j.Rejections(ctx, p, validators, c)
		if err == nil && rejected == nil {
			ext := validators[0].Checks
			return &problem.Defect{File: p.Where(c.Path(ext)), Msg: "is accepted by every " + judge.Validates[ext] + " validator"}
		}
		return err
	})
}
