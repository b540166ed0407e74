package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// In an interaction the submission and the output validator run at once. A pipe
// connects the output of each to the input of the other (2025-09, "Invocation").
// The judge copies the data only if it logs the interaction. The judge waits for
// both programs. It must know which one ended first, because a program may react
// to the end of the other. The times of the ends are not exact enough to decide
// this. A program can notice the other's end only through its pipes, so the judge
// keeps ends of the pipes open:
//
//   - The reading end of each pipe, until both have ended: a program that writes to
//     a program that has ended gets no signal and no error. The judge reads and drops
//     the data, so the writer does not block.
//   - The writing end of the submission's pipe, until its end is recorded. If the
//     submission failed, the validator gets a little more time before it can notice:
//     a decision that it makes in this time depends only on what the submission has
//     written, and counts before the failure.
//   - Not the writing end of the validator's pipe: a validator may close its output
//     to signal that there is no more. If the submission ends because of this, the
//     validator may have ended, too; then it gets more time.
//
// If the validator has ended first and has not accepted, the judge stops the
// submission: nothing can change the verdict, and the time has no meaning.
// BAPCtools does the same.
//
// The submission has the limits of a batch run, also for wall time. The validator's
// wall time is longer. So if both wait for each other, the submission is stopped; the
// format leaves this open.

const (
	// After the submission has failed, the validator gets time to end by itself
	// before it can notice: graceIdle after it has read everything, graceReading in
	// total if it does not read, and graceClosed if it has closed its output, which
	// most validators do by ending.
	graceIdle    = 400 * time.Millisecond
	graceReading = 2 * time.Second
	graceClosed  = time.Second
)

// An ending is the end of one of the two programs.
type ending struct {
	validator bool // of the validator; otherwise of the submission
	outcome   sandbox.Outcome
	err       error
}

// interact runs the submission together with the output validator and judges the
// outcome.
func (a *attempt) interact(ctx context.Context, dir string) error {
	e, p := &a.output, a.s.Problem
	if len(p.OutputValidators) != 1 {
		return &problem.Defect{File: p.Where(problem.ProblemFile),
			Msg: fmt.Sprintf("an interactive problem with %d output validators of its own: expected one",
				len(p.OutputValidators))}
	}
	if err := e.open(ctx, p.OutputValidators); err != nil {
		return err
	}
	x := e.validators[0]
	validator, leave, err := e.command(x)
	if err != nil {
		return err
	}
	defer leave()
	validator.Args = append(validator.Args, e.arguments(x, x.folder()+"tout")...)
	submission := a.command(dir)
	submission.Limits.Written = submission.Limits.Output
	if wall := submission.Limits.Wall; wall > 0 && validator.Limits.Wall > 0 {
		validator.Limits.Wall += wall + graceClosed
	}
	link, err := a.connect(&submission, &validator)
	if err != nil {
		return err
	}
	defer link.close()
	submissionStderr, validatorStderr := &Stderr{}, &Stderr{Most: KeptSaid}
	submission.Stderr, validator.Stderr = submissionStderr, validatorStderr
	cores, unpin := a.j.pin()
	defer unpin()
	// The two programs take turns, so they can share one core; this is also the
	// fastest way.
	submission.Cores, validator.Cores = cores, cores

	both, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alone, stop := context.WithCancel(both)
	defer stop()
	ends := make(chan ending, 2)
	for _, one := range []struct {
		ctx       context.Context
		cmd       sandbox.Cmd
		validator bool
	}{{both, validator, true}, {alone, submission, false}} {
		go func() {
			r := a.runner
			if one.validator {
				r = a.j.runner
			}
			o, err := r.Run(one.ctx, one.cmd)
			if errors.Is(err, context.Canceled) && both.Err() == nil {
				err = nil // stop was called
			}
			if err != nil {
				cancel(err)
			}
			ends <- ending{one.validator, o, err}
		}()
	}
	m := a.waitForBoth(ends, link, func(validator sandbox.Outcome) {
		if d, err := e.decision(x, validator, validatorStderr); err != nil || !d.accepts {
			stop()
		}
	})
	if a.j.LogInteraction && !a.emulated {
		a.run.Dialogue = link.dialogue(a.run.Dialogue, a.passes)
		a.run.Dialogue.Stderr = terminal.Excerpt(a.run.Dialogue.Stderr+validatorStderr.String(), keptDialogue)
	}
	if m.validator.err != nil || m.submission.err != nil {
		return context.Cause(both) // the error of one cancels the other
	}
	if err := a.settle(m, submissionStderr, validatorStderr); err != nil || a.emulated {
		return err
	}
	// 2025-09, "Output visualizer": its standard input is empty.
	return e.visualize(ctx, x, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }, &a.run)
}

