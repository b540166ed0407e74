package judge

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// keptOutput is the maximum length of Run.Output, in bytes.
const keptOutput = 64 << 10

// attempt judges one case Repeat times and returns the run that counts. The
// caller has acquired a job; attempt releases it.
//
// If other programs may have changed the verdict (see doubt), attempt runs the case
// once more, alone, and the lower time counts: other programs can only slow a program
// down.
func (x *Session) attempt(ctx context.Context, c *problem.Case, release func()) Run {
	x.j.Tell(Event{Kind: Running, Submission: x.s, Case: c})
	if stored := x.stored[c]; stored != nil {
		release()
		return x.ran(c, *stored)
	}
	times := max(x.j.Repeat, 1)
	if c.Static != nil || x.s.Problem.Is(problem.SubmitAnswer) {
		times = 1 // no program runs whose time could differ
	}
	run := x.Try(ctx, c)
	outcomes, others := []sandbox.Outcome{run.Outcome}, []Attempt(nil)
	for range times - 1 {
		again := x.Try(ctx, c)
		outcomes = append(outcomes, again.Outcome)
		if run.accepted() && (!again.accepted() || again.Outcome.CPU > run.Outcome.CPU) {
			run, again = again, run
		}
		others = append(others, again.Attempt())
	}
	if !slices.ContainsFunc(others, func(a Attempt) bool { return a.Verdict != run.Verdict }) {
		others = nil
	}
	release()
	if why := x.doubt(c, &run); why != "" {
		if again, err := x.alone(ctx, c); err == nil {
			if again.Err == nil {
				outcomes = append(outcomes, again.Outcome)
				if again.Replaces(&run, x.j.Measures) {
					run, again = again, run
				}
			}
			run.Retried = why
			others = append(others, again.Attempt())
		}
	}
	run.Times, run.Others, run.MadeAgain = outcomes, others, x.again[c]
	x.save(ctx, c, &run)
	return x.ran(c, run)
}

// alone makes one attempt while no other program of the judge runs.
func (x *Session) alone(ctx context.Context, c *problem.Case) (Run, error) {
	release, err := x.j.Acquire(ctx, x.j.Workers())
	if err != nil {
		return Run{}, err
	}
	defer release()
	return x.patient().Try(ctx, c), nil
}

// Compare runs the submission on a case, like Try, but accepts an output that equals
// answer, byte for byte, without asking the output validators.
func (x *Session) Compare(ctx context.Context, c *problem.Case, answer []byte) Run {
	a := &attempt{runner: x.j.runner, limits: x.limits, same: answer}
	return a.result(ctx, x, c)
}

// Answer runs the submission on a case, like Try, but writes its output to answer instead
// of judging it. The verdict is AC if the program exits with 0 within the limits.
func (x *Session) Answer(ctx context.Context, c *problem.Case, answer io.Writer) Run {
	a := &attempt{runner: x.j.runner, limits: x.limits, answer: answer}
	return a.result(ctx, x, c)
}

// doubt returns the reason to run a case again alone before its verdict counts, or "".
func (x *Session) doubt(c *problem.Case, run *Run) string {
	j, o, limit := x.j, &run.Outcome, x.limits.Time
	if run.Err != nil || limit == 0 || j.Workers() == 1 || j.Repeat > 1 {
		return ""
	}
	d := j.distortion()
	least, most := float64(limit)/(1+d), float64(limit)*(1+d)
	switch cpu := float64(o.CPU); {
	case run.Verdict == problem.TimeLimit && j.Measures:
		return fmt.Sprintf("stopped%s after %s CPU, but the time limit is not known", run.beside(),
			terminal.Duration(o.CPU))
	case run.Verdict == problem.TimeLimit && idled(o):
		return ""
	case run.Verdict == problem.TimeLimit && !permits(x.s.Expected, c, problem.TimeLimit):
		return fmt.Sprintf("unexpected TLE%s: used %s CPU", run.beside(), terminal.Duration(o.CPU))
	case d > 0 && o.Beside > 0 && o.Exceeded != sandbox.CPU && least <= cpu && cpu <= most:
		return fmt.Sprintf("%s%s: used %s CPU, within %.3g %% of the limit", run.Verdict, run.beside(),
			terminal.Duration(o.CPU), 100*d)
	}
	return ""
}

