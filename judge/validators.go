package judge

import (
	"context"
	"fmt"
	"slices"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Validates maps the extension of a file that validators check to its name in
// messages.
var Validates = map[string]string{".in": "input", ".ans": "answer"}

// Rejections runs input or answer validators on a case. For each one that
// rejects, it returns the name and the reason. The error is a failure of the
// judge or of the package.
func (j *Judge) Rejections(ctx context.Context, p *problem.Problem, validators []*problem.Program, c *problem.Case) (rejected []string, err error) {
	for _, v := range validators {
		program, err := j.BuildValidator(ctx, v, Preparing)
		if err != nil {
			return nil, err
		}
		var why string
		switch {
		case program.Grammar != nil:
			why, err = acceptsBy(ctx, p, v, program.Grammar, c)
		case v.Checks == ".ans":
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

// acceptsInput runs an input validator with the case's arguments and its .files.
// Why is the reason of a rejection, or "".
func (j *Judge) acceptsInput(ctx context.Context, p *problem.Problem, v *problem.Program, program *build.Program, c *problem.Case) (why string, err error) {
	args := c.InputValidatorArgs
	if c.InputValidatorArgsBy != nil {
		args = c.InputValidatorArgsBy[v.Name]
	}
	err = j.inFolder(program, c.Files == nil, func(dir string) error {
		if err := c.CopyFiles(dir); err != nil {
			return err
		}
		why, err = j.ask(ctx, p, v, c, sandbox.Cmd{Args: slices.Concat(program.Args, args, c.Args), Dir: dir, Reads: program.Reads, OpenFiles: program.Files})
		return err
	})
	return why, err
}

// acceptsAnswer runs an answer validator with the path of the input as its
// argument. Why is the reason of a rejection, or "".
func (j *Judge) acceptsAnswer(ctx context.Context, p *problem.Problem, v *problem.Program, program *build.Program, c *problem.Case) (why string, err error) {
	copies, err := j.TempDir("check-")
	if err != nil {
		return "", err
	}
	defer osfile.RemoveAll(copies)
	input, err := c.Real(copies, ".in")
	if err != nil {
		return "", err
	}
	err = j.inFolder(program, true, func(dir string) error {
		why, err = j.ask(ctx, p, v, c, sandbox.Cmd{Args: slices.Concat(program.Args, []string{input}), Dir: dir, Reads: slices.Concat(program.Reads, []string{input}), OpenFiles: program.Files})
		return err
	})
	return why, err
}

// ask runs a validator with the file that it checks on standard input. Why is the
// reason of a rejection, or "".
func (j *Judge) ask(ctx context.Context, p *problem.Problem, v *problem.Program, c *problem.Case, cmd sandbox.Cmd) (why string, err error) {
	in, err := problem.OpenRegular(c.FS, c.Path(v.Checks))
	if err != nil {
		return "", err
	}
	defer in.Close()
	stderr := &Stderr{Most: KeptSaid}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Limits = in, stderr, stderr, build.LimitsOf(Preparing)
	out, err := j.runner.Run(ctx, cmd)
	if err != nil {
		return "", fmt.Errorf("%s validator %s on %s: %w", Validates[v.Checks], p.Where(v.Path), c.Name, err)
	}
	// Every exit status but 42 is a rejection, including that of a crash
	// (2025-09, "Input validators"). But a program that was killed has not
	// decided.
	switch {
	case out.Exceeded != "", out.Signal != 0:
		return "", fmt.Errorf("%s validator %s on %s: %w%s", Validates[v.Checks], p.Where(v.Path), c.Name, crashed(out), j.Reason(p.Where(v.Path), c.Name, stderr))
	case out.Exit != validatorAccepts:
		return fmt.Sprintf("exits with %d%s", out.Exit, j.Reason(p.Where(v.Path), c.Name, stderr)), nil
	}
	return "", nil
}