// endings describes how an interaction ended.
type endings struct {
	submission, validator *ending // nil until it has ended
	independent           bool    // the validator ended before it could notice the submission's end
	silent                bool    // when the submission had ended, the validator was running and no pipe had unread data
}

// waitForBoth waits until both have ended. If the validator ends first, it calls
// first with the validator's outcome.
func (a *attempt) waitForBoth(ends <-chan ending, link *link, first func(validator sandbox.Outcome)) (m endings) {
	m.take(<-ends)
	m.silent = m.validator == nil && !link.fromSubmission.pending() && !link.fromValidator.pending()
	if m.validator == nil && a.hasFailed(m.submission) {
		waiting, cancel := context.WithCancel(context.Background())
		select {
		case end := <-ends:
			m.take(end)
		case <-link.graceOver(waiting):
		}
		cancel()
	}
	m.independent = m.validator != nil
	// From now on, data for the ended program is dropped.
	if m.submission == nil {
		if m.validator.err == nil {
			first(m.validator.outcome)
		}
		link.fromSubmission.drain()
		m.take(<-ends)
	}
	link.fromSubmission.finish()
	if m.validator == nil {
		link.fromValidator.drain()
		m.take(<-ends)
	}
	return m
}

// take records one end.
func (m *endings) take(end ending) {
	if end.validator {
		m.validator = &end
	} else {
		m.submission = &end
	}
}

// hasFailed reports whether a submission has failed by itself.
func (a *attempt) hasFailed(end *ending) bool {
	if end.err != nil {
		return false
	}
	own, _, err := verdictOf(end.outcome, a.limits)
	return err == nil && own != problem.Undecided
}

