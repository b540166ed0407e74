//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

// A Sandbox runs programs as plain child processes. The zero value is ready.
type Sandbox struct {
	Least Rung // the lowest rung that will do: anything above Plain makes every run an error. Zero is any
	Most  Rung // the highest rung to climb; here there is only one
}

// Protection says what a Sandbox holds a program to.
func (p *Sandbox) Protection() Protection {
	return Protection{
		Rung: Plain,
		Enforced: []string{
			"wall time: the program is killed when it is up",
			"output: the program is killed when it has written too much",
		},
		NotEnforced: []string{
			"CPU time and memory are looked at when the program has ended",
			"number of processes and size of files, and what is written to another program",
			"what a program reads, writes, or sends: it has the rights of the judge",
		},
	}
}

// Run runs the program to its end and states what became of it. It is safe for
// concurrent use. The error is for the judge's own failure: a program that
// cannot be started, a writer that fails, or ctx's error when ctx ended first;
// then the outcome is that of the killed program, if it was started.
func (p *Sandbox) Run(ctx context.Context, c Cmd) (Outcome, error) {
	if p.Least > Plain {
		return Outcome{}, fmt.Errorf("run %s: want a %v, this system has only %v", c.Args, p.Least, Plain)
	}
	program, dir, err := c.ready(ctx)
	if err != nil {
		return Outcome{}, err
	}
	run, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	m := &meter{limit: c.Limits.Output}
	m.full = func() { kill(exceeded(Output)) }

	cmd := exec.CommandContext(run, program)
	cmd.Args, cmd.Dir, cmd.Env = c.Args, dir, c.environment(dir, Plain)
	cmd.Stdout, cmd.Stderr = m.stream("stdout", c.Stdout), m.stream("stderr", c.Stderr)
	if pipe := pipeOf(c.Stdout); pipe != nil {
		cmd.Stdout = pipe
	}
	if pipe := pipeOf(c.Stdin); pipe != nil {
		cmd.Stdin = pipe
	} else if c.Stdin != nil {
		// Not the file itself, which the program could open anew for writing.
		cmd.Stdin = struct{ io.Reader }{c.Stdin}
	}
	// A child that outlives the program must not hold the judge by the pipes.
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	var ended atomic.Bool
	cmd.Cancel = func() error {
		if ended.Load() {
			return os.ErrProcessDone
		}
		return killGroup(cmd.Process)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Outcome{}, explain(program, errors.Unwrap(err))
	}
	if c.Started != nil {
		c.Started()
	}
	if c.Limits.Wall > 0 {
		defer time.AfterFunc(c.Limits.Wall, func() { kill(exceeded(Wall)) }).Stop()
	}
	err = cmd.Wait()
	ended.Store(true)
	killGroup(cmd.Process)
	if m.err != nil && ctx.Err() == nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, m.err)
	}
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) && context.Cause(run) == nil && !errors.Is(err, exec.ErrWaitDelay) {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	state := cmd.ProcessState
	o := Outcome{
		Exit: state.ExitCode(), Signal: signalOf(state),
		User: state.UserTime(), Sys: state.SystemTime(),
		CPU: state.UserTime() + state.SystemTime(), Wall: time.Since(start),
		Memory: peakMemory(state), Output: m.n, Stderr: m.stderr, Limits: c.Limits,
	}
	var why exceeded
	errors.As(context.Cause(run), &why)
	o.Exceeded = Resource(why)
	o.settle()
	return o, ctx.Err()
}

// Close ends whatever is kept between runs.
func (p *Sandbox) Close() error { return nil }

// exceeded is the cause with which a run is killed.
type exceeded Resource

func (e exceeded) Error() string { return string(e) + " limit passed" }
