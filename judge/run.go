package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"crucible/judge/check"
	"crucible/judge/sandbox"
)

// A Runner runs one program under limits and states what became of it. The
// error is for its own failure.
type Runner interface {
	Run(context.Context, sandbox.Cmd) (sandbox.Outcome, error)
}

// keptStderr and keptOutput bound how much of what a program wrote is kept
// for the report.
const (
	keptStderr = 2 << 10
	keptOutput = 64 << 10
)

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

// runCase judges one case, as often as Repeat says. It holds a job, which it
// gives back.
//
// A time limit that was passed while other programs ran is believed only if it
// is expected: otherwise the case is run once more, alone, and the lower time
// counts, because neighbours cost a program time and never give it any.
func (j *Judge) runCase(ctx context.Context, s *Submission, program *built, c *Case, limits Limits, release func()) Run {
	j.tell(Event{Kind: Running, Submission: s, Case: c})
	var run Run
	for n := range max(j.Repeat, 1) {
		one := j.runOnce(ctx, s, program, c, limits)
		switch {
		case n == 0:
			run = one
			run.Times = nil
		case run.Err != nil || run.Verdict != Accepted:
		case one.Err != nil || one.Verdict != Accepted || one.Outcome.CPU > run.Outcome.CPU:
			times := run.Times
			run = one
			run.Times = times
		}
		run.Times = append(run.Times, one.Outcome)
	}
	release()
	if run.Verdict == TimeLimit && j.jobs() > 1 && j.Repeat <= 1 && !permits(s.Expected, c, TimeLimit) {
		if release, err := j.acquire(ctx, j.jobs()); err == nil {
			if again := j.runOnce(ctx, s, program, c, limits); again.Err == nil && (again.Verdict != TimeLimit || again.Outcome.CPU < run.Outcome.CPU) {
				again.Times = append(run.Times, again.Outcome)
				run = again
			}
			release()
		}
	}
	j.tell(Event{Kind: Ran, Submission: s, Case: c, Run: &run})
	return run
}

// permits reports whether every rule about the case permits the verdict.
func permits(expected []Expectation, c *Case, v Verdict) bool {
	for i := range expected {
		if e := &expected[i]; e.speaksOf(c.Name) && e.Permitted != nil && !v.in(e.Permitted) {
			return false
		}
	}
	return true
}

// runOnce runs the program on the case and judges the outcome.
func (j *Judge) runOnce(ctx context.Context, s *Submission, program *built, c *Case, limits Limits) (run Run) {
	run.Case = c.Name
	fail := func(err error) Run {
		run.Verdict = undecided
		run.Err = fmt.Errorf("%s on %s: %w", s.Name, c.Name, err)
		return run
	}
	dir, err := program.workplace(j.tmp)
	if err != nil {
		return fail(err)
	}
	defer func() {
		// What cannot be removed now is tried again at Close, which tells of it;
		// the verdict stands.
		program.leave(dir, j.confined() && c.files == nil)
	}()
	if err := c.copyFiles(dir); err != nil {
		return fail(err)
	}
	input, err := c.input()
	if err != nil {
		return fail(err)
	}
	defer input.Close()
	out := j.spools.Get().(*spool)
	defer func() {
		out.reset()
		j.spools.Put(out)
	}()
	said := &head{most: keptStderr}
	enforce := limits.enforced()
	if j.TimeToKill > enforce.CPU {
		enforce.CPU, enforce.Wall = j.TimeToKill, wallLimit(j.TimeToKill)
	}
	cores, unpin := j.pin()
	run.Outcome, err = j.runner.Run(ctx, sandbox.Cmd{
		Args:  append(program.args[:len(program.args):len(program.args)], c.Args...),
		Dir:   dir,
		Reads: program.reads,
		// 2025-09, "Allow file writing".
		Scratch: s.Problem.AllowFileWriting,
		Stdin:   input,
		Stdout:  out,
		Stderr:  said,
		Limits:  enforce,

		Cores:          cores,
		FixedAddresses: j.FixedAddresses,
	})
	unpin()
	if err != nil {
		return fail(err)
	}
	run.Stderr = clipText(said.buf.String(), keptStderr)
	if j.KeepOutput {
		run.Output = out.start(keptOutput)
	}
	run.Verdict, run.Why, err = verdictOf(run.Outcome, limits)
	switch {
	case err != nil:
		return fail(err)
	case run.Verdict == RuntimeError && run.Stderr != "":
		run.Why += ": " + firstLine(run.Stderr)
	case run.Verdict != undecided:
	default:
		output, err := out.reader()
		if err == nil {
			err = j.examine(ctx, s.Problem, c, output, &run)
		}
		if err != nil {
			return fail(err)
		}
	}
	return run
}

// input opens what the program reads. An input that comes out of an archive is
// unpacked first: one that is damaged is found so even if the program does not
// read it to its end. Larger ones are not held in memory.
func (c *Case) input() (io.ReadCloser, error) {
	const held = 64 << 20
	f, err := openRegular(c.fsys, c.path(".in"))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if _, real := f.(*os.File); real || err != nil || info.Size() > held {
		return f, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return heldInput{bytes.NewReader(data)}, nil
}

// A heldInput is in memory, and shows how long it is.
type heldInput struct{ *bytes.Reader }

func (heldInput) Close() error { return nil }

// examine asks the checker, or the package's own output validator.
func (j *Judge) examine(ctx context.Context, p *Problem, c *Case, output io.Reader, run *Run) error {
	if p.OutputValidators != nil {
		return j.validate(ctx, p, c, output, run)
	}
	checker, err := check.Default(c.OutputValidatorArgs)
	if err != nil {
		return &Defect{File: c.whereConfig(), Msg: err.Error()}
	}
	answer, err := openRegular(c.fsys, c.path(".ans"))
	if err != nil {
		return err
	}
	defer answer.Close()
	found, err := checker(check.Case{Answer: answer, Output: output})
	if err != nil {
		return err
	}
	run.judged(found.OK, found.Why)
	run.Diff = found.Diff
	return nil
}

// judged sets the verdict of a checker.
func (r *Run) judged(ok bool, why string) {
	r.Verdict, r.Why = WrongAnswer, why
	if ok {
		r.Verdict, r.Why = Accepted, ""
	}
}

// whereConfig names the file that gives the case its arguments.
func (c *Case) whereConfig() string { return where(c.fsys, c.path(".yaml")) }

var _ io.Writer = (*spool)(nil)
