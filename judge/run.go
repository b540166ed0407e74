package judge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"crucible/judge/sandbox"
)

// A Runner runs one program under limits and states what became of it. The
// error is for its own failure.
type Runner interface {
	Run(context.Context, sandbox.Cmd) (sandbox.Outcome, error)
}

// Run judges one submission on the given cases of its problem, in order. It
// may be called for several submissions at once; no more than Jobs programs
// run at a time. When ctx ends, the report holds what was learned until then,
// and AsExpected is nil.
func (j *Judge) Run(ctx context.Context, s *Submission, cases []*Case) *Report {
	x, r := j.Begin(ctx, s)
	if x != nil {
		x.runAll(ctx, cases)
		r = x.End()
		if ctx.Err() != nil {
			r.Verdict, r.AsExpected, r.Broken, r.BrokenBy = undecided, nil, "", ""
		}
	}
	j.tell(Event{Kind: Judged, Submission: s, Report: r})
	return r
}

// RunAll judges submissions on the given cases, and returns their reports in
// the same order. One more is under way than programs can run, so that one
// compiles while others run.
func (j *Judge) RunAll(ctx context.Context, submissions []*Submission, cases []*Case) []*Report {
	reports := make([]*Report, len(submissions))
	var wg sync.WaitGroup
	under := make(chan struct{}, j.jobs()+1)
	for i, s := range submissions {
		under <- struct{}{}
		wg.Go(func() {
			defer func() { <-under }()
			reports[i] = j.Run(ctx, s, cases)
		})
	}
	wg.Wait()
	return reports
}

// A Session is a submission that is compiled and ready to be run on cases.
type Session struct {
	j       *Judge
	s       *Submission
	program *built
	limits  Limits
	st      *standing
	report  *Report
}

// Begin compiles a submission. If it cannot be run the session is nil, and the
// report says why: skipped, refused by the compiler, or a failure of the judge.
func (j *Judge) Begin(ctx context.Context, s *Submission) (*Session, *Report) {
	r := &Report{Submission: s.Name, Expected: s.Expected, Problem: s.Problem.ID}
	if s.Language != nil {
		r.Language = s.Language.Code
	}
	if r.Err = s.unreadable; r.Err != nil {
		return nil, r
	}
	if s.Unusable != "" {
		r.Skipped = s.Unusable
		return nil, r
	}
	if r.Err = j.start(); r.Err != nil {
		return nil, r
	}
	limits := j.LimitsOf(s.Problem)
	if limits.Time == 0 {
		r.Err = &Defect{File: s.Problem.Where(problemFile), Msg: "no time_limit, and none was inferred"}
		return nil, r
	}
	j.tell(Event{Kind: Compiling, Submission: s})
	program, err := j.compile(ctx, s, limits, r)
	var unusable *unusableError
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
		r.Verdict, r.AsExpected, r.Broken = CompileError, new(bool), "it does not compile"
		return nil, r
	}
	// All of the problem's cases, not only those chosen: what a rule requires of
	// some case may be met by one that was not chosen.
	return &Session{j, s, program, limits, newStanding(s.Expected, s.Problem.Cases), r}, r
}

// Run judges the submission on the next case. It is not for concurrent use.
func (x *Session) Run(ctx context.Context, c *Case) Run {
	release, err := x.j.acquire(ctx, 1)
	if err != nil {
		return Run{Case: c.Name, Err: err}
	}
	run := x.j.runCase(ctx, x.s, x.program, c, x.limits, release)
	x.st.add(&run)
	x.report.Runs = append(x.report.Runs, run)
	return run
}

// Settled reports whether no further case can change whether the submission
// does as expected.
func (x *Session) Settled() bool { return x.st.broken != "" || !x.st.open() }

// Broken says which expectation the runs so far have broken; "" if none.
func (x *Session) Broken() string { return x.st.broken }

// End returns the report of the runs so far.
func (x *Session) End() *Report {
	r := x.report
	if err := x.program.vacate(); err != nil {
		r.Err = err
	}
	r.Verdict = verdictOfRuns(r.Runs)
	if r.JudgeError() == nil && len(r.Runs) > 0 {
		r.Broken, r.BrokenBy = x.st.end(), x.st.by
		as := r.Broken == ""
		r.AsExpected = &as
	}
	return r
}

// runAll runs the cases, several at once if there are free jobs.
func (x *Session) runAll(ctx context.Context, cases []*Case) {
	x.report.Runs = x.j.runCases(ctx, x.s, x.program, cases, x.limits, x.st)
}

// compile builds the submission in a job of its own.
func (j *Judge) compile(ctx context.Context, s *Submission, limits Limits, r *Report) (*built, error) {
	files, err := s.read()
	if err != nil {
		return nil, err
	}
	var size int64
	for _, data := range files {
		size += int64(len(data))
	}
	if size > s.Problem.Code {
		r.Compile = Compile{Exit: -1, Message: fmt.Sprintf("the source has %s, the problem allows %s", Bytes(size), Bytes(s.Problem.Code))}
		return nil, nil
	}
	if err := s.Problem.include(s.Language, files); err != nil {
		return nil, err
	}
	release, err := j.acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	program, c, err := j.shop.build(ctx, source{
		what: s.Problem.Where(s.Path), files: files, language: s.Language, entry: s.Entry, memory: limits.Memory,
	}, s.Problem.Building)
	r.Compile = c
	return program, err
}

// runCases runs the cases, several at once if there are free jobs, and stops
// as soon as the runs so far, taken in case order, have settled the matter.
// Runs beyond that point are dropped, so that the report does not depend on
// how many ran at once.
func (j *Judge) runCases(ctx context.Context, s *Submission, program *built, cases []*Case, limits Limits, st *standing) []Run {
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		runs  = make([]Run, len(cases))
		done  = make([]bool, len(cases))
		next  = 0          // the next case to start
		known = 0          // cases before this one are weighed
		end   = len(cases) // cases from this one on do not matter
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if next >= end || ctx.Err() != nil {
			return -1
		}
		next++
		return next - 1
	}
	put := func(i int) {
		mu.Lock()
		defer mu.Unlock()
		done[i] = true
		for ; known < end && done[known]; known++ {
			st.add(&runs[known])
			if !j.All && (st.broken != "" || !st.open()) {
				end = known + 1
			}
		}
	}
	for range min(j.jobs(), len(cases)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				release, err := j.acquire(ctx, 1)
				if err != nil {
					return
				}
				i := take()
				if i < 0 {
					release()
					return
				}
				runs[i] = j.runCase(ctx, s, program, cases[i], limits, release)
				put(i)
			}
		}()
	}
	wg.Wait()
	if ctx.Err() != nil {
		// What was learned before; a run that was cut short is no failure.
		for end = 0; end < len(done) && done[end] && !errors.Is(runs[end].Err, ctx.Err()) && !errors.Is(runs[end].Err, context.Cause(ctx)); end++ {
		}
	}
	return runs[:end]
}
