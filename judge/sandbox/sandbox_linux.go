//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Sandbox runs programs on the highest rung of protection that there is, by
// launchers, which it keeps between runs. The zero value is ready.
type Sandbox struct {
	// Least is the lowest rung that will do: on a machine that has only lower
	// ones, every run is an error. Zero is any.
	Least Rung
	// Most is the highest rung to climb, for those who want less than the machine
	// has. Zero is the highest.
	Most Rung

	noCgroups bool // for tests: do as where none can be made

	mu       sync.Mutex
	idle     []*launcher    // the one that was used last comes last
	renewing sync.WaitGroup // launchers that get a new cgroup

	climbing sync.Mutex
	rung     Rung  // 0: not known yet
	why      error // it is no higher
}

// climb finds the highest rung that can be had here.
func (p *Sandbox) climb() (Rung, error) {
	p.climbing.Lock()
	defer p.climbing.Unlock()
	if p.rung != 0 {
		return p.rung, p.enough()
	}
	top := RootBox
	if p.Most != 0 {
		top = p.Most
	}
	var failures []error
	for rung := top; rung >= Process; rung-- {
		// A box that root makes with a user namespace would have root's own files.
		if rung == RootBox && os.Geteuid() != 0 || rung == UserBox && os.Geteuid() == 0 {
			continue
		}
		l, err := startLauncher(rung, !p.noCgroups)
		if passing(err) {
			return 0, err
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%v: %w", rung, err))
			continue
		}
		p.rung, p.why = rung, errors.Join(failures...)
		p.give(l)
		return rung, p.enough()
	}
	return 0, errors.Join(failures...)
}

// passing reports whether an error tells of the moment and not of the machine: it
// is no reason to be content with a lower rung for good.
func passing(err error) bool {
	for _, errno := range []syscall.Errno{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN, unix.EINTR} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// enough reports why the rung is too low for those who want a certain one.
func (p *Sandbox) enough() error {
	if p.rung >= p.Least {
		return nil
	}
	protection := p.protection()
	err := fmt.Errorf("want a %v, and there is only the rung %q here", p.Least, p.rung)
	if protection.Why != "" {
		err = fmt.Errorf("%w: %s", err, protection.Why)
	}
	if protection.Raise != "" {
		err = fmt.Errorf("%w; to raise it: %s", err, protection.Raise)
	}
	return err
}

// Protection says what a Sandbox holds a program to on this machine. Asked for
// the first time, it finds out.
func (p *Sandbox) Protection() Protection {
	if rung, err := p.climb(); rung == 0 {
		return Protection{Rung: Plain, NotEnforced: []string{"anything: no program can be started"}, Why: err.Error()}
	}
	return p.protection()
}

// Run runs the program to its end and states what became of it. It is safe for
// concurrent use. The error is for the judge's own failure: a program that
// cannot be started, a reader or writer that fails, or ctx's error when ctx
// ended first; then the outcome is that of the killed program, if it was started.
func (p *Sandbox) Run(ctx context.Context, c Cmd) (Outcome, error) {
	program, dir, err := c.ready(ctx)
	if err != nil {
		return Outcome{}, err
	}
	rung, err := p.climb()
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	var v view
	if rung >= Guarded {
		if v, err = c.view(program, dir); err != nil {
			return Outcome{}, fmt.Errorf("run %s: %w", program, err)
		}
	}
	in, err := openInput(c.Stdin)
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	defer in.finish()
	key := v.key()
	l, err := p.take(key)
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	m := &meter{limit: c.Limits.Output}
	var r *result
	if rung >= Guarded {
		err = l.show(v, key, c.Limits.Files)
	}
	if err == nil {
		r, err = l.do(ctx, program, dir, &c, in, m)
	}
	var lost *lostError
	if errors.As(err, &lost) {
		return Outcome{}, fmt.Errorf("run %s: launcher: %w", program, l.lost(lost.err))
	}
	if err == nil && r.Cause == causeUndead {
		// Process 1 cannot end before all others have, so nobody waits for it.
		go l.lost(errors.New("a process of it does not die"))
	} else {
		p.give(l)
	}
	switch {
	case err != nil:
		return Outcome{}, err
	case r.Errno != 0:
		return Outcome{}, r.explain(rung, program, dir)
	case ctx.Err() != nil:
		return r.outcome(rung, dir, c.Limits, m.n), ctx.Err()
	case r.Cause == causeUndead:
		return Outcome{}, fmt.Errorf("run %s: a process of it was killed and has not died for %v", program, timeToDie)
	}
	if err := errors.Join(m.err, in.finish()); err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", program, err)
	}
	o := r.outcome(rung, dir, c.Limits, m.n)
	o.Stderr = m.stderr
	return o, nil
}

