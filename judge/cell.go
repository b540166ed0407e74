package judge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"crucible/judge/check"
	"crucible/judge/sandbox"
)

// How much is kept of what a program wrote: of each end of standard error, of a
// submission for the report and of a program of the package, and of the start
// of standard output.
const (
	keptStderr = 2 << 10
	keptSaid   = 64 << 10
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
	times := max(j.Repeat, 1)
	if c.Static != nil || s.Problem.Is("submit-answer") {
		times = 1 // nothing is run that could take another time
	}
	var run Run
	for n := range times {
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

// A trial is one run of a submission on one case, from its first pass to its
// verdict.
type trial struct {
	j       *Judge
	s       *Submission
	program *built // nil if nothing is to be run
	c       *Case
	limits  Limits
	exam    examination
	passes  int // begun
	run     Run
}

// runOnce runs the program on the case and judges the outcome.
func (j *Judge) runOnce(ctx context.Context, s *Submission, program *built, c *Case, limits Limits) Run {
	t := &trial{j: j, s: s, program: program, c: c, limits: limits, run: Run{Case: c.Name}}
	t.exam = examination{j: j, p: s.Problem, c: c, of: program}
	// What cannot be removed now is tried again at Close, which tells of it; the
	// verdict stands.
	defer t.exam.close()
	if err := t.play(ctx); err != nil {
		t.run.Verdict = undecided
		t.run.Err = fmt.Errorf("%s on %s: %w", s.Name, c.Name, err)
	}
	if !slices.ContainsFunc(s.Expected, func(e Expectation) bool { return e.Message != "" }) {
		t.run.message = "" // nobody will search it
	}
	return t.run
}

// play does with the submission what the kind of the case and of the problem
// say.
func (t *trial) play(ctx context.Context) error {
	switch p := t.s.Problem; {
	case t.c.Static != nil:
		return t.inspect(ctx)
	case p.Is("submit-answer"):
		return t.readAnswer(ctx)
	case p.Is("multi-pass"):
		return t.playPasses(ctx)
	}
	if err := t.pass(ctx); err != nil {
		return err
	}
	return t.exam.finish(&t.run)
}

// pass runs the program once, in a working folder of its own, and judges what
// it did.
func (t *trial) pass(ctx context.Context) error {
	t.passes++
	dir, err := t.program.workplace(t.j.tmp)
	if err != nil {
		return err
	}
	defer func() { t.program.leave(dir, t.j.confined() && t.c.files == nil) }()
	if err := t.c.copyFiles(dir); err != nil {
		return err
	}
	if t.s.Problem.Is("interactive") {
		return t.interact(ctx, dir)
	}
	return t.batch(ctx, dir)
}

// batch runs the program on the input, and has its output examined.
func (t *trial) batch(ctx context.Context, dir string) error {
	input, err := t.exam.openInput()
	if err != nil {
		return err
	}
	defer input.Close()
	out := t.j.spools.Get().(*spool)
	defer func() {
		out.reset()
		t.j.spools.Put(out)
	}()
	said := &stderr{}
	cmd := t.command(dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, out, said
	cores, unpin := t.j.pin()
	cmd.Cores = cores
	o, err := t.j.runner.Run(ctx, cmd)
	unpin()
	if err != nil {
		return err
	}
	if t.j.KeepOutput {
		t.run.Output = out.start(keptOutput)
	}
	if t.j.OnOutput != nil {
		printed, err := out.reader()
		if err == nil {
			err = t.j.OnOutput(t.s, t.c, printed)
		}
		if err != nil {
			return err
		}
	}
	if err := t.weigh(o, said); err != nil || t.run.Verdict != undecided {
		return err
	}
	return t.exam.examine(ctx, out.open, &t.run)
}

// command is what every run of the submission is given, but for its streams.
func (t *trial) command(dir string) sandbox.Cmd {
	enforce := t.limits.enforced()
	most := t.j.TimeToKill
	if t.j.timeToKill != nil {
		most = t.j.timeToKill(t.s, t.c)
	}
	if most > enforce.CPU {
		enforce.CPU, enforce.Wall = most, wallLimit(most)
	}
	return sandbox.Cmd{
		Args:  append(t.program.args[:len(t.program.args):len(t.program.args)], t.c.Args...),
		Dir:   dir,
		Reads: t.program.reads, OpenFiles: t.program.files,
		// 2025-09, "Allow file writing".
		Scratch:        t.s.Problem.AllowFileWriting,
		Limits:         enforce,
		FixedAddresses: t.j.FixedAddresses,
	}
}

// weigh adds the outcome of a pass to the run, and gives the verdict that it
// deserves by itself: undecided if the output, or what was said, is to be judged.
func (t *trial) weigh(o sandbox.Outcome, said *stderr) (err error) {
	r := &t.run
	r.add(o, t.s.Problem.Is("multi-pass"))
	r.Stderr = clipText(said.String(), math.MaxInt)
	r.Verdict, r.Why, err = verdictOf(o, t.limits)
	if r.Verdict == RuntimeError {
		r.Why += afterCrash(o, r.Stderr)
	}
	return err
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

// byDefault asks the default validator.
func (e *examination) byDefault(output io.Reader, run *Run) error {
	checker, err := check.Default(e.c.OutputValidatorArgs)
	if err != nil {
		return &Defect{File: e.c.whereConfig(), Msg: err.Error()}
	}
	answer, err := openRegular(e.c.fsys, e.c.path(".ans"))
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