// idled reports whether a program was stopped by the wall-clock limit while it waited for
// something other than a processor, such as in a sleep, so that no other program slowed it
// down. Waited is 0 where the system does not report it.
func idled(o *sandbox.Outcome) bool { return o.Waited > 0 && bothWaited(*o) }

// permits reports whether every rule about the case permits the verdict.
func permits(expected []problem.Expectation, c *problem.Case, v problem.Verdict) bool {
	for i := range expected {
		if e := &expected[i]; e.SpeaksOf(c.Name) && e.Permitted != nil && !v.In(e.Permitted) {
			return false
		}
	}
	return true
}

// An attempt is one try of a case, from the first pass to the verdict.
type attempt struct {
	*Session
	c      *problem.Case
	output validation
	passes int // number of passes begun
	run    Run

	runner   sandbox.Runner // runs the submission
	limits   problem.Limits // of the submission
	emulated bool           // the attempt only counts instructions
	answer   io.Writer      // receives the output, which is not judged; nil if it is
	same     []byte         // an output that is accepted without validators; nil if none is
}

// Try runs the submission on a case and judges its output. Unlike with Run, the case need
// not be one of the problem, the report does not have the run, and concurrent calls are
// allowed. The caller has acquired a job.
func (x *Session) Try(ctx context.Context, c *problem.Case) Run {
	a := &attempt{runner: x.j.runner, limits: x.limits}
	run := a.result(ctx, x, c)
	x.countInstructions(ctx, c, &run)
	return run
}

// result makes the attempt of the session on a case and returns its run. The runner and the limits of a must
// be set.
func (a *attempt) result(ctx context.Context, x *Session, c *problem.Case) Run {
	a.Session, a.c, a.output, a.run = x, c, validation{j: x.j, p: x.s.Problem, c: c, of: x.program}, Run{Case: c.Name}
	// If the folder cannot be removed now, Judge.Close tries again and reports
	// the error. The verdict stands.
	defer a.output.close()
	var err error
	switch p := x.s.Problem; {
	case c.Static != nil:
		err = a.inspect(ctx)
	case p.Is(problem.SubmitAnswer):
		err = a.readAnswer(ctx)
	case p.Is(problem.MultiPass):
		err = a.executePasses(ctx)
	default:
		err = a.execute(ctx)
	}
	if err == nil {
		err = a.output.finish(&a.run)
	}
	if err != nil {
		a.run.Verdict, a.run.Err = problem.Undecided, fmt.Errorf("%s on %s: %w", x.s.Name, c.Name, err)
	}
	if !slices.ContainsFunc(x.s.Expected, func(e problem.Expectation) bool { return e.Message != "" }) {
		a.run.FullMessage = "" // no expectation searches it
	}
	return a.run
}

// Times that the emulator needs at most to translate the code of a runtime, which the
// slowdown does not include. Java and Node took 2 s where this was measured.
const (
	translating     = 20 * time.Second
	translatingWall = 2 * translating
)

// countInstructions sets the instructions of an accepted run. An emulator counts them in
// another run, which decides nothing else: neither its slowness nor its memory changes
// the verdict, the times and the memory of the run.
func (x *Session) countInstructions(ctx context.Context, c *problem.Case, run *Run) {
	if !x.j.Instructions || !run.accepted() || c.Static != nil || x.s.Problem.Is(problem.SubmitAnswer) {
		return
	}
	counter := x.j.counter
	if counter == nil {
		if run.Outcome.Instructions == 0 {
			run.Uncounted = "the counters of the processor were in use"
		}
		return
	}
	limits := x.limits
	limits.Time = time.Duration(float64(limits.Time)*counter.Slowdown) + translating
	limits.Wall = time.Duration(float64(limits.Wall)*counter.Slowdown) + translatingWall
	if limits.Memory > 0 {
		limits.Memory += sandbox.CountingMemory
	}
	a := &attempt{runner: counter.Runner(x.j.runner), limits: limits, emulated: true}
	switch again := a.result(ctx, x, c); {
	case again.Err != nil:
		run.Err = again.Err
	case !again.accepted():
		said, _, _ := strings.Cut(strings.TrimSpace(again.Stderr), "\n")
		run.Outcome.Instructions, run.Uncounted = 0,
			strings.TrimSuffix(fmt.Sprintf("under the emulator it is %s: %s: %s", again.Verdict, again.Why, said), ": ")
	case again.Outcome.Instructions == 0:
		run.Uncounted = "the emulator has no count"
	default:
		run.Outcome.Instructions = again.Outcome.Instructions
	}
}

