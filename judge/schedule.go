package judge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"crucible/judge/problem"
	"crucible/judge/result"
)

// An order counts the runs of a submission in case order, however they end. It leaves
// out cases that are unnecessary because of the results of the cases before them, even if
// they have already run, so that the report does not depend on how many run at once.
type order struct {
	*draft
	cases   []*problem.Case
	first   bool       // the first case is run, whatever is known
	counted func(*Run) // is called for each run that counts, in case order; may be nil

	mu      sync.Mutex
	runs    []*Run // nil: not finished
	taken   []bool // by a caller of take that has not given it back
	skipped []bool
	next    int // the cases before this one are taken or need not run
	known   int // the cases before this one are counted
}

func (t *draft) order(cases []*problem.Case) *order {
	return &order{draft: t, cases: cases, runs: make([]*Run, len(cases)), taken: make([]bool, len(cases)),
		skipped: make([]bool, len(cases))}
}

// needs reports whether a case is needed.
func (o *order) needs(i int) bool { return o.first && i == 0 || o.Needs(o.cases[i]) }

// take returns the indexes of at most n cases that are to be run next, in case order;
// none if there are none at the moment.
func (o *order) take(ctx context.Context, n int) (chunk []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	for ; o.next < len(o.cases) && len(chunk) < n; o.next++ {
		// An unnecessary case is counted when the cases before it are known.
		if i := o.next; !o.taken[i] && o.runs[i] == nil && o.needs(i) {
			o.taken[i] = true
			chunk = append(chunk, i)
		}
	}
	return chunk
}

// giveBack makes cases that were taken, and have not been run, available again.
func (o *order) giveBack(chunk []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, i := range chunk {
		if o.runs[i] == nil {
			o.taken[i] = false
			o.next = min(o.next, i)
		}
	}
}

// add adds the run of a case that was taken. It counts it, and those after it that have
// ended, if all cases before them are known.
func (o *order) add(i int, run Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.runs[i] = &run
	for ; o.known < len(o.cases); o.known++ {
		switch c := o.cases[o.known]; {
		case !o.needs(o.known):
			o.skipped[o.known] = true
			o.skip(c)
		case o.runs[o.known] != nil:
			if o.counted != nil {
				o.counted(o.runs[o.known])
			}
			o.count(c, o.runs[o.known])
		default:
			return
		}
	}
}

// kept returns the runs of the report, up to the first one that is missing because of an
// interruption or a failure. A run that was interrupted is no failure.
func (o *order) kept(ctx context.Context) (kept []Run) {
	for i, run := range o.runs {
		if o.skipped[i] {
			continue
		}
		if run == nil || ctx.Err() != nil && (errors.Is(run.Err, ctx.Err()) || errors.Is(run.Err, context.Cause(ctx))) {
			break
		}
		kept = append(kept, *run)
	}
	return kept
}

// mostBefore is the most runs that a work item has of cases before it.
const mostBefore = 256

// before returns the known runs of the cases before one that are not accepted: only
// these can make later cases unnecessary. What is left out makes more cases needed, not
// fewer.
func (o *order) before(i int) (known []result.Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, run := range o.runs[:i] {
		if run != nil && !run.accepted() && len(known) < mostBefore {
			known = append(known, run.result())
		}
	}
	return known
}

// A draft turns the runs of a submission, in case order, into its report. It does not
// depend on where the runs are made.
type draft struct {
	j       *Judge
	s       *problem.Submission
	limits  problem.Limits
	ctx     context.Context // of Begin; for the package's grader in end
	state   *result.State   // nil with Settings.Measures
	stopped bool            // with Settings.Measures: a counted run was stopped
	report  *Report
}

// admit begins the report of a submission. If the submission cannot be judged, whatever
// its compiler says, the draft is nil and the report has the reason.
func (j *Judge) admit(ctx context.Context, s *problem.Submission) (*draft, *Report) {
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
	t := &draft{j: j, s: s, limits: limits, ctx: ctx, report: r}
	if !j.Measures {
		t.state = result.New(s.Problem, s.Expected, j.All)
	}
	return t, r
}

// reject reports that the compiler rejected the submission.
func (t *draft) reject() {
	as := problem.NamesCompileError(t.s.Expected)
	if t.report.Verdict, t.report.AsExpected = problem.CompileError, &as; !as {
		t.report.Broken = "it does not compile"
	}
}

// count counts the run of a case.
func (t *draft) count(c *problem.Case, run *Run) {
	if t.state == nil {
		t.stopped = t.stopped || untimed(run.Outcome)
		return
	}
	t.state.Add(c, new(run.result()))
	// Messages may be long and many, so they are not kept.
	run.FullMessage = ""
}

// skip counts a case that is not run.
func (t *draft) skip(c *problem.Case) {
	if t.state != nil {
		t.state.Skip(c)
	}
}

// Needs reports whether the case may still change the submission's verdict, its score,
// or whether it meets its expectations; see [result.State.Needs] and [Settings.All].
func (t *draft) Needs(c *problem.Case) bool {
	if t.state == nil {
		return !t.stopped
	}
	return t.state.Needs(c)
}

// Broken describes the expectation that the runs so far have broken; "" if none.
func (t *draft) Broken() string { return t.state.Broken() }

// ran reports the run that counts, and adds its score in its group.
func (t *draft) ran(c *problem.Case, run Run) Run {
	t.j.Tell(Event{Kind: Ran, Submission: t.s, Case: c, Run: &run})
	if run.Err == nil && t.state != nil {
		var err error
		if run.Earned, err = t.state.Earned(c, new(run.result())); err != nil {
			run.Verdict, run.Err = problem.Undecided, fmt.Errorf("%s on %s: %w", t.s.Name, c.Name, err)
		}
	}
	return run
}

// end adds the result of the runs to the report.
func (t *draft) end() *Report {
	r := t.report
	if t.state == nil {
		return r
	}
	runs := make([]result.Run, len(r.Runs))
	for i := range r.Runs {
		runs[i] = r.Runs[i].result()
	}
	end := t.state.End(runs, t.ctx.Err() != nil, func(g *problem.Group, of []result.Graded) (problem.Verdict, float64,
		error) {
		return t.j.grader(t.ctx, t.s.Problem, g, of)
	})
	r.Verdict, r.Score, r.MaxScore, r.Groups = end.Verdict, end.Score, end.Max, end.Groups
	if end.Err != nil {
		r.Err = end.Err
	}
	if r.Err == nil {
		r.AsExpected, r.Broken, r.BrokenBy = end.AsExpected, end.Broken, end.BrokenBy
	}
	return r
}
