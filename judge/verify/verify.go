package verify

import (
	"context"
	"crucible/judge"
	"crucible/judge/generate"
	"crucible/judge/problem"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync/atomic"
	"time"
)

// A Promise is one thing that a package says of itself, and whether it holds.
type Promise struct {
	Name    string  // "input validators accept every case"
	Checked int     // how many things were looked at
	Skipped string  // why it could not be looked at here; "" otherwise
	Broken  []error // each names the file; nil when the promise holds
	Doubts  []error // what breaks no promise and is likely a mistake
	Err     error   // the judge's failure, which leaves open what it did not reach
}

// A Verification is what Verify found.
type Verification struct {
	Promises []Promise
	Reports  []*judge.Report // of the submissions, each on every case
}

// Holds reports whether every promise that could be looked at is kept.
func (v *Verification) Holds() bool {
	return !slices.ContainsFunc(v.Promises, func(p Promise) bool { return p.Broken != nil })
}

// promises is the table of what Verify looks at, in order. The checks return
// an error only when the judge itself failed.
var promises = []struct {
	name  string
	data  bool // takes no run of a submission or generator
	check func(context.Context, *judge.Judge, *problem.Problem, *Promise, *Verification) error
}{
	{"the format is kept", true, checkWarnings},
	{"a statement for every language", true, checkStatements},
	{"other folders hold what the format has", true, checkFolders},
	{"text files are UTF-8 with line feeds", true, checkTexts},
	{"input validators accept every case", true, checkInputs},
	{"input validators reject invalid_input", true, checkInvalidInputs},
	{"answers are as they should be", true, checkAnswers},
	{"answer validators reject invalid_answer", true, checkInvalidAnswers},
	{"the output validator accepts answers and valid_output", true, checkValidOutputs},
	{"the output validator rejects invalid_output", true, checkInvalidOutputs},
	{"data regenerates from generators.yaml", false, checkGenerated},
	{"submissions do as expected", false, checkExpectations},
	{"the time limit separates", false, checkLimits},
}

// VerifyData checks those of a package's promises that take no run of a
// submission or generator: the format, and what validators say of the data.
func VerifyData(ctx context.Context, j *judge.Judge, p *problem.Problem, told func(Promise)) (*Verification, error) {
	return verify(ctx, j, p, told, true)
}

// Verify checks what a package promises: its validators accept its cases and
// reject what they must, its data can be made again bit for bit, its
// submissions do as expected on every case, and its time limit lies between
// them with the margins asked for. Each promise is passed to told, if not nil,
// as soon as it is known. The error is the judge's own failure.
func Verify(ctx context.Context, j *judge.Judge, p *problem.Problem, told func(Promise)) (*Verification, error) {
	return verify(ctx, j, p, told, false)
}

func verify(ctx context.Context, j *judge.Judge, p *problem.Problem, told func(Promise), dataOnly bool) (*Verification, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	v := &Verification{}
	var errs []error
	for _, row := range promises {
		if dataOnly && !row.data {
			continue
		}
		promise := Promise{Name: row.name}
		j.Tell(judge.Event{Kind: judge.Checking, Promise: row.name})
		promise.Err = row.check(ctx, j, p, &promise, v)
		if ctx.Err() != nil {
			return v, context.Cause(ctx)
		}
		errs = append(errs, promise.Err)
		v.Promises = append(v.Promises, promise)
		if told != nil {
			told(promise)
		}
	}
	return v, errors.Join(errs...)
}

// Doubtful reports whether there is a doubt about any promise.
func (v *Verification) Doubtful() bool {
	return slices.ContainsFunc(v.Promises, func(p Promise) bool { return p.Doubts != nil })
}

func (p *Promise) breaks(at, format string, args ...any) {
	p.Broken = append(p.Broken, &problem.Defect{File: at, Msg: fmt.Sprintf(format, args...)})
}

func checkWarnings(_ context.Context, _ *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	promise.Checked = 1
	for _, w := range p.Warnings {
		if d, ok := w.(*problem.Defect); ok && d.Harmless {
			promise.Doubts = append(promise.Doubts, w)
		} else {
			promise.Broken = append(promise.Broken, w)
		}
	}
	promise.Doubts = append(promise.Doubts, p.Doubts...)
	return nil
}

func checkInputs(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	if p.InputValidators == nil {
		promise.breaks(p.Where("input_validators"), "has no validator; the format wants at least one")
		return nil
	}
	return promise.wantAccepted(ctx, j, p, p.InputValidators)
}

func checkInvalidInputs(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	promise.Checked = len(p.InvalidInput)
	if p.InputValidators == nil {
		promise.Skipped = "there is no input validator"
		return nil
	}
	return promise.wantRejected(ctx, j, p, p.InputValidators, p.InvalidInput)
}

