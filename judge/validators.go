package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Validates maps the extension of a file that validators check to its name in
// messages.
var Validates = map[string]string{".in": "input", ".ans": "answer"}

// exitsWithZero is the reason of a validator that exits with 0, as programs do that do not
// know of 42. What it prints follows.
const exitsWithZero = "exits with 0, expected 42 to accept"

// IsZero reports whether a reason of [Judge.Rejections] is that a validator exits with 0.
func IsZero(v *problem.Program, why string) bool {
	return strings.HasPrefix(why, v.Name+" "+exitsWithZero)
}

// ZeroDefect returns the defect of a validator that exits with 0 on inputs that it must
// accept.
func ZeroDefect(p *problem.Problem, v *problem.Program) *problem.Defect {
	return &problem.Defect{File: p.Where(v.Path), Msg: exitsWithZero + ": judge help validators shows how"}
}

// Rejections runs input or answer validators on a case. For each one that
// rejects, it returns the name and the reason. The error is a failure of the
// judge or of the package.
func (j *Judge) Rejections(ctx context.Context, p *problem.Problem, validators []*problem.Program,
	c *problem.Case) (rejected []string, err error) {
	for _, v := range validators {
		why, err := j.rejection(ctx, p, v, c)
		if err != nil {
			return nil, err
		}
		if why != "" {
			rejected = append(rejected, v.Name+" "+why)
		}
	}
	return rejected, nil
}

// rejection runs a validator with the file that it checks on standard input. An
// input validator gets the case's arguments and .files, an answer validator the path
// of the input. Why is the reason of a rejection, or "".
func (j *Judge) rejection(ctx context.Context, p *problem.Problem, v *problem.Program,
	c *problem.Case) (why string, err error) {
	program, err := j.BuildValidator(ctx, v, Preparing)
	if err != nil {
		return "", err
	}
	if program.Grammar != nil {
		return acceptsBy(ctx, p, v, program.Grammar, c)
	}
	testlib, err := j.followsTestlib(v)
	if err != nil {
		return "", err
	}
	in, err := problem.OpenRegular(c.FS, c.Path(v.Checks))
	if err != nil {
		return "", err
	}
	defer in.Close()
	stderr := &Stderr{Most: KeptSaid}
	cmd := sandbox.Cmd{Stdin: in, Stdout: stderr, Stderr: stderr, Limits: build.LimitsOf(Preparing)}
	files := c
	switch {
	case v.Checks == ".ans":
		copies, err := j.TempDir("check-")
		if err != nil {
			return "", err
		}
		defer osfile.RemoveAll(copies)
		input, err := c.Real(copies, ".in")
		if err != nil {
			return "", err
		}
		cmd.Args, cmd.Reads, files = []string{input}, []string{input}, nil
	case c.InputValidatorArgsBy != nil:
		cmd.Args = slices.Concat(c.InputValidatorArgsBy[v.Name], c.Args)
	default:
		cmd.Args = slices.Concat(c.InputValidatorArgs, c.Args)
	}
	out, err := j.runTool(ctx, program, cmd, files)
	// Every exit status but 42, or also 0 with testlib, is a rejection, including that of a
	// crash (2025-09, "Input validators"). But a program that was killed has not
	// decided.
	if err == nil && (out.Exceeded != "" || out.Signal != 0) {
		err = fmt.Errorf("%w%s", crashed(out), j.Reason(p.Where(v.Path), c.Name, stderr))
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%s validator %s on %s: %w", Validates[v.Checks], p.Where(v.Path), c.Name, err)
	case out.Exit == validatorAccepts, out.Exit == 0 && testlib:
		return "", nil
	case out.Exit == 0:
		return exitsWithZero + j.Reason(p.Where(v.Path), c.Name, stderr), nil
	}
	return fmt.Sprintf("exits with %d%s", out.Exit, j.Reason(p.Where(v.Path), c.Name, stderr)), nil
}