// graceOver returns a channel that is closed when the validator's extra time is over,
// or when ctx ends.
func (k *link) graceOver(ctx context.Context) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		defer close(over)
		begun := time.Now()
		read := begun // the last time at which the validator had data to read
		for ctx.Err() == nil {
			now := time.Now()
			if k.fromSubmission.pending() && now.Sub(begun) < graceReading {
				read = now
			}
			grace := graceIdle
			if k.fromValidator.hungUp() {
				grace = graceClosed
			}
			if now.Sub(read) >= grace {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return over
}

// settle sets the verdict of an interaction.
func (a *attempt) settle(m endings, submissionStderr, validatorStderr *Stderr) error {
	o := m.submission.outcome
	o.Beside = max(o.Beside-1, 0) // the validator is a part of the run
	if err := a.judge(o, submissionStderr); err != nil {
		return err
	}
	d, failure := a.output.decision(a.output.validators[0], m.validator.outcome, validatorStderr)
	switch deciderOf(a.run.Verdict, m.independent, d.accepts, failure != nil) {
	case neitherDecides:
		return failure
	case validatorDecides:
		d.apply(&a.run)
	case submissionDecides:
		if err := slowValidator(m.submission.outcome, m.validator.outcome); err != nil {
			return err
		}
		if m.silent && bothWaited(m.submission.outcome) {
			a.run.Why += "; did it flush its output?"
		}
		d.describe(&a.run)
		if failure != nil {
			// The failures are independent.
			a.run.Why += "; then " + failure.Error()
		}
	}
	return nil
}

// A decider is the program whose result decides an interaction.
type decider int

const (
	neitherDecides decider = iota // neither: the validator has failed
	validatorDecides
	submissionDecides
)

// deciderOf returns the program whose result decides an interaction. Own is the verdict of
// the submission by itself, undecided if it did not fail. The result depends on
// the arguments alone.
//
// If a validator rejects before it can notice the submission's end, the rejection
// counts, whatever the submission did afterwards. If it accepts, it has judged
// the output of the submission, not its end, so a failure of the submission
// counts. If the validator noticed the failure, its decision does not count, even
// if the validator failed because of it; the format does not define this case,
// and other judges do the same.
func deciderOf(own problem.Verdict, independent, accepts, failed bool) decider {
	switch {
	case failed && (independent || own == problem.Undecided):
		return neitherDecides
	case failed:
		return submissionDecides
	case own == problem.Undecided || independent && !accepts:
		return validatorDecides
	}
	return submissionDecides
}

// slowValidator returns an error if a submission exceeded the wall-clock limit while the
// validator was computing most of the time. This is no failure of the submission.
func slowValidator(submission, validator sandbox.Outcome) error {
	if submission.Exceeded != sandbox.Wall || validator.CPU+validator.Waited <= submission.Limits.Wall/2 {
		return nil
	}
	return fmt.Errorf("the submission was stopped after %s of real time, for which the output validator let it wait: "+
		"it used %s of CPU", terminal.Duration(submission.Wall), terminal.Duration(validator.CPU))
}

// bothWaited reports whether a submission was stopped while both programs waited. The
// caller knows from slowValidator that the validator did not compute most of the time.
func bothWaited(submission sandbox.Outcome) bool {
	return submission.Exceeded == sandbox.Wall && submission.CPU+submission.Waited <= submission.Limits.Wall/2
}

// A link connects the two programs with two wires.
type link struct {
	fromSubmission, fromValidator *wire
	recorder                      *recorder // nil if the interaction is not logged
}

// connect makes the wires and gives the programs their ends.
func (a *attempt) connect(submission, validator *sandbox.Cmd) (*link, error) {
	k := new(link)
	var said, answered func([]byte)
	if a.j.LogInteraction {
		k.recorder = newRecorder(a.run.Dialogue.room())
		said, answered = k.recorder.hears(FromSubmission), k.recorder.hears(FromJudge)
	}
	var err error
	if k.fromSubmission, err = newWire(true, said); err != nil {
		return nil, err
	}
	if k.fromValidator, err = newWire(false, answered); err != nil {
		k.fromSubmission.close()
		return nil, err
	}
	submission.Stdin, submission.Stdout = k.fromValidator.listen, k.fromSubmission.speak
	validator.Stdin, validator.Stdout = k.fromSubmission.listen, k.fromValidator.speak
	submission.Started, validator.Started = k.fromSubmission.handedOver, k.fromValidator.handedOver
	return k, nil
}

func (k *link) close() {
	k.fromSubmission.close()
	k.fromValidator.close()
}

// dialogue appends the log of a pass to the log of the passes before. Both programs
// have ended.
func (k *link) dialogue(before Dialogue, pass int) Dialogue {
	k.fromSubmission.wait()
	k.fromValidator.wait()
	return k.recorder.dialogue(before, pass)
}

// A wire leads from one program to the other: one pipe, or two with the judge between
// them if the interaction is logged.
type wire struct {
	speak, listen *os.File // the ends of the programs
	held          bool     // the listener does not notice the speaker's end before finish

	tap      *os.File      // the end that the judge reads, if the interaction is logged; otherwise nil
	finished chan struct{} // closed by finish; nil without tap
	copied   chan struct{} // closed when the judge has stopped reading; nil without tap
}

func newWire(held bool, hear func([]byte)) (*wire, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	if hear == nil {
		return &wire{speak: w, listen: r, held: held}, nil
	}
	listen, onward, err := os.Pipe()
	if err != nil {
		r.Close()
		w.Close()
		return nil, err
	}
	l := &wire{speak: w, listen: listen, held: held, tap: r, finished: make(chan struct{}), copied: make(chan struct{})}
	go l.copy(onward, hear)
	return l, nil
}

// copy logs the data that the speaker writes and passes it on.
func (l *wire) copy(onward *os.File, hear func([]byte)) {
	defer close(l.copied)
	defer onward.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := l.tap.Read(buffer)
		if n > 0 {
			hear(buffer[:n])
			if _, err := onward.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			break
		}
	}
	if l.held {
		<-l.finished
	}
}

// handedOver closes the judge's copy of the speaker's end, unless finish does. It is
// called when the speaker has its end.
func (l *wire) handedOver() {
	if !l.held || l.tap != nil {
		l.speak.Close()
	}
}

// finish lets the listener notice that the speaker has ended.
func (l *wire) finish() {
	if l.tap != nil {
		close(l.finished)
	} else {
		l.speak.Close()
	}
}

// drain drops the data for a listener that has ended.
func (l *wire) drain() {
	go func() {
		buffer := make([]byte, 64<<10)
		for {
			if _, err := l.listen.Read(buffer); err != nil {
				return
			}
		}
	}()
}

