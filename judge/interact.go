package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
)

// In an interaction the submission and the output validator run at once, the
// output of each joined to the input of the other by a pipe that the kernel alone
// carries (2025-09, "Invocation"). The judge waits for both, and must learn who
// ended first, because what one does may be a reaction to the end of the other.
// That is not left to the clock. Nobody can know of an end but by his pipes, so
// the judge holds ends of them:
//
//   - The reading end of each pipe, for ever: who writes to a program that is gone
//     gets no signal and no error, and what he writes is drained, so that he is
//     not held up either.
//   - The writing end of the submission's pipe, until its end is noted. If it
//     failed by itself, the validator is left in the dark for a moment more: a
//     judgement that it reaches now rests on what the submission has said, and
//     counts before the failure.
//   - Not the writing end of the validator's: a validator may close its output to
//     say that there is no more. If the submission ends upon that, it may be that
//     the validator has ended, too, and is about to be heard of; then the moment
//     is longer.
//
// A submission is stopped when the validator has ended first and not accepted:
// nothing that it does can change the verdict, and its time would say nothing
// about the time limit. BAPCtools does the same.
//
// The submission's limits are those of a batch run, real time included; the
// validator's real time is the submission's and its own. So of two that wait for
// each other it is the submission that is stopped, which the format leaves open.

const (
	// How long the validator may take to end by itself when the submission has
	// failed, before it is told: since it has read all that the submission said; in
	// all, if it does not read; and when it has closed its output, which most often
	// it does by ending.
	momentInTheDark = 400 * time.Millisecond
	momentOfReading = 2 * time.Second
	momentOfEnding  = time.Second
)

// An ending is that of one of the two.
type ending struct {
	validator bool
	outcome   sandbox.Outcome
	err       error
}

// interact runs the program with the output validator and judges both.
func (a *attempt) interact(ctx context.Context, dir string) error {
	e, p := &a.exam, a.s.Problem
	if len(p.OutputValidators) != 1 {
		return &problem.Defect{File: p.Where(problem.ProblemFile), Msg: fmt.Sprintf("an interactive problem with %d output validators of its own: want one", len(p.OutputValidators))}
	}
	if err := e.open(ctx, p.OutputValidators); err != nil {
		return err
	}
	validator, leave, err := e.interactor()
	if err != nil {
		return err
	}
	defer leave()
	submission := a.command(dir)
	submission.Limits.Written = submission.Limits.Output
	if wall := submission.Limits.Wall; wall > 0 && validator.Limits.Wall > 0 {
		validator.Limits.Wall += wall + momentOfEnding
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
	// They take turns, so they do best on one core, and leave the others alone.
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
			o, err := a.j.runner.Run(one.ctx, one.cmd)
			if errors.Is(err, context.Canceled) && both.Err() == nil {
				err = nil // stop was called
			}
			if err != nil {
				cancel(err)
			}
			ends <- ending{one.validator, o, err}
		}()
	}
	m := a.meet(ends, link, func(validator sandbox.Outcome) {
		if o, err := a.exam.opinion(a.exam.examiners[0], validator, validatorStderr); err != nil || !o.accepts {
			stop()
		}
	})
	if a.j.LogInteraction {
		a.run.Dialogue = link.dialogue(a.run.Dialogue, a.passes)
	}
	if m.validator.err != nil || m.submission.err != nil {
		return context.Cause(both) // the error of one cancels the other
	}
	return a.settle(m, submissionStderr, validatorStderr)
}

// interactor is the command of the validator, but for its streams.
func (e *examination) interactor() (cmd sandbox.Cmd, leave func(), err error) {
	x := e.examiners[0]
	if cmd, leave, err = e.command(x); err != nil {
		return cmd, nil, err
	}
	if x.testlib {
		cmd.Args = append(cmd.Args, e.input, x.folder()+"tout", e.answer)
	} else {
		cmd.Args = slices.Concat(cmd.Args, []string{e.input, e.answer, x.folder()}, e.c.OutputValidatorArgs)
	}
	return cmd, leave, nil
}

// A meeting is how an interaction ended.
type meeting struct {
	submission, validator *ending // nil until it has ended
	independent           bool    // the validator ended before it could know of the submission's end
	silent                bool    // when the submission had ended, the validator ran on and neither had left anything unread
}

