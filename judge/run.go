package judge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/units"
)

// Run judges one submission on the given cases of its problem, which must be in
// the problem's order. If the problem has no time limit, the report has an error:
// call Infer first. Concurrent calls run at most Jobs programs in total. When
// ctx ends, the report has the runs until then, and AsExpected is nil.
func (j *Judge) Run(ctx context.Context, s *problem.Submission, cases []*problem.Case) *Report {
	x, r := j.Begin(ctx, s)
	if x != nil {
		x.report.Runs = x.schedule(ctx, cases)
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

// A Session is a compiled submission that is ready to run on cases.
type Session struct {
	j        *Judge
	s        *problem.Submission
	program  *build.Program
	limits   problem.Limits
	ctx      context.Context // of Begin; for the package's grader in End
	expected *expectations
	progress *progress                // nil if the first case that is not accepted decides
	seen     map[*problem.Case]bool   // cases that are counted
	stored   map[*problem.Case]*Run   // runs of the store, or of the inference of the time limit, that need not be made again
	again    map[*problem.Case]string // why other runs of the store are not used; "" if there is none
	stopped  bool                     // with Judge.measures: a counted run was stopped
	report   *Report
}

// Begin compiles a submission. If it cannot run, the session is nil, and the report
// has the reason: skipped, rejected by the compiler, or a failure of the judge. The
// caller must call End once.
func (j *Judge) Begin(ctx context.Context, s *problem.Submission) (*Session, *Report) {
	r := &Report{Submission: s.Name, Expected: s.Expected, Problem: s.Problem.ID}
	if s.Language != nil {
		r.Language = s.Language.Code
	}
	startErr := j.Start()
	if r.Err = s.Unreadable; r.Err != nil {
		return nil, r
	}
	if s.Unusable != "" {
		r.Skipped = s.Unusable
		return nil, r
	}
	if r.Err = startErr; r.Err != nil {
		return nil, r
	}
	limits := j.LimitsOf(s.Problem)
	if limits.Time == 0 && !s.Problem.Is(problem.SubmitAnswer) {
		r.Err = &problem.Defect{File: s.Problem.Where(problem.ProblemFile), Msg: "no time_limit, and none was inferred"}
		return nil, r
	}
	j.Tell(Event{Kind: Compiling, Submission: s})
	program, err := j.compile(ctx, s, limits, r)
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
		as := problem.NamesCompileError(s.Expected)
		if r.Verdict, r.AsExpected = problem.CompileError, &as; !as {
			r.Broken = "it does not compile"
		}
		return nil, r
	}
	// All cases of the problem, not only the given ones: a requirement about some
	// case may be met by another one.
	x := &Session{j: j, s: s, program: program, limits: limits, ctx: ctx, expected: newExpectations(s.Expected, s.Problem.Cases), seen: make(map[*problem.Case]bool), report: r}
	if t := scoringTree(s.Problem); t != nil && !j.measures {
		x.progress = t.progress()
	}
	return x, r
}

// Run judges the submission on a case and adds the run to the report. Callers
// pass the cases in the problem's order. Run is not safe for concurrent use.
func (x *Session) Run(ctx context.Context, c *problem.Case) Run {
	release, err := x.j.Acquire(ctx, 1)
	if err != nil {
		return Run{Case: c.Name, Err: err}
	}
	if x.stored[c] == nil {
		x.stored = nil
		x.loadAll(ctx, []*problem.Case{c})
	}
	run := x.attempt(ctx, c, release)
	if !x.seen[c] {
		x.count(c, &run)
	}
	x.report.Runs = append(x.report.Runs, run)
	return run
}

// count counts the run of a case.
func (x *Session) count(c *problem.Case, run *Run) {
	x.seen[c] = true
	if x.j.measures {
		x.stopped = x.stopped || untimed(run.Outcome)
		return
	}
	if x.progress == nil {
		x.expected.add(run)
		return
	}
	x.progress.add(c, run)
	if why := x.progress.bar(c); why != "" {
		x.expected.bar(c.Name, why)
		return
	}
	x.expected.add(run)
}

// skip counts a case that is not run.
func (x *Session) skip(c *problem.Case) {
	if x.progress == nil || x.seen[c] {
		return
	}
	x.progress.reach(c)
	if why := x.progress.bar(c); why != "" {
		x.seen[c] = true
		x.expected.bar(c.Name, why)
	}
}

// Needs reports whether the case may still change the submission's verdict, its
// score, or whether it meets its expectations. Once a case is not needed, it stays
// so. On a pass-fail problem, no later case is needed either. On a scoring problem,
// cases of other groups may be needed. With Judge.All every case is needed, except in
// groups that the format forbids to run (2025-09, "Group dependencies").
func (x *Session) Needs(c *problem.Case) bool {
	switch {
	case x.j.measures:
		return !x.stopped
	case x.progress != nil && x.progress.bar(c) != "":
		return false
	case x.j.All || len(x.seen) == 0:
		return true
	case x.progress == nil:
		return x.expected.open()
	}
	return x.progress.needs(c) || x.expected.cares(c.Name)
}

// Code returns a hash of the compiled code of the submission; see [build.Program.Code].
func (x *Session) Code() (string, error) { return x.program.Code() }

// Broken describes the expectation that the runs so far have broken; "" if none.
func (x *Session) Broken() string { return x.expected.broken }

// End ends the session and returns the report of its runs.
func (x *Session) End() *Report {
	r := x.report
	if err := x.program.Vacate(); err != nil {
		r.Err = err
	}
	r.Verdict = verdictOfRuns(r.Runs)
	w := finalResult{verdict: decided(x.s.Problem.Cases, r.Runs)}
	if x.progress != nil && x.ctx.Err() == nil && len(r.Runs) > 0 {
		for _, c := range x.s.Problem.Cases {
			x.skip(c)
		}
		w = x.score(r)
	}
	if r.JudgeError() == nil && len(r.Runs) > 0 {
		x.expected.end()
		x.expected.conclude(w)
		r.Broken, r.BrokenBy = x.expected.broken, x.expected.by
		as := r.Broken == ""
		r.AsExpected = &as
	}
	return r
}

// score adds the results of the groups to the report and returns the results that
// are final.
//
// A scoring problem of 2025-09 has a score instead of a verdict. The report's
// verdict is AC if every case is accepted, and otherwise the first verdict in
// case order that is not AC. In legacy packages it is the verdict of the root's
// grader.
func (x *Session) score(r *Report) finalResult {
	t := x.progress.tree
	s := t.fill(r.Runs, func(g *problem.Group, results []result) (problem.Verdict, float64, error) {
		return x.j.grader(x.ctx, x.s.Problem, g, results)
	})
	w := finalResult{groups: s.groups, verdict: decided(x.s.Problem.Cases, r.Runs)}
	if t.p.Legacy() {
		root := s.results[t.root]
		if r.Verdict = root.verdict; root.final {
			w.verdict = root.verdict
		} else {
			w.verdict = problem.Undecided
		}
		w.best, w.bounded = t.best()
	}
	if t.p.Is(problem.Scoring) {
		r.Groups = s.groups
		r.Score, r.MaxScore = s.score()
		w.score = r.Score
	} else if err := groupError(s.groups); err != nil {
		r.Err = err
	}
	return w
}

// compile acquires a job and builds the submission. The program is nil if the
// source is too large or the compiler rejects it; then r.Compile has the message.
func (j *Judge) compile(ctx context.Context, s *problem.Submission, limits problem.Limits, r *Report) (*build.Program, error) {
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
		r.Compile = build.Compile{Exit: -1, Message: fmt.Sprintf("the source has %s, the problem allows %s", units.Bytes(size), units.Bytes(s.Problem.Code))}
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
	}, s.Problem.Building)
	r.Compile = c
	return program, err
}

