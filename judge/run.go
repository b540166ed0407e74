package judge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Run judges one submission on the given cases of its problem, which must be in
// the problem's order. If the problem has no time limit, the report has an error:
// call Infer first. Concurrent calls run at most Jobs programs in total. When
// ctx ends, the report has the runs until then, and AsExpected is nil.
func (j *Judge) Run(ctx context.Context, s *problem.Submission, cases []*problem.Case) *Report {
	x, r := j.source(ctx, s)
	if x != nil {
		r.Runs = x.schedule(ctx, x.order(cases))
		r = x.End()
		if ctx.Err() != nil {
			r.Verdict, r.AsExpected, r.Broken, r.BrokenBy = problem.Undecided, nil, "", ""
			r.Score, r.MaxScore, r.Groups = nil, nil, nil
		}
	}
	j.Tell(Event{Kind: Judged, Submission: s, Report: r})
	return r
}

// RunAll judges submissions on the given cases and returns their reports in the same
// order.
func (j *Judge) RunAll(ctx context.Context, submissions []*problem.Submission, cases []*problem.Case) []*Report {
	reports := make([]*Report, len(submissions))
	j.overlap(len(submissions), func(i int) { reports[i] = j.Run(ctx, submissions[i], cases) })
	return reports
}

// overlap calls do for 0 to n-1, one more at once than Jobs, so that one submission can
// compile while others run.
func (j *Judge) overlap(n int, do func(int)) {
	var wg sync.WaitGroup
	under := make(chan struct{}, j.Workers()+1)
	for i := range n {
		under <- struct{}{}
		wg.Go(func() {
			defer func() { <-under }()
			do(i)
		})
	}
	wg.Wait()
}

// A source makes the runs of one submission: a [Session] in this process, or a delegation
// elsewhere.
type source interface {
	// order returns the cases as they are to be scheduled.
	order(cases []*problem.Case) *order
	// schedule makes the runs and returns those that count.
	schedule(ctx context.Context, o *order) []Run
	// alone makes one attempt while no other program runs on the machine.
	alone(ctx context.Context, c *problem.Case) (Run, error)
	// save keeps a run in the store.
	save(ctx context.Context, c *problem.Case, run *Run)
	// End returns the report.
	End() *Report
}

// source returns what makes the runs of a submission, and its report. If the submission
// cannot run, the source is nil.
func (j *Judge) source(ctx context.Context, s *problem.Submission) (source, *Report) {
	if j.Executor != nil {
		t, r := j.admit(ctx, s)
		if t == nil {
			return nil, r
		}
		return &delegation{draft: t, executor: j.Executor(s)}, r
	}
	x, r := j.Begin(ctx, s)
	if x == nil {
		return nil, r
	}
	return x, r
}

// A Session is a compiled submission that is ready to run on cases. With [Judge.Executor],
// each call of Run is a work item, while no other program runs on the machine of the
// executor, and only Run and End may be called.
type Session struct {
	*draft
	program   *build.Program
	elsewhere *delegation // makes the runs; nil if this process does
	// Runs of the store, or of the inference of the time limit, that need not be made again.
	stored map[*problem.Case]*Run
	again  map[*problem.Case]string // why other runs of the store are not used; "" if there is none
}

// Begin compiles a submission. If it cannot run, the session is nil, and the report
// has the reason: skipped, rejected by the compiler, or a failure of the judge. The
// caller must call End once.
func (j *Judge) Begin(ctx context.Context, s *problem.Submission) (*Session, *Report) {
	t, r := j.admit(ctx, s)
	if t == nil {
		return nil, r
	}
	j.Tell(Event{Kind: Compiling, Submission: s})
	if j.Executor != nil {
		return j.beginElsewhere(ctx, t)
	}
	program, err := j.compile(ctx, s, t.limits, r)
	var unusable *build.UnusableError
	switch {
	case ctx.Err() != nil:
		return nil, r
	case errors.As(err, &unusable):
		r.Skipped = err.Error()
		return nil, r
	case err != nil:
		r.Err = err
		return nil, r
	case program == nil:
		t.reject()
		return nil, r
	}
	return &Session{draft: t, program: program}, r
}

