package adequacy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"crucible/judge"
	"crucible/judge/prepare/verify"
	"crucible/judge/problem"
)

// An Assessment has the settings of an assessment. Problem is needed.
type Assessment struct {
	Problem  *problem.Problem
	Accepted []*problem.Submission // expected to be accepted: they have mutants, and their times are those of the cases
	Wrong    []*problem.Submission // all others
	Mutants  int                   // size of the sample of mutants; 0 makes none
	Seed     uint64                // decides the sample
	// wall-clock time to begin mutants in, and to run killed ones on their other cases; 0 means
	// no limit.
	Budget time.Duration

	// Probe is the wall-clock time of tests of the validators and answers, after the
	// submissions; 0 makes none.
	Probe time.Duration

	// Improve is the wall-clock time of a search for inputs that kill survivors; 0 does not
	// search. Save adds one to the package and returns the name of the new case.
	Improve time.Duration
	Save    func(*Find) (string, error)

	OnReports  func([]*judge.Report) // receives the reports of Accepted and Wrong, in this order; may be nil
	OnProgress func(Progress)        // called from several goroutines; may be nil
}

// A Progress is the state of an assessment.
type Progress struct {
	Doing    string // "mutants", "probing outputs"
	Done, Of int    // Of is 0 if it is not known
	Killed   int    // mutants so far
}

// coverTime bounds the search for one smallest set of cases.
const coverTime = 10 * time.Second

// confidence is that of the intervals of mutation scores.
const confidence = 0.95

// Run judges all submissions on all cases, and a sample of mutants. The judge must have
// All set; Infer must have been called. If ctx ends, the result is that of the programs
// that are finished. The error is a failure of the judge, and the result is then nil; or of the
// improvement, and the result is then that before it. A *[problem.Defect] is a package
// that cannot be searched.
//
// A sample of mutants is judged in random order, and those that have begun when the
// budget is spent are finished, so slow ones are not left out more often. Each is run
// until a case kills it. Killed ones are then run on the other cases, because the
// subsuming set depends on all cases; after mostTimeouts cases with TLE they are not.
func (a Assessment) Run(ctx context.Context, j *judge.Judge) (*Result, error) {
	all := slices.Concat(a.Accepted, a.Wrong)
	reports := j.RunAll(ctx, all, a.Problem.Cases)
	if a.OnReports != nil {
		a.OnReports(reports)
	}
	r := &Result{Seed: a.Seed}
	x := &assessing{Assessment: a, j: j, r: r, at: make(map[string]int)}
	for i, c := range a.Problem.Cases {
		x.at[c.Name] = i
		r.Cases = append(r.Cases, CaseWorth{Name: c.Name})
	}
	x.times(reports[:len(a.Accepted)])
	for i, s := range a.Wrong {
		x.tried(s, reports[len(a.Accepted)+i])
	}
	for i, s := range a.Accepted {
		if x.sound(reports[i]) {
			x.sources = append(x.sources, s)
		}
	}
	var err error
	if a.Probe > 0 && ctx.Err() == nil {
		err = x.probe(ctx)
	}
	if a.Mutants > 0 && err == nil && ctx.Err() == nil {
		err = x.mutation(ctx)
	}
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		r.Cut = "interrupted"
	}
	x.conclude(ctx)
	if a.Improve > 0 && r.Mutation != nil && ctx.Err() == nil {
		err = x.improve(ctx)
		x.conclude(ctx)
		if r.Improved.After = r.Mutation.Scores; err != nil && len(r.Improved.Added) == 0 {
			r.Improved = nil
		}
	}
	return r, err
}

// An assessing is an assessment in progress.
type assessing struct {
	Assessment
	j       *judge.Judge
	r       *Result
	at      map[string]int        // index of a case by its name
	sources []*problem.Submission // accepted submissions that are accepted
	twice   *judge.Judge          // has twice the time limit
	codes   map[string]string     // of the sources: their names, by code
}

// probe tests the validators and the answers. If ctx ends, what is known then is kept.
func (x *assessing) probe(ctx context.Context) (err error) {
	o := verify.ValidatorOptions{Budget: x.Probe, Seed: x.Seed}
	if x.OnProgress != nil {
		o.OnStep = func(step string, done, of int) {
			x.OnProgress(Progress{Doing: "probing " + step, Done: done, Of: of})
		}
	}
	if x.r.Probe, err = verify.Validators(ctx, x.j, x.Problem, o); ctx.Err() != nil {
		return nil
	}
	return err
}

func (x *assessing) note(format string, args ...any) {
	x.r.Notes = append(x.r.Notes, fmt.Sprintf(format, args...))
}

// sound reports whether a submission is accepted on all cases, and notes it if it ran and
// is not.
func (x *assessing) sound(r *judge.Report) bool {
	switch {
	case r.Skipped != "" || r.JudgeError() != nil:
		return false // shown as the report of the submission
	case r.Verdict == problem.Accepted && len(r.Runs) == len(x.Problem.Cases):
		return true
	case r.Verdict != problem.Undecided:
		x.note("%s is not accepted, so it has no mutants", r.Submission)
	}
	return false
}

// times sets the times of the cases.
func (x *assessing) times(accepted []*judge.Report) {
	times := make([][]time.Duration, len(x.r.Cases))
	for _, r := range accepted {
		for i := range r.Runs {
			if run := &r.Runs[i]; run.Err == nil && run.Verdict == problem.Accepted {
				at := x.at[run.Case]
				times[at] = append(times[at], run.Outcome.CPU)
			}
		}
	}
	for i, t := range times {
		if slices.Sort(t); len(t) > 0 {
			x.r.Cases[i].CPU = t[len(t)/2]
		}
	}
}

// tried adds the report of a wrong submission to the result.
func (x *assessing) tried(s *problem.Submission, r *judge.Report) {
	if r.Skipped != "" || r.Err != nil || r.Verdict == problem.Undecided && len(r.Runs) == 0 {
		return // shown as the report of the submission
	}
	t := Tried{Name: s.Name, Language: r.Language, Compiled: r.Verdict != problem.CompileError,
		Unexpected: r.AsExpected != nil && !*r.AsExpected, Verdicts: make([]problem.Verdict, len(x.r.Cases))}
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Err == nil {
			t.Verdicts[x.at[run.Case]] = run.Verdict
		}
	}
	for _, v := range t.Verdicts {
		if v != problem.Undecided && v != problem.Accepted {
			t.RejectedBy++
		}
	}
	x.r.Submissions = append(x.r.Submissions, t)
}
