package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"crucible/judge"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Promise is one property that a package must have, and whether it has it.
type Promise struct {
	Name    string  // "input validators accept every case"
	Checked int     // how many files, cases or submissions were checked
	Skipped string  // why it could not be checked on this machine; "" otherwise
	Broken  []error // violations, each with its file; nil if the promise holds
	Doubts  []error // probable mistakes that break no promise
	Err     error   // a failure of the judge that ended the check

	Probed *Findings // the bounds of the input; nil for other promises
}

// A Verification is the result of [Verify].
type Verification struct {
	Promises []Promise
	Reports  []*judge.Report // of the submissions, each on every case
}

// Holds reports whether the package keeps every promise that could be checked.
func (v *Verification) Holds() bool {
	return !slices.ContainsFunc(v.Promises, func(p Promise) bool { return p.Broken != nil })
}

// Doubtful reports whether there is a doubt about any promise.
func (v *Verification) Doubtful() bool {
	return slices.ContainsFunc(v.Promises, func(p Promise) bool { return p.Doubts != nil })
}

// A promise is a row of the table of promises. Its check returns an error only for a
// failure of the judge.
type promise struct {
	name  string
	data  bool // runs no submission and no generator
	check func(*verifier) error
}

// promises are all promises, in the order in which [Verify] checks them.
var promises = []promise{
	{"the format is kept", true, (*verifier).warnings},
	{"a statement for every language", true, (*verifier).statements},
	{"statements render and agree with the package", true, (*verifier).rendered},
	{"other folders follow the format", true, (*verifier).folders},
	{"text files are UTF-8 with line feeds", true, (*verifier).texts},
	{"input validators accept every case", true, (*verifier).inputs},
	{"input validators reject invalid_input", true, (*verifier).invalidInputs},
	{boundsReached, false, (*verifier).bounds},
	{"answers are valid", true, (*verifier).answers},
	{"answer validators reject invalid_answer", true, (*verifier).invalidAnswers},
	{"the output validator accepts answers and valid_output", true, (*verifier).validOutputs},
	{"the output validator rejects invalid_output", true, (*verifier).invalidOutputs},
	{"the output validator talks as in the sample interactions", true, (*verifier).interactions},
	{"data regenerates from generators.yaml", false, (*verifier).generated},
	{"submissions do as expected", false, (*verifier).expectations},
	{"secret cases reject wrong submissions", false, (*verifier).rejections},
	{"the time limit separates fast from slow submissions", false, (*verifier).timeLimit},
}

// Options are what a caller of [Verify] chooses.
type Options struct {
	DataOnly bool // run no submission and no generator, and check only the other promises

	// Render renders the statements: how many, their errors, and probable mistakes.
	// If it is nil, that promise is skipped.
	Render func(p *problem.Problem) (checked int, broken, doubts []error)

	Done func(Promise) // if not nil, gets each promise when it is checked
}

// Verify checks the promises of a package: its validators accept its cases and
// reject the invalid ones, its generators make its data again bit for bit, its
// submissions do as expected on every case, and its time limit separates them with
// the margins of problem.yaml. The error is a failure of the judge.
func Verify(ctx context.Context, j *judge.Judge, p *problem.Problem, o Options) (*Verification, error) {
	rows := promises
	if o.DataOnly {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row promise) bool { return !row.data })
	}
	return keeps(ctx, j, p, rows, o)
}

// keeps checks the promises of some rows.
func keeps(ctx context.Context, j *judge.Judge, p *problem.Problem, rows []promise,
	o Options) (*Verification, error) {
	if err := j.Start(); err != nil {
		return new(Verification), err
	}
	all := &Verification{}
	v := &verifier{ctx: ctx, j: j, p: p, render: o.Render}
	var errs []error
	for _, row := range rows {
		v.Promise = Promise{Name: row.name}
		j.Tell(judge.Event{Kind: judge.Checking, Promise: row.name})
		v.Err = row.check(v)
		all.Reports = v.reports
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		errs = append(errs, v.Err)
		all.Promises = append(all.Promises, v.Promise)
		if o.Done != nil {
			o.Done(v.Promise)
		}
	}
	return all, errors.Join(errs...)
}

// A verifier is one call of Verify.
type verifier struct {
	ctx     context.Context
	j       *judge.Judge
	p       *problem.Problem
	Promise // that is checked
	reports []*judge.Report
	render  func(*problem.Problem) (checked int, broken, doubts []error) // see Options

	inputsBroken bool // an input validator rejects a case
}

// breaks adds a violation in a file of the package.
func (v *verifier) breaks(name, format string, args ...any) {
	v.Broken = append(v.Broken, v.defect(name, format, args...))
}

// defect returns a defect of a file of the package.
func (v *verifier) defect(name, format string, args ...any) *problem.Defect {
	return &problem.Defect{File: v.p.Where(name), Msg: fmt.Sprintf(format, args...)}
}

// each checks cases, several at once. A [problem.Defect] breaks the promise; other
// errors are failures of the judge.
func (v *verifier) each(cases []*problem.Case, check func(*problem.Case) error) error {
	broken := make([]error, len(cases))
	var done atomic.Int64
	err := v.j.Each(v.ctx, len(cases), func(i int) error {
		v.j.Tell(judge.Event{Kind: judge.Checking, Promise: v.Name, What: cases[i].Name, Done: int(done.Load()),
			Of: len(cases)})
		err := check(cases[i])
		done.Add(1)
		var d *problem.Defect
		if errors.As(err, &d) {
			broken[i] = d
			return nil
		}
		return err
	})
	known := make(map[string]bool)
	for _, b := range broken {
		// A validator that cannot be used has the same error for every case.
		if b != nil && !known[b.Error()] {
			known[b.Error()] = true
			v.Broken = append(v.Broken, b)
		}
	}
	return err
}