// look checks cases, and sorts what comes back: a Defect breaks the promise,
// anything else is the judge's failure.
func (promise *Promise) look(ctx context.Context, j *judge.Judge, cases []*problem.Case, check func(*problem.Case) error) error {
	broken := make([]error, len(cases))
	var done atomic.Int64
	err := j.Each(ctx, len(cases), func(i int) error {
		j.Tell(judge.Event{Kind: judge.Checking, Promise: promise.Name, What: cases[i].Name, Done: int(done.Load()), Of: len(cases)})
		err := check(cases[i])
		done.Add(1)
		var d *problem.Defect
		if errors.As(err, &d) {
			broken[i] = d
			return nil
		}
		return err
	})
	told := make(map[string]bool)
	for _, b := range broken {
		// A validator that cannot be used is told of once, not for every case.
		if b != nil && !told[b.Error()] {
			told[b.Error()] = true
			promise.Broken = append(promise.Broken, b)
		}
	}
	return err
}

func checkValidOutputs(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	type file struct {
		c   *problem.Case
		ext string
	}
	var files []file
	for _, c := range p.Samples() {
		// What an interaction says is in no file.
		if c.Static != nil || p.Is(problem.Interactive) || p.Is(problem.MultiPass) {
			continue
		}
		// A sample shows .out instead of .ans where there is one (2025-09,
		// "Validation of shared test case files").
		switch {
		case c.Has(".out"):
			files = append(files, file{c, ".out"})
		case !c.Has(".ans.statement") && !c.Has(".ans.download") && !c.Has(".interaction"):
			files = append(files, file{c, ".ans"})
		}
	}
	for _, c := range p.ValidOutput {
		files = append(files, file{c, ".out"})
	}
	promise.Checked = len(files)
	cases := make([]*problem.Case, len(files))
	exts := make(map[*problem.Case]string)
	for i, f := range files {
		cases[i], exts[f.c] = f.c, f.ext
	}
	return promise.look(ctx, j, cases, func(c *problem.Case) error {
		run, err := j.CheckOutput(ctx, p, c, exts[c])
		if err == nil && run.Verdict != problem.Accepted {
			return &problem.Defect{File: p.Where(c.Path(exts[c])), Msg: "is rejected: " + run.Why}
		}
		return err
	})
}

func checkInvalidOutputs(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	promise.Checked = len(p.InvalidOutput)
	return promise.look(ctx, j, p.InvalidOutput, func(c *problem.Case) error {
		run, err := j.CheckOutput(ctx, p, c, ".out")
		if err == nil && run.Verdict == problem.Accepted {
			return &problem.Defect{File: p.Where(c.Path(".out")), Msg: "is accepted"}
		}
		return err
	})
}

// checkExpectations runs every submission on every case, beyond the time limit
// as far as it takes to know whether the limit separates.
func checkExpectations(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, v *Verification) error {
	if !slices.ContainsFunc(p.Submissions, func(s *problem.Submission) bool { return path.Dir(s.Name) == "accepted" }) {
		promise.breaks(p.Where("submissions/accepted"), "has no submission; the format wants at least one")
	}
	if err := j.Infer(ctx, p); err != nil {
		return err
	}
	v.Reports = j.RunToMargins(ctx, p)
	skipped := 0
	var errs []error
	for _, r := range v.Reports {
		at := p.Where("submissions/" + r.Submission)
		var defect *problem.Defect
		switch err := r.JudgeError(); {
		case errors.As(err, &defect):
			promise.Broken = append(promise.Broken, defect)
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", at, err))
		case r.Skipped != "":
			skipped++
		case r.AsExpected != nil && !*r.AsExpected:
			promise.breaks(at, "%s", r.Broken)
		}
	}
	promise.Checked = len(v.Reports) - skipped
	return errors.Join(errs...)
}

// checkLimits holds the time limit against the submissions' own times.
func checkLimits(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, v *Verification) error {
	var slowest, fastest margin
	for _, r := range v.Reports {
		if r.Skipped != "" || len(r.Runs) == 0 {
			continue
		}
		if t, ok := judge.SlowestAllowed(r); ok {
			promise.Checked++
			if most := time.Duration(float64(p.Limits.Time) / p.Timing.ACToLimit); t > most {
				if err := j.Remeasure(ctx, p, r, most); err != nil {
					return err
				}
				t, _ = judge.SlowestAllowed(r)
			}
			if t > slowest.time {
				slowest = margin{r.Submission, t}
			}
		}
		if t, ok := judge.FastestExceeding(r); ok {
			promise.Checked++
			if fastest.submission == "" || t < fastest.time {
				fastest = margin{r.Submission, t}
			}
		}
	}
	promise.Broken = limitDefects(p, slowest, fastest)
	skipped := slices.ContainsFunc(v.Reports, func(r *judge.Report) bool { return r.Skipped != "" })
	if slowest.submission == "" && !skipped && !p.Is(problem.SubmitAnswer) {
		promise.breaks(p.Where(problem.ProblemFile), "no submission bounds the time limit from below; want one at least that must not get TLE")
	}
	return nil
}

func checkGenerated(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	c, err := generate.Compare(ctx, j, p, func(done, of int, name string) {
		j.Tell(judge.Event{Kind: judge.Checking, Promise: promise.Name, What: name, Done: done, Of: of})
	})
	promise.Checked, promise.Skipped, promise.Broken = c.Checked, c.Skipped, c.Broken
	return err
}