// Run judges the submission on a case and adds the run to the report. Callers
// pass the cases in the problem's order. Run is not safe for concurrent use.
func (x *Session) Run(ctx context.Context, c *problem.Case) Run {
	if x.elsewhere != nil {
		run, err := x.elsewhere.alone(ctx, c)
		if err != nil {
			run = Run{Case: c.Name, Err: &ExecutorError{err}}
		}
		return x.counted(c, run)
	}
	release, err := x.j.Acquire(ctx, 1)
	if err != nil {
		return Run{Case: c.Name, Err: err}
	}
	if x.stored == nil {
		x.loadAll(ctx, x.s.Problem.Cases)
	}
	return x.counted(c, x.attempt(ctx, c, release, nil))
}

// counted adds a run to the report, and returns it.
func (x *Session) counted(c *problem.Case, run Run) Run {
	x.count(c, &run)
	x.report.Runs = append(x.report.Runs, run)
	return run
}

// Program returns the compiled submission, which is there until End.
func (x *Session) Program() *build.Program { return x.program }

// End ends the session and returns the report of its runs.
func (x *Session) End() *Report {
	if x.elsewhere != nil {
		return x.end()
	}
	if err := x.program.Vacate(); err != nil {
		x.report.Err = err
	}
	return x.end()
}

// compile acquires a job and builds the submission. The program is nil if the
// source is too large or the compiler rejects it; then r.Compile has the message.
func (j *Judge) compile(ctx context.Context, s *problem.Submission, limits problem.Limits,
	r *Report) (*build.Program, error) {
	if s.Problem.Is(problem.SubmitAnswer) {
		return collect(s)
	}
	files, err := s.Read()
	if err != nil {
		return nil, err
	}
	var size int64
	for _, data := range files {
		size += int64(len(data))
	}
	if size > s.Problem.Code {
		r.Compile = build.Compile{Exit: -1, Message: fmt.Sprintf("the source has %s, the problem allows %s",
			terminal.Bytes(size), terminal.Bytes(s.Problem.Code))}
		return nil, nil
	}
	entry, err := s.Problem.Include(s.Language, files, s.Entry)
	if err != nil {
		return nil, err
	}
	release, err := j.Acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	program, c, err := j.builder.Build(ctx, build.Source{
		What: s.Problem.Where(s.Path), Files: files, Language: s.Language, Entry: entry, Memory: limits.Memory,
		Submission: true,
	}, s.Problem.Building)
	r.Compile = c
	return program, err
}

// schedule runs the cases, several at once if there are free jobs, and returns the runs
// that count.
func (x *Session) schedule(ctx context.Context, o *order) []Run {
	x.stored = x.takeMeasured(o.cases)
	x.loadAll(ctx, o.cases)
	var taking sync.Mutex // held until a stored run is counted, because it may make the next case unnecessary
	var wg sync.WaitGroup
	var work func()
	work = func() {
		for replaced := false; !replaced; {
			release, err := x.j.Acquire(ctx, 1)
			if err != nil {
				return
			}
			taking.Lock()
			next := o.take(ctx, 1)
			if next == nil {
				taking.Unlock()
				release()
				return
			}
			c := o.cases[next[0]]
			if x.stored[c] != nil {
				o.add(next[0], x.attempt(ctx, c, release, nil))
				taking.Unlock()
				continue
			}
			taking.Unlock()
			var replace func()
			if x.j.Workers() > 1 { // with one job, nothing runs beside a program
				replace = func() {
					replaced = true
					wg.Go(work)
				}
			}
			o.add(next[0], x.attempt(ctx, c, release, replace))
		}
	}
	for range min(x.j.Workers(), len(o.cases)) {
		wg.Go(work)
	}
	wg.Wait()
	return o.kept(ctx)
}