// explain says why nothing was run.
func (r *result) explain(rung Rung, program, dir string) error {
	errno := syscall.Errno(r.Errno)
	switch r.Stage {
	case stageExec:
		if info, err := os.Stat(program); rung == RootBox && errno == unix.EACCES && err == nil && info.Mode().Perm()&0o005 != 0o005 {
			return fmt.Errorf("run %s: not executable for others than its owner, mode %v: in a box it runs as a user of its own: %w", program, info.Mode(), errno)
		}
		return explain(program, errno)
	case stageFolder:
		return fmt.Errorf("run %s: working folder %s: %w", program, dir, errno)
	}
	return fmt.Errorf("run %s: %v: %w", program, r.Stage, errno)
}

// outcome states the facts of a run that wrote output bytes.
func (r *result) outcome(rung Rung, dir string, l Limits, output int64) Outcome {
	status := syscall.WaitStatus(r.Status)
	// What was done on the program's account before it began is not its own.
	sys := max(r.Sys-r.SetUp, 0)
	o := Outcome{
		Exit: status.ExitStatus(),
		User: time.Duration(r.User), Sys: time.Duration(sys),
		CPU:    time.Duration(max(r.User+sys, r.Seen, r.Counted-r.SetUp)),
		Wall:   time.Duration(r.Wall),
		Memory: r.memory(l.Memory),
		Output: output, Written: r.Written,
		Files: r.Files,

		Instructions: r.Instructions,
		Exceeded:     resources[r.Cause],
		Limits:       l,
	}
	o.Waited = min(time.Duration(r.Waited), max(o.Wall-o.CPU, 0))
	if status.Signaled() {
		o.Signal = status.Signal()
	}
	o.settle()
	if o.Exceeded == "" && l.FileSize > 0 && o.Signal == unix.SIGXFSZ && (r.LargeFile != 0 || !rung.Full() && hasFileOf(dir, l.FileSize)) {
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

// hasFileOf reports whether the folder has a file that has grown to size. A
// program that raises SIGXFSZ at itself leaves none.
func hasFileOf(dir string, size int64) bool {
	// There may be any number, so not even the names in one folder are read at once.
	left := 10_000
	for dirs := []string{dir}; len(dirs) > 0 && left > 0; dirs = dirs[1:] {
		f, err := os.Open(dirs[0])
		if err != nil {
			continue
		}
		for left > 0 {
			entries, _ := f.ReadDir(100)
			if len(entries) == 0 {
				break
			}
			left -= len(entries)
			for _, entry := range entries {
				if entry.IsDir() {
					dirs = append(dirs, filepath.Join(dirs[0], entry.Name()))
				} else if info, err := entry.Info(); err == nil && entry.Type().IsRegular() && info.Size() >= size {
					f.Close()
					return true
				}
			}
		}
		f.Close()
	}
	return false
}

// mostIdle is how many launchers more than have been used at once are kept,
// since one that shows the right view already is the quickest.
const mostIdle = 4

// take returns a launcher for one run: one that shows the view already, or else
// a new one, or else the one that was not used for longest.
func (p *Sandbox) take(key string) (*launcher, error) {
	p.mu.Lock()
	best := -1
	for i := len(p.idle) - 1; i >= 0; i-- {
		if p.idle[i].view == key {
			best = i
			break
		}
	}
	if best < 0 && len(p.idle) > 0 && (len(p.idle) >= mostIdle || p.rung < Guarded || p.idle[0].view == unused) {
		best = 0
	}
	if best >= 0 {
		l := p.idle[best]
		p.idle = slices.Delete(p.idle, best, best+1)
		p.mu.Unlock()
		if l.gone() {
			l.lost(errors.New("it has died"))
			return p.take(key)
		}
		return l, nil
	}
	p.mu.Unlock()
	return startLauncher(p.rung, !p.noCgroups)
}

// unused is the view of a launcher that shows none yet.
const unused = "none"

// mostChores is how many mounts a launcher may make before it is replaced: it
// collects no garbage, so it grows.
const mostChores = 5000

// give takes a launcher back. A cgroup that is to be replaced is replaced while
// others run.
func (p *Sandbox) give(l *launcher) {
	if l.chores > mostChores {
		l.close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.group == nil || !l.group.stale(l.private) {
		p.idle = append(p.idle, l)
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
		p.idle = append(p.idle, l)
	})
}

// Close ends the launchers. No run may be under way; one that begins later starts
// launchers anew.
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
