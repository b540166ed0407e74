//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// A Sandbox runs programs on the highest level of protection that the machine
// supports. It uses launchers, which it keeps between runs. The zero value is ready
// for use.
type Sandbox struct {
	// Least is the lowest acceptable level: if the machine supports only lower
	// levels, every run is an error. Zero accepts any level.
	Least Level
	// Most is the highest level to use, for callers that need less than the machine
	// supports. Zero means no restriction.
	Most Level

	noCgroups bool // for tests: behave as if no cgroup can be created

	mu       sync.Mutex
	idle     []*launcher    // the most recently used comes first
	changes  int            // of views, since a launcher was last started
	renewing sync.WaitGroup // goroutines that give a launcher a new cgroup

	finding sync.Mutex
	level   Level // 0: not determined yet
	why     error // why the level is not higher
}

// findLevel finds the highest level that works on this machine.
func (p *Sandbox) findLevel() (Level, error) {
	p.finding.Lock()
	defer p.finding.Unlock()
	if p.level != 0 {
		return p.level, p.enough()
	}
	top := RootBox
	if p.Most != 0 {
		top = p.Most
	}
	var failures []error
	for level := top; level >= Process; level-- {
		// Root does not use user namespaces: root's own files would belong to the
		// box.
		if level == RootBox && os.Geteuid() != 0 || level == UserBox && os.Geteuid() == 0 {
			continue
		}
		l, err := startLauncher(level, !p.noCgroups)
		if passing(err) {
			return 0, err
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%v: %w", level, err))
			continue
		}
		p.level, p.why = level, errors.Join(failures...)
		p.give(l)
		return level, p.enough()
	}
	return 0, errors.Join(failures...)
}

// enough returns an error if the level is lower than Least. Every run calls it, so it
// describes the protection only for the error.
func (p *Sandbox) enough() error {
	if p.level >= p.Least {
		return nil
	}
	return p.protection().AtLeast(p.Least)
}

// Protection describes what a Sandbox enforces on this machine. The first call
// starts a launcher to find out.
func (p *Sandbox) Protection() Protection {
	if level, err := p.findLevel(); level == 0 {
		return Protection{Level: Plain, NotEnforced: []string{"everything: no program can be started"}, Why: err.Error()}
	}
	return p.protection()
}

// Run runs the program to its end and reports what happened. It is safe for
// concurrent use. An error means that the judge failed: the program could not be
// started, or a reader or writer failed. If ctx ends first, Run returns the error
// of ctx and, if the program was started, the outcome of the killed program.
func (p *Sandbox) Run(ctx context.Context, c Cmd) (Outcome, error) {
	program, dir, err := c.ready(ctx)
	if err != nil {
		return Outcome{}, err
	}
	level, err := p.findLevel()
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	view := ""
	if level >= Guarded {
		v, err := c.view(program, dir)
		if err != nil {
			return Outcome{}, fmt.Errorf("run %s: %w", program, err)
		}
		view = v.text()
	}
	in, err := openInput(c.Stdin)
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	defer in.finish()
	l, err := p.take(view, c.Cores)
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	m := &meter{limit: c.Limits.Output}
	r, err := l.do(ctx, program, dir, view, &c, in, m)
	var lost *lostError
	switch {
	case errors.As(err, &lost):
		l.kill()
		r = l.atLimit(c.Limits)
		if err = l.explain(lost.err); r == nil {
			return Outcome{}, fmt.Errorf("run %s: launcher: %w", program, err)
		}
		err = nil
	case err == nil && r.Cause == causeUndead:
		// Process 1 cannot end before all other processes of the box have ended. Do
		// not wait for that.
		go l.lost(errors.New("one of its processes does not die"))
	default:
		p.give(l)
	}
	switch {
	case err != nil:
		return Outcome{}, err
	case r.Errno != 0:
		return Outcome{}, r.explain(level, program, dir)
	case ctx.Err() != nil:
		return r.outcome(level, dir, c.Limits, m), ctx.Err()
	case r.Cause == causeUndead:
		return Outcome{}, fmt.Errorf("run %s: one of its processes was killed but did not die within %v", program, timeToDie)
	}
	if err := errors.Join(m.err, in.finish()); err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	return r.outcome(level, dir, c.Limits, m), nil
}

// explain returns the error for a program that was not run.
func (r *result) explain(level Level, program, dir string) error {
	errno := r.Errno
	switch r.Step {
	case stepExec:
		if info, err := os.Stat(program); level == RootBox && errno == unix.EACCES && err == nil &&
			info.Mode().Perm()&0o005 != 0o005 {
			return fmt.Errorf("run %s: not executable by users other than its owner (mode %v), and in a box it runs as "+
				"another user: %w", program, info.Mode(), errno)
		}
		return explain(program, errno)
	case stepFolder:
		return fmt.Errorf("run %s: working folder %s: %w", program, dir, errno)
	}
	return fmt.Errorf("run %s: %v: %w", program, r.Step, errno)
}