// warnings checks that reading the package gave no warning.
func (v *verifier) warnings() error {
	v.Checked = 1
	for _, w := range v.p.Warnings {
		if d, ok := w.(*problem.Defect); ok && d.Harmless {
			v.Doubts = append(v.Doubts, w)
		} else {
			v.Broken = append(v.Broken, w)
		}
	}
	v.Doubts = append(v.Doubts, v.p.Doubts...)
	return nil
}

// generated checks that the data is what generators.yaml makes.
func (v *verifier) generated() error {
	c, err := generate.Compare(v.ctx, v.j, v.p, func(done, of int, name string) {
		v.j.Tell(judge.Event{Kind: judge.Checking, Promise: v.Name, What: name, Done: done, Of: of})
	})
	v.Checked, v.Skipped, v.Doubts, v.Broken = c.Checked, c.Skipped, c.Doubts, c.Broken
	return err
}

// compilerLines is how many lines of a compiler's message are shown.
const compilerLines = 12

// expectations runs every submission on every case. Where a run decides the margins
// of the time limit, it runs beyond the limit.
func (v *verifier) expectations() error {
	if !slices.ContainsFunc(v.p.Submissions, func(s *problem.Submission) bool { return path.Dir(s.Name) == "accepted" }) {
		v.breaks("submissions/accepted", "has no submission; the format requires at least one")
	}
	v.unstated()
	if err := v.j.Infer(v.ctx, v.p); err != nil {
		return err
	}
	var err error
	if v.reports, err = v.j.RunToMargins(v.ctx, v.p); err != nil {
		return err
	}
	var errs []error
	for _, r := range v.reports {
		at := "submissions/" + r.Submission
		if r.Skipped == "" {
			v.Checked++
		}
		var defect *problem.Defect
		switch err := r.JudgeError(); {
		case errors.As(err, &defect):
			// A validator that does not compile is a defect of each submission.
			if !slices.ContainsFunc(v.Broken, func(one error) bool { return one.Error() == defect.Error() }) {
				v.Broken = append(v.Broken, defect)
			}
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", v.p.Where(at), err))
		case r.Skipped == "" && r.AsExpected != nil && !*r.AsExpected:
			why := r.Broken
			if r.Verdict == problem.CompileError {
				why = strings.Join(append([]string{why + ":"}, terminal.Lines(r.Compile.Message, compilerLines)...), "\n")
			}
			v.breaks(at, "%s", why)
		}
	}
	return errors.Join(errs...)
}

// unstated doubts the folders of submissions that may get any verdict and have almost the
// name of one that states an expectation.
func (v *verifier) unstated() {
	known := append(slices.Sorted(maps.Keys(problem.DefaultExpectations)), "partially_accepted")
	last := ""
	for _, s := range v.p.Submissions { // by folder
		folder := path.Dir(s.Name)
		if len(s.Expected) > 0 || folder == last || slices.Contains(known, folder) {
			continue
		}
		last = folder
		if hint := terminal.DidYouMean(folder, known); hint != "" {
			v.Doubts = append(v.Doubts, v.defect("submissions/"+folder,
				"neither this folder%s nor submissions.yaml states an expectation, so any verdict is accepted", hint))
		}
	}
}

// timeLimit compares the time limit with the times of the submissions: the slowest
// that must pass, and the fastest that must exceed the limit.
func (v *verifier) timeLimit() error {
	limit, rule := v.p.Limits.Time, v.p.Timing
	var slow, fast *judge.Report
	var slowest, fastest time.Duration
	skipped := false
	for _, r := range v.reports {
		skipped = skipped || r.Skipped != "" || r.JudgeError() != nil
		if r.Skipped != "" || len(r.Runs) == 0 {
			continue
		}
		if t, ok := judge.SlowestAllowed(r); ok {
			v.Checked++
			// A submission that is not as expected is reported as such. To measure it
			// again could take minutes, and the limit is in doubt anyway.
			broken := r.AsExpected != nil && !*r.AsExpected
			if broken && judge.StoppedWaiting(r) {
				skipped = true // how long it waited does not show how slow it is
				continue
			}
			if most := time.Duration(float64(limit) / rule.ACToLimit); t > most && !broken {
				if err := v.j.Remeasure(v.ctx, v.p, r, most); err != nil {
					return err
				}
				t, _ = judge.SlowestAllowed(r)
			}
			if slow == nil || t > slowest {
				slow, slowest = r, t
			}
		}
		if t, ok := judge.FastestExceeding(r); ok {
			v.Checked++
			if fast == nil || t < fastest {
				fast, fastest = r, t
			}
		}
	}
	if slow != nil {
		if need := time.Duration(float64(slowest) * rule.ACToLimit); need > limit {
			v.breaks(problem.ProblemFile,
				"the time limit is %s, but must be at least %s: %s takes %s, times %v (ac_to_time_limit)",
				terminal.Exactly(limit), terminal.Duration(need), slow.Submission, terminal.Duration(slowest), rule.ACToLimit)
		}
	}
	if fast != nil {
		if need := time.Duration(float64(limit) * rule.LimitToTLE); need > fastest {
			v.breaks(problem.ProblemFile,
				"%s takes %s, but must take at least %s to exceed the time limit clearly: the limit is %s, times %v "+
					"(time_limit_to_tle)",
				fast.Submission, terminal.Duration(fastest), terminal.Duration(need), terminal.Exactly(limit), rule.LimitToTLE)
		}
	}
	if slow == nil && !skipped && !v.p.Is(problem.SubmitAnswer) {
		v.breaks(problem.ProblemFile,
			"no submission bounds the time limit from below: expected at least one that must not get TLE")
	}
	return nil
}