// execute runs the program once, in a working folder of its own, and judges the
// outcome.
func (a *attempt) execute(ctx context.Context) error {
	a.passes++
	dir, err := a.program.Folder(a.j.tmp)
	if err != nil {
		return err
	}
	defer func() { a.program.Leave(dir, a.j.confined() && a.c.Files == nil) }()
	if err := a.c.CopyFiles(dir); err != nil {
		return err
	}
	if a.s.Problem.Is(problem.Interactive) {
		return a.interact(ctx, dir)
	}
	input, err := a.output.openInput()
	if err != nil {
		return err
	}
	defer input.Close()
	out := a.j.spools.Get().(*spool)
	defer func() {
		out.reset()
		a.j.spools.Put(out)
	}()
	stderr := &Stderr{}
	cmd := a.command(dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, out, stderr
	cores, unpin := a.j.pin()
	cmd.Cores = cores
	o, err := a.runner.Run(ctx, cmd)
	unpin()
	if err != nil {
		return err
	}
	if err := a.keep(out); err != nil {
		return err
	}
	if err := a.judge(o, stderr); err != nil || a.run.Verdict != problem.Undecided {
		return err
	}
	if a.answer != nil {
		a.run.Verdict = problem.Accepted
		printed, err := out.reader()
		if err == nil {
			_, err = io.Copy(a.answer, printed)
		}
		return err
	}
	if a.same != nil && out.equals(a.same) {
		a.run.Verdict = problem.Accepted
		return nil
	}
	return a.output.validate(ctx, out.open, &a.run)
}

// keep stores the start of a pass's output in the run if KeepOutput is set, and
// passes the complete output to OnOutput.
func (a *attempt) keep(out *spool) error {
	if a.emulated {
		return nil
	}
	if a.j.KeepOutput {
		a.run.Output = out.start(keptOutput)
	}
	if a.j.OnOutput == nil {
		return nil
	}
	printed, err := out.reader()
	if err != nil {
		return err
	}
	return a.j.OnOutput(a.s, a.c, printed)
}

// enforced returns the limits of a run on a case, which may be above those of the
// problem to measure how slow the program is.
func (x *Session) enforced(c *problem.Case) sandbox.Limits {
	limits := stopping(x.limits, x.j.room())
	most := x.j.TimeToKill
	if x.j.timeToKill != nil {
		most = x.j.timeToKill(x.s, c)
	}
	if most > limits.CPU {
		limits.CPU, limits.Wall = most, problem.WallLimit(most)
	}
	return limits
}

// command returns the command of the submission, without its streams.
func (a *attempt) command(dir string) sandbox.Cmd {
	limits := a.Session.enforced(a.c)
	if a.emulated {
		limits = enforced(a.limits)
	}
	return sandbox.Cmd{
		Args:  append(a.program.Args[:len(a.program.Args):len(a.program.Args)], a.c.Args...),
		Dir:   dir,
		Reads: a.program.Reads, AddEnv: a.program.Env, OpenFiles: a.program.Files,
		// 2025-09, "Allow file writing".
		Scratch:        a.s.Problem.AllowFileWriting,
		Limits:         limits,
		FixedAddresses: a.j.FixedAddresses,
	}
}

// judge adds the outcome of a pass to the run and sets the verdict that verdictOf
// returns: undecided if the output validator decides.
func (a *attempt) judge(o sandbox.Outcome, stderr *Stderr) (err error) {
	r := &a.run
	r.add(o, a.s.Problem.Is(problem.MultiPass))
	r.Stderr = terminal.Excerpt(stderr.String(), math.MaxInt)
	r.Verdict, r.Why, err = verdictOf(o, a.limits)
	if r.Verdict == problem.RuntimeError {
		r.Why += afterCrash(o, r.Stderr)
	}
	return err
}
