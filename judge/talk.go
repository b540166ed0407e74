package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Person takes the place of one of the two programs of an interaction. What the other
// program writes arrives at once.
type Person struct {
	In          io.Reader // what the person writes; a Read that blocks when the program ends is not waited for
	Out, Stderr io.Writer // standard output and standard error of the program
}

// Talk runs the submission with a person in place of the judge. The case gives the
// arguments and the files of the program; its input is not used. There is no limit of
// wall-clock time. The verdict is AC if the program exits with 0 within the limits.
func (x *Session) Talk(ctx context.Context, c *problem.Case, with Person) Run {
	a := &attempt{Session: x, c: c, runner: x.j.runner, limits: x.limits, run: Run{Case: c.Name}}
	a.limits.Wall = 0
	dir, err := a.program.Folder(x.j.tmp)
	if err == nil {
		defer func() { a.program.Leave(dir, x.j.confined() && c.Files == nil) }()
		err = c.CopyFiles(dir)
	}
	if err == nil {
		cmd := a.command(dir)
		cmd.Limits.Wall, cmd.Limits.Written = 0, cmd.Limits.Output
		stderr := &Stderr{}
		var o sandbox.Outcome
		if o, err = with.run(ctx, a.runner, cmd, stderr); err == nil {
			err = a.judge(o, stderr)
		}
	}
	if err == nil && a.run.Verdict == problem.Undecided {
		a.run.Verdict = problem.Accepted
	}
	a.run.Err = err
	return a.run
}

// Interact runs the output validator of an interactive problem on a case, with a person
// in place of the submission. The verdict is that of the validator. There is no limit of
// wall-clock time.
func (j *Judge) Interact(ctx context.Context, c *problem.Case, p *problem.Problem, with Person) (run Run) {
	run.Case = c.Name
	e := validation{j: j, p: p, c: c}
	run.Err = func() (err error) {
		if !p.Is(problem.Interactive) || len(p.OutputValidators) != 1 {
			return fmt.Errorf("%s: not an interactive problem with one output validator", p.ID)
		}
		if err := j.Start(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.close()) }()
		if err := e.open(ctx, p.OutputValidators); err != nil {
			return err
		}
		x := e.validators[0]
		cmd, leave, err := e.command(x)
		if err != nil {
			return err
		}
		defer leave()
		cmd.Args = append(cmd.Args, e.arguments(x, x.folder()+"tout")...)
		cmd.Limits.Wall = 0
		stderr := &Stderr{Most: KeptSaid}
		o, err := with.run(ctx, j.runner, cmd, stderr)
		if err != nil {
			return err
		}
		run.Outcome = o
		d, err := e.decision(x, o, stderr)
		if err == nil {
			d.apply(&run)
		}
		return err
	}()
	return run
}

// run runs a program whose streams are those of the person. kept receives its standard
// error as well.
func (with Person) run(ctx context.Context, runner sandbox.Runner, cmd sandbox.Cmd,
	kept io.Writer) (sandbox.Outcome, error) {
	// The program has the end of a pipe, never the terminal itself.
	r, w, err := os.Pipe()
	if err != nil {
		return sandbox.Outcome{}, err
	}
	defer r.Close()
	go func() {
		io.Copy(w, with.In) // ends at the end of In, or when the program is gone
		w.Close()
	}()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, with.Out, io.MultiWriter(kept, with.Stderr)
	return runner.Run(ctx, cmd)
}
