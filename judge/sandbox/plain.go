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

// A Sandbox runs programs as plain child processes. The zero value is ready for
// use.
type Sandbox struct {
	Least Level // the lowest acceptable level: if above Plain, every run is an error. Zero accepts any level
	Most  Level // the highest level to use; without effect, since this system has only Plain
}

// Protection describes what a Sandbox enforces.
func (p *Sandbox) Protection() Protection {
	return Protection{
		Level: Plain,
		Enforced: []string{
			"wall time: the program is killed when the limit is exceeded",
			"output: the program is killed when the limit is exceeded",
		},
		NotEnforced: []string{
			"CPU time and memory are compared with their limits only when the program has ended",
			"number of processes, size of files, and bytes written to another program",
			"files and network: the program has the rights of the judge",
		},
	}
}

// Run runs the program to its end and reports what happened. It is safe for
// concurrent use. An error means that the judge failed: the program could not be
// started, or a reader or writer failed. If ctx ends first, Run returns the error
// of ctx and, if the program was started, the outcome of the killed program.
func (p *Sandbox) Run(ctx context.Context, c Cmd) (Outcome, error) {
	if p.Least > Plain {
		return Outcome{}, p.Protection().AtLeast(p.Least)
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
		// Do not pass the file itself: the program could reopen it for writing.
		cmd.Stdin = struct{ io.Reader }{c.Stdin}
	}
	// A child that outlives the program may keep the pipes open: do not wait for it.
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

// Close does nothing, since this Sandbox keeps no processes between runs.
func (p *Sandbox) Close() error { return nil }

// exceeded is the context cause of a run that was killed for a limit.
type exceeded Resource

func (e exceeded) Error() string { return string(e) + " limit exceeded" }