// meet waits for both to end, and notes who did so knowing what. If the validator
// ends first, meet passes its outcome to first.
func (a *attempt) meet(ends <-chan ending, link *link, first func(validator sandbox.Outcome)) (m meeting) {
	m.take(<-ends)
	m.silent = m.validator == nil && !link.fromSubmission.pending() && !link.fromValidator.pending()
	if m.validator == nil && a.hasFailed(m.submission) {
		dark, cancel := context.WithCancel(context.Background())
		select {
		case end := <-ends:
			m.take(end)
		case <-link.stillness(dark):
		}
		cancel()
	}
	m.independent = m.validator != nil
	// What goes to the one who is gone is drained from now on.
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

// take notes one end.
func (m *meeting) take(end ending) {
	if end.validator {
		m.validator = &end
	} else {
		m.submission = &end
	}
}

// hasFailed reports whether a submission has ended otherwise than well.
func (a *attempt) hasFailed(end *ending) bool {
	if end.err != nil {
		return false
	}
	own, _, err := verdictOf(end.outcome, a.limits)
	return err == nil && own != problem.Undecided
}

// stillness is closed when the validator has had its moment in the dark, or when
// ctx ends.
func (k *link) stillness(ctx context.Context) <-chan struct{} {
	still := make(chan struct{})
	go func() {
		defer close(still)
		begun := time.Now()
		read := begun // when it had nothing more to read
		for ctx.Err() == nil {
			now := time.Now()
			if k.fromSubmission.pending() && now.Sub(begun) < momentOfReading {
				read = now
			}
			moment := momentInTheDark
			if k.fromValidator.hungUp() {
				moment = momentOfEnding
			}
			if now.Sub(read) >= moment {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return still
}

// settle gives the verdict of an interaction.
func (a *attempt) settle(m meeting, submissionStderr, validatorStderr *Stderr) error {
	if err := a.judge(m.submission.outcome, submissionStderr); err != nil {
		return err
	}
	o, failure := a.exam.opinion(a.exam.examiners[0], m.validator.outcome, validatorStderr)
	switch whoCounts(a.run.Verdict, m.independent, o.accepts, failure != nil) {
	case noneCounts:
		return failure
	case validatorCounts:
		o.give(&a.run)
	case submissionCounts:
		if err := heldUp(m.submission.outcome, m.validator.outcome); err != nil {
			return err
		}
		if m.silent && bothWaited(m.submission.outcome) {
			a.run.Why += "; did it flush its output?"
		}
		o.tell(&a.run)
		if failure != nil {
			// It was no reaction to this, and no reason for it.
			a.run.Why += "; then " + failure.Error()
		}
	}
	return nil
}

type counts int

const (
	noneCounts counts = iota // the validator has failed, and nothing is known
	validatorCounts
	submissionCounts
)

// whoCounts says whose word decides an interaction: own is what the submission
// deserves by itself, undecided if it ended well. It depends on its arguments
// alone.
//
// A validator that has judged without knowing of the submission's end is believed
// if it rejects, whatever the submission did then. One that accepts has judged
// what was said, not how the submission ended. One that was told of a failure has
// nothing to add to it, even if it broke upon that; the format is silent, and
// other judges hold it so.
func whoCounts(own problem.Verdict, independent, accepts, failed bool) counts {
	switch {
	case failed && (independent || own == problem.Undecided):
		return noneCounts
	case failed:
		return submissionCounts
	case own == problem.Undecided || independent && !accepts:
		return validatorCounts
	}
	return submissionCounts
}

// heldUp returns an error if a submission was stopped after some real time for
// most of which it was the validator that computed. That proves nothing against
// the submission.
func heldUp(submission, validator sandbox.Outcome) error {
	if submission.Exceeded != sandbox.Wall || validator.CPU+validator.Waited <= submission.Limits.Wall/2 {
		return nil
	}
	return fmt.Errorf("the submission was stopped after %s of real time, for which the output validator let it wait: it used %s of CPU", units.Duration(submission.Wall), units.Duration(validator.CPU))
}

// bothWaited reports whether a submission that left nothing to read to either
// side was stopped while both waited. That the validator did not compute for most
// of the time is known from heldUp.
func bothWaited(submission sandbox.Outcome) bool {
	return submission.Exceeded == sandbox.Wall && submission.CPU+submission.Waited <= submission.Limits.Wall/2
}

// A link connects the two programs with two wires.
type link struct {
	fromSubmission, fromValidator *wire
	recorder                      *recorder // nil if nobody listens
}

// connect makes the wires and gives the programs their ends.
func (a *attempt) connect(submission, validator *sandbox.Cmd) (*link, error) {
	k := new(link)
	var said, answered func([]byte)
	if a.j.LogInteraction {
		k.recorder = &recorder{begun: time.Now(), room: a.run.Dialogue.room()}
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

// dialogue adds what was said in a pass to what was said before. Both programs
// have ended.
func (k *link) dialogue(before Dialogue, pass int) Dialogue {
	k.fromSubmission.wait()
	k.fromValidator.wait()
	return k.recorder.dialogue(before, pass)
}

// A wire leads from one program to the other: a pipe, or two with the judge
// between them if it listens.
type wire struct {
	speak, listen *os.File // the programs' ends
	held          bool     // the listener does not learn of the speaker's end before finish

	tap      *os.File // what the judge reads, if it listens; else nil
	finished chan struct{}
	copied   chan struct{} // closed when nothing will be heard any more
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

// copy passes on what is said.
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

// handedOver says that the speaker has its end.
func (l *wire) handedOver() {
	if !l.held || l.tap != nil {
		l.speak.Close()
	}
}

// finish lets the listener know that the speaker has ended.
func (l *wire) finish() {
	if l.tap != nil {
		close(l.finished)
	} else {
		l.speak.Close()
	}
}

// drain takes the place of the listener, which has ended.
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

// hungUp reports whether nobody holds the speaker's end any more.
func (l *wire) hungUp() bool {
	if l.tap != nil {
		return stateOf(l.tap).hungUp
	}
	return stateOf(l.listen).hungUp
}

// pending reports whether there is something that the listener has not read.
func (l *wire) pending() bool {
	return stateOf(l.listen).unread || l.tap != nil && stateOf(l.tap).unread
}

// A pipeState is what can be told of a pipe without taking anything out of it.
type pipeState struct {
	unread bool // there is something to read
	hungUp bool // nobody holds the writing end
}

// wait waits until all that was said has been heard. A stranger who still holds
// an end, where programs are not confined, is not waited for.
func (l *wire) wait() {
	select {
	case <-l.copied:
	case <-time.After(time.Second):
	}
}

// close gives up the judge's ends, and ends whoever reads from them.
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
