//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Sandbox runs programs as plain child processes of launchers, which it
// keeps between runs. The zero value is ready.
type Sandbox struct {
	// Least is the lowest rung that will do: on a machine that has only lower
	// ones, every run is an error. Zero is any.
	Least Rung
	// Most is the highest rung to climb, for those who want less than the machine
	// has. Zero is the highest.
	Most Rung

	mu     sync.Mutex
	idle   []*launcher
	closed bool
}

// Protection says what a Sandbox holds a program to.
func (p *Sandbox) Protection() Protection {
	return Protection{
		Rung: Process,
		Enforced: []string{
			"CPU time of all processes, to about 10 ms per core; also of those that nobody waited for",
			"wall time, output, size of each file",
			"memory of all processes, looked at every 5 to 10 ms, shared pages counted once; the peak of a single process is exact",
			"number of processes and threads, looked at every 10 ms; growth is stopped by the kernel where a pids cgroup can be made (as root, mostly)",
			"nothing survives: all descendants are killed when the program or the judge ends",
			"input, open files, environment, signals and session are the program's own",
		},
		NotEnforced: []string{
			"what a program reads, writes, or sends: it has the rights of the judge, may signal or trace it, and may ask a service of the machine to work for it",
			"memory in files under /dev/shm and /tmp, in memfds, pipes and sockets",
			"CPU time of children that live shorter than a look, when their parent ignores SIGCHLD",
			"who multiplies faster than he can be killed, where no pids cgroup can be made: he is stopped late, at some 2000 processes, or as root at none",
			"peaks of memory over several processes that last shorter than a look",
		},
	}
}

// Run runs the program to its end and states what became of it. It is safe for
// concurrent use. The error is for the judge's own failure: a program that
// cannot be started, a reader or writer that fails, or ctx's error when ctx
// ended first.
func (p *Sandbox) Run(ctx context.Context, c Cmd) (Outcome, error) {
	program, dir, err := c.ready(ctx)
	if err != nil {
		return Outcome{}, err
	}
	in, err := openInput(c.Stdin)
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	defer in.finish()
	l, err := p.take()
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	m := &meter{limit: c.Limits.Output}
	r, err := l.do(ctx, program, dir, &c, in, m)
	var lost *lostError
	if errors.As(err, &lost) {
		return Outcome{}, fmt.Errorf("run %s: launcher: %w", program, l.lost(lost.err))
	}
	p.give(l)
	switch {
	case err != nil:
		return Outcome{}, err
	case r.Errno != 0:
		return Outcome{}, r.explain(program, dir)
	case ctx.Err() != nil:
		return Outcome{}, ctx.Err()
	case r.Cause == causeUndead:
		return Outcome{}, fmt.Errorf("run %s: a process of it was killed and has not died for %v", program, timeToDie)
	}
	if err := errors.Join(m.err, in.finish()); err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	return r.outcome(dir, c.Limits, m.n), nil
}

// explain says why nothing was run.
func (r *result) explain(program, dir string) error {
	errno := syscall.Errno(r.Errno)
	switch r.Stage {
	case stageExec:
		return explain(program, errno)
	case stageFolder:
		return fmt.Errorf("run %s: working folder %s: %w", program, dir, errno)
	}
	return fmt.Errorf("run %s: %v: %w", program, r.Stage, errno)
}

// outcome states the facts of a run that wrote output bytes.
func (r *result) outcome(dir string, l Limits, output int64) Outcome {
	status := syscall.WaitStatus(r.Status)
	o := Outcome{
		Exit: status.ExitStatus(),
		User: time.Duration(r.User), Sys: time.Duration(r.Sys),
		CPU:      time.Duration(max(r.User+r.Sys, r.Seen)),
		Wall:     time.Duration(r.Wall),
		Memory:   r.memory(l.Memory),
		Output:   output,
		Exceeded: resources[r.Cause],
		Limits:   l,
	}
	if status.Signaled() {
		o.Signal = status.Signal()
	}
	o.settle()
	if o.Exceeded == "" && l.FileSize > 0 && o.Signal == unix.SIGXFSZ && hasFileOf(dir, l.FileSize) {
		o.Exceeded = FileSize
	}
	return o
}

// memory returns the peak in bytes. The kernel's own is exact for a single
// process, but it begins at the launcher's peak, which is some 3 MiB; below
// that, what was seen is nearer to the truth, if anyone looked. Where nobody
// did, a limit below it is not said to be passed.
func (r *result) memory(limit int64) int64 {
	switch {
	case r.MaxRSS > r.Floor:
		return max(r.MaxRSS, r.Peak)
	case r.Peak > 0:
		return r.Peak
	case limit > 0:
		return min(r.MaxRSS, limit)
	}
	return r.MaxRSS
}

// hasFileOf reports whether the folder has a file that has grown to size. A
// program that raises SIGXFSZ at itself leaves none.
func hasFileOf(dir string, size int64) bool {
	found := false
	entries := 0
	filepath.WalkDir(dir, func(_ string, entry os.DirEntry, err error) error {
		if entries++; entries > 10_000 || found {
			return filepath.SkipAll
		}
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				found = info.Size() >= size
			}
		}
		return nil
	})
	return found
}

// take returns a launcher for one run.
func (p *Sandbox) take() (*launcher, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		l := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return l, nil
	}
	p.mu.Unlock()
	return startLauncher()
}

// give takes a launcher back.
func (p *Sandbox) give(l *launcher) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		l.close()
		return
	}
	p.idle = append(p.idle, l)
}

// Close ends the launchers. Runs that are under way end theirs themselves.
func (p *Sandbox) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var errs []error
	for _, l := range p.idle {
		errs = append(errs, l.close())
	}
	p.idle = nil
	return errors.Join(errs...)
}
