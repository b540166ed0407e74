package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"
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
	Reports  []*Report // of the submissions, each on every case
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
	check func(context.Context, *Judge, *Problem, *Promise, *Verification) error
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
func (j *Judge) VerifyData(ctx context.Context, p *Problem, told func(Promise)) (*Verification, error) {
	return j.verify(ctx, p, told, true)
}

// Verify checks what a package promises: its validators accept its cases and
// reject what they must, its data can be made again bit for bit, its
// submissions do as expected on every case, and its time limit lies between
// them with the margins asked for. Each promise is passed to told, if not nil,
// as soon as it is known. The error is the judge's own failure.
func (j *Judge) Verify(ctx context.Context, p *Problem, told func(Promise)) (*Verification, error) {
	return j.verify(ctx, p, told, false)
}

func (j *Judge) verify(ctx context.Context, p *Problem, told func(Promise), dataOnly bool) (*Verification, error) {
	if err := j.start(); err != nil {
		return nil, err
	}
	v := &Verification{}
	var errs []error
	for _, row := range promises {
		if dataOnly && !row.data {
			continue
		}
		promise := Promise{Name: row.name}
		j.tell(Event{Kind: Checking, Promise: row.name})
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
	p.Broken = append(p.Broken, &Defect{File: at, Msg: fmt.Sprintf(format, args...)})
}

func checkWarnings(_ context.Context, _ *Judge, p *Problem, promise *Promise, _ *Verification) error {
	promise.Checked = 1
	for _, w := range p.Warnings {
		if d, ok := w.(*Defect); ok && d.harmless {
			promise.Doubts = append(promise.Doubts, w)
		} else {
			promise.Broken = append(promise.Broken, w)
		}
	}
	promise.Doubts = append(promise.Doubts, p.Doubts...)
	return nil
}

// each calls do for 0 to n-1, as many at once as jobs are free, and joins what
// it returns in order.
func (j *Judge) each(ctx context.Context, n int, do func(int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		release, err := j.acquire(ctx, 1)
		if err != nil {
			break
		}
		wg.Go(func() {
			defer release()
			errs[i] = do(i)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errs...)
}

func checkInputs(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	if p.InputValidators == nil {
		promise.breaks(p.Where("input_validators"), "has no validator; the format wants at least one")
		return nil
	}
	return promise.wantAccepted(ctx, j, p, p.InputValidators)
}

func checkInvalidInputs(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	promise.Checked = len(p.InvalidInput)
	if p.InputValidators == nil {
		promise.Skipped = "there is no input validator"
		return nil
	}
	return promise.wantRejected(ctx, j, p, p.InputValidators, p.InvalidInput)
}

// look checks cases, and sorts what comes back: a Defect breaks the promise,
// anything else is the judge's failure.
func (promise *Promise) look(ctx context.Context, j *Judge, cases []*Case, check func(*Case) error) error {
	broken := make([]error, len(cases))
	var done atomic.Int64
	err := j.each(ctx, len(cases), func(i int) error {
		j.tell(Event{Kind: Checking, Promise: promise.Name, What: cases[i].Name, Done: int(done.Load()), Of: len(cases)})
		err := check(cases[i])
		done.Add(1)
		var d *Defect
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

// outputOf holds a file of the case against the output validator.
func (j *Judge) outputOf(ctx context.Context, p *Problem, c *Case, ext string) (Run, error) {
	run := Run{Case: c.Name}
	e := examination{j: j, p: p, c: c}
	defer e.close()
	err := e.examine(ctx, func() (io.ReadCloser, error) { return openRegular(c.fsys, c.path(ext)) }, &run)
	return run, err
}

func checkValidOutputs(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	type file struct {
		c   *Case
		ext string
	}
	var files []file
	for _, c := range p.Samples() {
		// What an interaction says is in no file.
		if c.Static != nil || p.Is("interactive") || p.Is("multi-pass") {
			continue
		}
		// A sample shows .out instead of .ans where there is one (2025-09,
		// "Validation of shared test case files").
		switch {
		case c.has(".out"):
			files = append(files, file{c, ".out"})
		case !c.has(".ans.statement") && !c.has(".ans.download") && !c.has(".interaction"):
			files = append(files, file{c, ".ans"})
		}
	}
	for _, c := range p.ValidOutput {
		files = append(files, file{c, ".out"})
	}
	promise.Checked = len(files)
	cases := make([]*Case, len(files))
	exts := make(map[*Case]string)
	for i, f := range files {
		cases[i], exts[f.c] = f.c, f.ext
	}
	return promise.look(ctx, j, cases, func(c *Case) error {
		run, err := j.outputOf(ctx, p, c, exts[c])
		if err == nil && run.Verdict != Accepted {
			return &Defect{File: p.Where(c.path(exts[c])), Msg: "is rejected: " + run.Why}
		}
		return err
	})
}

func checkInvalidOutputs(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	promise.Checked = len(p.InvalidOutput)
	return promise.look(ctx, j, p.InvalidOutput, func(c *Case) error {
		run, err := j.outputOf(ctx, p, c, ".out")
		if err == nil && run.Verdict == Accepted {
			return &Defect{File: p.Where(c.path(".out")), Msg: "is accepted"}
		}
		return err
	})
}

// checkExpectations runs every submission on every case, beyond the time limit
// as far as it takes to know whether the limit separates.
func checkExpectations(ctx context.Context, j *Judge, p *Problem, promise *Promise, v *Verification) error {
	if !slices.ContainsFunc(p.Submissions, func(s *Submission) bool { return path.Dir(s.Name) == "accepted" }) {
		promise.breaks(p.Where("submissions/accepted"), "has no submission; the format wants at least one")
	}
	if err := j.Infer(ctx, p); err != nil {
		return err
	}
	bounds := newBounds(p, j.LimitsOf(p).Time)
	deep := &Judge{
		Runner: j.runner, Jobs: j.Jobs, All: true, TimeLimit: j.TimeLimit, Cache: j.Cache, Cores: j.Cores, FixedAddresses: j.FixedAddresses,
		timeToKill: bounds.timeToKill, OnStderr: j.OnStderr,
		OnEvent: func(e Event) {
			bounds.learn(e)
			if j.OnEvent != nil {
				j.OnEvent(e)
			}
		},
	}
	defer deep.Close()
	v.Reports = deep.RunAll(ctx, p.Submissions, p.Cases)
	skipped := 0
	var errs []error
	for _, r := range v.Reports {
		at := p.Where("submissions/" + r.Submission)
		var defect *Defect
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
func checkLimits(ctx context.Context, j *Judge, p *Problem, promise *Promise, v *Verification) error {
	var slowest, fastest margin
	for _, r := range v.Reports {
		if r.Skipped != "" || len(r.Runs) == 0 {
			continue
		}
		if t, ok := mustAllow(r); ok {
			promise.Checked++
			if most := time.Duration(float64(p.Limits.Time) / p.Timing.ACToLimit); t > most {
				if err := j.remeasure(ctx, p, r, most); err != nil {
					return err
				}
				t, _ = mustAllow(r)
			}
			if t > slowest.time {
				slowest = margin{r.Submission, t}
			}
		}
		if t, ok := mustExceed(r); ok {
			promise.Checked++
			if fastest.submission == "" || t < fastest.time {
				fastest = margin{r.Submission, t}
			}
		}
	}
	promise.Broken = p.limitDefects(slowest, fastest)
	skipped := slices.ContainsFunc(v.Reports, func(r *Report) bool { return r.Skipped != "" })
	if slowest.submission == "" && !skipped && !p.Is("submit-answer") {
		promise.breaks(p.Where(problemFile), "no submission bounds the time limit from below; want one at least that must not get TLE")
	}
	return nil
}

// remeasure runs again, alone, the cases on which a submission took longer
// than most, and keeps the shortest times: a margin is broken by the program,
// not by what ran beside it.
func (j *Judge) remeasure(ctx context.Context, p *Problem, r *Report, most time.Duration) error {
	const times = 3
	alone := &Judge{
		Runner: j.runner, Jobs: 1, TimeLimit: j.TimeLimit, Cache: j.Cache, Cores: j.Cores, FixedAddresses: j.FixedAddresses,
		timeToKill: newBounds(p, j.LimitsOf(p).Time).timeToKill,
	}
	defer alone.Close()
	session, begun := alone.Begin(ctx, p.SubmissionNamed(r.Submission))
	if session == nil {
		return begun.JudgeError()
	}
	defer session.End()
	for i := range r.Runs {
		run := &r.Runs[i]
		c := slices.IndexFunc(p.Cases, func(c *Case) bool { return c.Name == run.Case })
		for range times {
			if run.Outcome.CPU <= most || c < 0 {
				break
			}
			if again := session.Run(ctx, p.Cases[c]); again.Err == nil {
				run.Outcome.CPU = min(run.Outcome.CPU, again.Outcome.CPU)
			}
		}
	}
	return nil
}
