package judge

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// How much is kept of what a program wrote: of each end of standard error, of a
// submission for the report and of a program of the package, and of the start
// of standard output.
const (
	keptStderr = 2 << 10
	KeptSaid   = 64 << 10
	keptOutput = 64 << 10
)

// runCase judges one case, as often as Repeat says. It holds a job, which it
// gives back.
//
// A time limit that was passed while other programs ran is believed only if it
// is expected: otherwise the case is run once more, alone, and the lower time
// counts, because neighbours cost a program time and never give it any.
func (j *Judge) runCase(ctx context.Context, s *problem.Submission, program *build.Program, c *problem.Case, limits problem.Limits, release func()) Run {
	j.Tell(Event{Kind: Running, Submission: s, Case: c})
	times := max(j.Repeat, 1)
	if c.Static != nil || s.Problem.Is(problem.SubmitAnswer) {
		times = 1 // nothing is run that could take another time
	}
	var run Run
	for n := range times {
		one := j.runOnce(ctx, s, program, c, limits)
		switch {
		case n == 0:
			run = one
			run.Times = nil
		case run.Err != nil || run.Verdict != problem.Accepted:
		case one.Err != nil || one.Verdict != problem.Accepted || one.Outcome.CPU > run.Outcome.CPU:
			times := run.Times
			run = one
			run.Times = times
		}
		run.Times = append(run.Times, one.Outcome)
	}
	release()
	if run.Verdict == problem.TimeLimit && j.Workers() > 1 && j.Repeat <= 1 && !permits(s.Expected, c, problem.TimeLimit) {
		if release, err := j.Acquire(ctx, j.Workers()); err == nil {
			if again := j.runOnce(ctx, s, program, c, limits); again.Err == nil && (again.Verdict != problem.TimeLimit || again.Outcome.CPU < run.Outcome.CPU) {
				again.Times = append(run.Times, again.Outcome)
				run = again
			}
			release()
		}
	}
	j.Tell(Event{Kind: Ran, Submission: s, Case: c, Run: &run})
	return run
}

// permits reports whether every rule about the case permits the verdict.
func permits(expected []problem.Expectation, c *problem.Case, v problem.Verdict) bool {
	for i := range expected {
		if e := &expected[i]; e.SpeaksOf(c.Name) && e.Permitted != nil && !v.In(e.Permitted) {
			return false
		}
	}
	return true
}

// A trial is one run of a submission on one case, from its first pass to its
// verdict.
type trial struct {
	j       *Judge
	s       *problem.Submission
	program *build.Program // nil if nothing is to be run
	c       *problem.Case
	limits  problem.Limits
	exam    examination
	passes  int // begun
	run     Run
}

// runOnce runs the program on the case and judges the outcome.
func (j *Judge) runOnce(ctx context.Context, s *problem.Submission, program *build.Program, c *problem.Case, limits problem.Limits) Run {
	t := &trial{j: j, s: s, program: program, c: c, limits: limits, run: Run{Case: c.Name}}
	t.exam = examination{j: j, p: s.Problem, c: c, of: program}
	// What cannot be removed now is tried again at Close, which tells of it; the
	// verdict stands.
	defer t.exam.close()
	if err := t.play(ctx); err != nil {
		t.run.Verdict = problem.Undecided
		t.run.Err = fmt.Errorf("%s on %s: %w", s.Name, c.Name, err)
	}
	if !slices.ContainsFunc(s.Expected, func(e problem.Expectation) bool { return e.Message != "" }) {
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
	case p.Is(problem.SubmitAnswer):
		return t.readAnswer(ctx)
	case p.Is(problem.MultiPass):
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
	dir, err := t.program.Folder(t.j.tmp)
	if err != nil {
		return err
	}
	defer func() { t.program.Leave(dir, t.j.Confined() && t.c.Files == nil) }()
	if err := t.c.CopyFiles(dir); err != nil {
		return err
	}
	if t.s.Problem.Is(problem.Interactive) {
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
	said := &Stderr{}
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
	if err := t.weigh(o, said); err != nil || t.run.Verdict != problem.Undecided {
		return err
	}
	return t.exam.examine(ctx, out.open, &t.run)
}

// command is what every run of the submission is given, but for its streams.
func (t *trial) command(dir string) sandbox.Cmd {
	enforce := enforced(t.limits)
	most := t.j.TimeToKill
	if t.j.timeToKill != nil {
		most = t.j.timeToKill(t.s, t.c)
	}
	if most > enforce.CPU {
		enforce.CPU, enforce.Wall = most, problem.WallLimit(most)
	}
	return sandbox.Cmd{
		Args:  append(t.program.Args[:len(t.program.Args):len(t.program.Args)], t.c.Args...),
		Dir:   dir,
		Reads: t.program.Reads, OpenFiles: t.program.Files,
		// 2025-09, "Allow file writing".
		Scratch:        t.s.Problem.AllowFileWriting,
		Limits:         enforce,
		FixedAddresses: t.j.FixedAddresses,
	}
}

// weigh adds the outcome of a pass to the run, and gives the verdict that it
// deserves by itself: undecided if the output, or what was said, is to be judged.
func (t *trial) weigh(o sandbox.Outcome, said *Stderr) (err error) {
	r := &t.run
	r.add(o, t.s.Problem.Is(problem.MultiPass))
	r.Stderr = text.Clip(said.String(), math.MaxInt)
	r.Verdict, r.Why, err = verdictOf(o, t.limits)
	if r.Verdict == problem.RuntimeError {
		r.Why += afterCrash(o, r.Stderr)
	}
	return err
}

// byDefault asks the default validator.
func (e *examination) byDefault(output io.Reader, run *Run) error {
	checker, err := check.Default(e.c.OutputValidatorArgs)
	if err != nil {
		return &problem.Defect{File: e.c.WhereConfig(), Msg: err.Error()}
	}
	answer, err := problem.OpenRegular(e.c.FS, e.c.Path(".ans"))
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
	r.Verdict, r.Why = problem.WrongAnswer, why
	if ok {
		r.Verdict, r.Why = problem.Accepted, ""
	}
}

var _ io.Writer = (*spool)(nil)
