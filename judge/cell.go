package judge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"crucible/judge/check"
	"crucible/judge/sandbox"
)

// keptStderr and keptOutput bound how much of what a program wrote is kept
// for the report.
const (
	keptStderr = 2 << 10
	keptOutput = 64 << 10
)

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