// hungUp reports whether no process has the speaker's end open any more.
func (l *wire) hungUp() bool {
	if l.tap != nil {
		return stateOf(l.tap).hungUp
	}
	return stateOf(l.listen).hungUp
}

// pending reports whether there is data that the listener has not read.
func (l *wire) pending() bool {
	return stateOf(l.listen).unread || l.tap != nil && stateOf(l.tap).unread
}

// A pipeState is the state of a pipe. It is found without reading from the pipe.
type pipeState struct {
	unread bool // there is data to read
	hungUp bool // no process has the writing end open
}

// wait waits until all data is logged, but at most a second: without a box,
// another process may still have an end open.
func (l *wire) wait() {
	select {
	case <-l.copied:
	case <-time.After(time.Second):
	}
}

// close closes the judge's ends, which ends the goroutines that read from them.
func (l *wire) close() {
	if l.tap != nil {
		l.tap.Close()
		select {
		case <-l.finished:
		default:
			close(l.finished)
		}
	}
	l.speak.Close()
	l.listen.Close()
}

// A Person takes the place of one of the two programs of an interaction. What the other
// program writes arrives at once.
type Person struct {
	In          io.Reader // what the person writes; a Read that blocks when the program ends is not waited for
	Out, Stderr io.Writer // standard output and standard error of the program
}

// Talk runs the submission with a person in place of the judge. The case gives the
// arguments and the files of the program; its input is not used. There is no limit of
// wall-clock time. The verdict is AC if the program exits with 0 within the limits.
func (x *Session) Talk(ctx context.Context, c *problem.Case, with Person) Run {
	a := &attempt{Session: x, c: c, runner: x.j.runner, limits: x.limits, run: Run{Case: c.Name}}
	a.limits.Wall = 0
	dir, err := a.program.Folder(x.j.tmp)
	if err == nil {
		defer func() { a.program.Leave(dir, x.j.confined() && c.Files == nil) }()
		err = c.CopyFiles(dir)
	}
	if err == nil {
		cmd := a.command(dir)
		cmd.Limits.Wall, cmd.Limits.Written = 0, cmd.Limits.Output
		stderr := &Stderr{}
		var o sandbox.Outcome
		if o, err = with.run(ctx, a.runner, cmd, stderr); err == nil {
			err = a.judge(o, stderr)
		}
	}
	if err == nil && a.run.Verdict == problem.Undecided {
		a.run.Verdict = problem.Accepted
	}
	a.run.Err = err
	return a.run
}

// Interact runs the output validator of an interactive problem on a case, with a person
// in place of the submission. The verdict is that of the validator. There is no limit of
// wall-clock time.
func (j *Judge) Interact(ctx context.Context, c *problem.Case, p *problem.Problem, with Person) (run Run) {
	run.Case = c.Name
	e := validation{j: j, p: p, c: c}
	run.Err = func() (err error) {
		if !p.Is(problem.Interactive) || len(p.OutputValidators) != 1 {
			return fmt.Errorf("%s: not an interactive problem with one output validator", p.ID)
		}
		if err := j.Start(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.close()) }()
		if err := e.open(ctx, p.OutputValidators); err != nil {
			return err
		}
		x := e.validators[0]
		cmd, leave, err := e.command(x)
		if err != nil {
			return err
		}
		defer leave()
		cmd.Args = append(cmd.Args, e.arguments(x, x.folder()+"tout")...)
		cmd.Limits.Wall = 0
		stderr := &Stderr{Most: KeptSaid}
		o, err := with.run(ctx, j.runner, cmd, stderr)
		if err != nil {
			return err
		}
		run.Outcome = o
		d, err := e.decision(x, o, stderr)
		if err == nil {
			d.apply(&run)
		}
		return err
	}()
	return run
}

// run runs a program whose streams are those of the person. kept receives its standard
// error as well.
func (with Person) run(ctx context.Context, runner sandbox.Runner, cmd sandbox.Cmd,
	kept io.Writer) (sandbox.Outcome, error) {
	// The program has the end of a pipe, never the terminal itself.
	r, w, err := os.Pipe()
	if err != nil {
		return sandbox.Outcome{}, err
	}
	defer r.Close()
	go func() {
		io.Copy(w, with.In) // ends at the end of In, or when the program is gone
		w.Close()
	}()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, with.Out, io.MultiWriter(kept, with.Stderr)
	return runner.Run(ctx, cmd)
}