// outcome returns the facts of a run whose output a meter counted.
func (r *result) outcome(level Level, dir string, l Limits, m *meter) Outcome {
	// Subtract what the child used before it executed the program.
	sys := max(r.Sys-r.SetUp, 0)
	o := Outcome{
		Exit: r.Status.ExitStatus(),
		User: r.User, Sys: sys, CPU: max(r.User+sys, r.Seen, r.Counted-r.SetUp),
		Wall: r.Wall, Memory: r.memory(l.Memory), Instructions: r.Instructions,
		Output: m.n, Stderr: m.stderr, Written: r.Written, Files: r.Files,
		Exceeded: resources[r.Cause], Limits: l,
	}
	o.Waited = min(r.Waited, max(o.Wall-o.CPU, 0))
	if r.Status.Signaled() {
		o.Signal = r.Status.Signal()
	}
	o.settle()
	if o.Exceeded == "" && l.FileSize > 0 && o.Signal == unix.SIGXFSZ &&
		(r.LargeFile || !level.Full() && HasFileOf(dir, l.FileSize)) {
		o.Exceeded = FileSize
	}
	return o
}

// memory returns the peak in bytes. The kernel's number is exact for a single
// process, but its lower bound is the launcher's peak, about 3 MiB. Below that, the
// result of a look is more accurate. If there was no look, a limit below the
// launcher's peak does not count as exceeded.
func (r *result) memory(limit int64) int64 {
	switch {
	case r.CgroupPeak >= 0 && r.Cause == causeMemory:
		return max(r.CgroupPeak, limit)
	case r.CgroupPeak >= 0:
		return r.CgroupPeak
	case r.MaxRSS > r.Floor:
		return max(r.MaxRSS, r.Peak)
	case r.Peak > 0:
		return r.Peak
	case limit > 0:
		return min(r.MaxRSS, limit)
	}
	return r.MaxRSS
}

// mostIdle is the number of launchers that are kept in addition to those used at
// once. A launcher that already shows the right view is the fastest.
const mostIdle = 4

// startCost is about how many changes of a view take as long as the start of a launcher:
// 0.2 to 0.3 ms of 35 to 50 ms for the view of a submission; those of compilers take longer.
const startCost = 100

// take returns a launcher for one run: an idle one that already shows the view, or
// else a new one, or else the least recently used one. A new one pays only if views
// change often, so it is started after the changes have cost as much as it will. Of those
// with the view, one that runs on the cores is preferred.
func (p *Sandbox) take(view string, cores []int) (*launcher, error) {
	p.mu.Lock()
	best := slices.IndexFunc(p.idle, func(l *launcher) bool { return l.view == view && slices.Equal(l.cores, cores) })
	if best < 0 {
		best = slices.IndexFunc(p.idle, func(l *launcher) bool { return l.view == view })
	}
	if last := len(p.idle) - 1; best < 0 && last >= 0 {
		if p.changes++; p.changes < startCost || last+1 >= mostIdle || p.level < Guarded || p.idle[last].view == unused {
			best = last
		} else {
			p.changes = 0
		}
	}
	if best < 0 {
		p.mu.Unlock()
		return startLauncher(p.level, !p.noCgroups)
	}
	l := p.idle[best]
	p.idle = slices.Delete(p.idle, best, best+1)
	p.mu.Unlock()
	if l.gone() {
		l.lost(errors.New("it has died"))
		return p.take(view, cores)
	}
	return l, nil
}

// unused is the view key of a launcher that has not shown any view yet.
const unused = "none"

// mostChores is the number of mounts that a launcher may create before it is
// replaced: it does not collect garbage, so its memory grows.
const mostChores = 5000

// give returns a launcher to the idle ones. If its cgroup must be replaced, this
// happens in the background.
func (p *Sandbox) give(l *launcher) {
	if l.chores > mostChores {
		l.close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !l.group.stale(l.private) {
		p.idle = slices.Insert(p.idle, 0, l)
		return
	}
	p.renewing.Go(func() {
		err := l.enterGroup()
		p.mu.Lock()
		defer p.mu.Unlock()
		if err != nil {
			l.close()
			return
		}
		p.idle = slices.Insert(p.idle, 0, l)
	})
}

// Close ends the launchers. No Run may be in progress. A later Run starts new
// launchers.
func (p *Sandbox) Close() error {
	p.renewing.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, l := range p.idle {
		errs = append(errs, l.close())
	}
	p.idle = nil
	return errors.Join(errs...)
}
