package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"crucible/judge/sandbox"
)

// Validators of inputs and of answers are asked alike: what they check is on
// standard input, and exit status 42 accepts it. They differ in what else of the
// case they are given.

// validates names what validators check, by its extension.
var validates = map[string]string{".in": "input", ".ans": "answer"}

// wantAccepted wants the validators to accept every case that is not invalid by
// the file that they check.
func (promise *Promise) wantAccepted(ctx context.Context, j *Judge, p *Problem, validators []*Program) error {
	cases := slices.DeleteFunc(slices.Concat(p.Cases, p.ValidOutput, p.InvalidOutput), func(c *Case) bool { return c.Static != nil })
	promise.Checked = len(cases)
	return promise.look(ctx, j, cases, func(c *Case) error {
		rejected, err := j.accepts(ctx, p, validators, c)
		if err == nil && rejected != nil {
			return &Defect{File: p.Where(c.path(validators[0].checks)), Msg: strings.Join(rejected, "; ")}
		}
		return err
	})
}

// wantRejected wants each case to be rejected by one of the validators.
func (promise *Promise) wantRejected(ctx context.Context, j *Judge, p *Problem, validators []*Program, cases []*Case) error {
	return promise.look(ctx, j, cases, func(c *Case) error {
		rejected, err := j.accepts(ctx, p, validators, c)
		if err == nil && rejected == nil {
			ext := validators[0].checks
			return &Defect{File: p.Where(c.path(ext)), Msg: "is accepted by every " + validates[ext] + " validator"}
		}
		return err
	})
}

// accepts runs validators on a case and returns those that rejected it, with
// what they said.
func (j *Judge) accepts(ctx context.Context, p *Problem, validators []*Program, c *Case) (rejected []string, err error) {
	for _, v := range validators {
		program, err := j.validator(ctx, v, preparing)
		if err != nil {
			return nil, err
		}
		var why string
		switch {
		case program.grammar != nil:
			why, err = p.acceptsBy(ctx, v, program.grammar, c)
		case v.checks == ".ans":
			why, err = j.acceptsAnswer(ctx, p, v, program, c)
		default:
			why, err = j.acceptsInput(ctx, p, v, program, c)
		}
		if err != nil {
			return nil, err
		}
		if why != "" {
			rejected = append(rejected, v.Name+" "+why)
		}
	}
	return rejected, nil
}

// acceptsInput gives the validator the case's arguments, and its own files in
// the working folder.
func (j *Judge) acceptsInput(ctx context.Context, p *Problem, v *Program, program *built, c *Case) (why string, err error) {
	dir, err := program.workplace(j.tmp)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, program.leave(dir, j.confined() && c.files == nil)) }()
	if err := c.copyFiles(dir); err != nil {
		return "", err
	}
	args := c.InputValidatorArgs
	if c.InputValidatorArgsBy != nil {
		args = c.InputValidatorArgsBy[v.Name]
	}
	return j.ask(ctx, p, v, c, sandbox.Cmd{Args: slices.Concat(program.args, args, c.Args), Dir: dir, Reads: program.reads, OpenFiles: program.files})
}

// acceptsAnswer gives the validator the name of the input.
func (j *Judge) acceptsAnswer(ctx context.Context, p *Problem, v *Program, program *built, c *Case) (why string, err error) {
	dir, err := program.workplace(j.tmp)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, program.leave(dir, j.confined())) }()
	copies, err := os.MkdirTemp(j.tmp, "check-")
	if err != nil {
		return "", err
	}
	defer removeAll(copies)
	input, err := c.real(copies, ".in")
	if err != nil {
		return "", err
	}
	return j.ask(ctx, p, v, c, sandbox.Cmd{Args: slices.Concat(program.args, []string{input}), Dir: dir, Reads: slices.Concat(program.reads, []string{input}), OpenFiles: program.files})
}

// ask runs a validator with what it checks on standard input, and returns why
// it does not accept that.
func (j *Judge) ask(ctx context.Context, p *Problem, v *Program, c *Case, cmd sandbox.Cmd) (why string, err error) {
	in, err := openRegular(c.fsys, c.path(v.checks))
	if err != nil {
		return "", err
	}
	defer in.Close()
	said := &stderr{most: keptSaid}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Limits = in, said, said, preparing.enforced()
	out, err := j.runner.Run(ctx, cmd)
	if err != nil {
		return "", fmt.Errorf("%s validator %s on %s: %w", validates[v.checks], p.Where(v.Path), c.Name, err)
	}
	// The format knows no crash here: whatever is not 42 has not accepted
	// (2025-09, "Input validators"). But what was killed has rejected nothing.
	switch {
	case out.Exceeded != "", out.Signal != 0:
		return "", fmt.Errorf("%s validator %s on %s: %w%s", validates[v.checks], p.Where(v.Path), c.Name, crashed(out), j.onStderr(p.Where(v.Path), c.Name, said))
	case out.Exit != validatorAccepts:
		return fmt.Sprintf("exits with %d%s", out.Exit, j.onStderr(p.Where(v.Path), c.Name, said)), nil
	}
	return "", nil
}