// schedule runs the cases, several at once if there are free jobs. It leaves out
// cases that are unnecessary because of the results of the cases before them, even
// if they have already run, so that the report does not depend on the number of
// jobs.
func (x *Session) schedule(ctx context.Context, cases []*problem.Case) []Run {
	x.stored = x.takeMeasured(cases)
	x.loadAll(ctx, cases)
	var (
		mu      sync.Mutex
		wg      sync.WaitGroup
		runs    = make([]*Run, len(cases)) // nil: not finished
		skipped = make([]bool, len(cases))
		next    = 0 // the next case to start
		known   = 0 // the cases before this one are counted
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		for next < len(cases) && !x.Needs(cases[next]) {
			next++ // count calls skip for it later
		}
		if next == len(cases) || ctx.Err() != nil {
			return -1
		}
		next++
		return next - 1
	}
	count := func(i int, run Run) {
		mu.Lock()
		defer mu.Unlock()
		runs[i] = &run
		for ; known < len(cases); known++ {
			switch c := cases[known]; {
			case !x.Needs(c):
				skipped[known] = true
				x.skip(c)
			case runs[known] != nil:
				x.count(c, runs[known])
			default:
				return
			}
		}
	}
	for range min(x.j.Workers(), len(cases)) {
		wg.Go(func() {
			for {
				release, err := x.j.Acquire(ctx, 1)
				if err != nil {
					return
				}
				i := take()
				if i < 0 {
					release()
					return
				}
				count(i, x.attempt(ctx, cases[i], release))
			}
		})
	}
	wg.Wait()
	var kept []Run
	for i, run := range runs {
		if skipped[i] {
			continue
		}
		// After an interruption, only the runs before it count. A run that was
		// interrupted is no failure.
		if ctx.Err() != nil && (run == nil || errors.Is(run.Err, ctx.Err()) || errors.Is(run.Err, context.Cause(ctx))) {
			break
		}
		kept = append(kept, *run)
	}
	return kept
}

// decided returns the verdict of the first case in order that is not accepted, if all
// cases before it were run. AC requires that all cases were run.
func decided(cases []*problem.Case, runs []Run) problem.Verdict {
	for i, c := range cases {
		if i == len(runs) || runs[i].Case != c.Name || runs[i].Err != nil {
			return problem.Undecided
		}
		if runs[i].Verdict != problem.Accepted {
			return runs[i].Verdict
		}
	}
	return problem.Accepted
}
