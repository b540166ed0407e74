package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// Exit statuses of validators (2025-09, "Reporting a judgement"). Crashes do not
// have these values, so no crash counts as a decision.
const (
	validatorAccepts = 42
	validatorRejects = 43
)

// A validation judges one attempt with the output validators. Its folder and the
// feedback in it are kept for all passes. It is ready for use when its first four
// fields are set. The caller must close it.
type validation struct {
	j  *Judge
	p  *problem.Problem
	c  *problem.Case
	of *build.Program // the submission, whose files validators can read; nil if there is none

	dir           string // the temporary folder; "" until a validator is needed
	input, answer string // paths of files that a validator can open
	passInput     bool   // input is that of a later pass, not the case's own
	validators    []*validator
}

// A validator is an output validator or the static validator.
type validator struct {
	kind     string // "output validator" or "static validator", for messages
	at       string // the place of its source, for messages
	program  *build.Program
	testlib  bool   // it follows testlib's conventions
	feedback string // its feedback folder
	before   string // judgemessage.txt of the passes before
}

// open makes the folder and builds the validators at the first call.
func (e *validation) open(ctx context.Context, validators []*problem.Program) error {
	if e.dir != "" {
		return nil
	}
	dir, err := os.MkdirTemp(e.j.tmp, "check-")
	if err != nil {
		return err
	}
	e.dir = dir
	for i, v := range validators {
		x := &validator{kind: "output validator", at: e.p.Where(v.Path), feedback: filepath.Join(dir, "feedback")}
		if i > 0 {
			x.feedback += strconv.Itoa(i + 1)
		}
		if x.program, err = e.j.BuildValidator(ctx, v, e.p.Checking); err != nil {
			return err
		}
		if x.testlib, err = e.j.followsTestlib(v); err != nil {
			return err
		}
		if err := osfile.Mkdir(x.feedback); err != nil {
			return err
		}
		e.validators = append(e.validators, x)
	}
	if e.c.Static != nil {
		return nil
	}
	if e.input, err = e.c.Real(dir, ".in"); err != nil {
		return err
	}
	e.answer, err = e.c.Real(dir, ".ans")
	return err
}

// close removes the folder.
func (e *validation) close() error {
	if e.dir == "" {
		return nil
	}
	return osfile.RemoveAll(e.dir)
}

// finish reads the score files after the last pass. If several validators give a
// score, that of the last one counts.
func (e *validation) finish(run *Run) error {
	if run.Verdict != problem.Accepted && run.Verdict != problem.WrongAnswer {
		return nil
	}
	for _, x := range e.validators {
		if x.testlib {
			continue // its score was in its exit status and message
		}
		if err := x.readScores(e, run); err != nil {
			return err
		}
	}
	return nil
}

// validate judges an output with the output validators of the package, or with the
// default one. A legacy package may have several validators: all must accept, and
// the first one that rejects gives the reason.
func (e *validation) validate(ctx context.Context, output func() (io.ReadCloser, error), run *Run) error {
	if e.p.OutputValidators == nil {
		r, err := output()
		if err != nil {
			return err
		}
		defer r.Close()
		return e.byDefault(r, run)
	}
	if err := e.open(ctx, e.p.OutputValidators); err != nil {
		return err
	}
	for i, x := range e.validators {
		d, err := e.decide(ctx, x, output)
		if err != nil {
			return err
		}
		if i == 0 || run.Verdict == problem.Accepted {
			d.apply(run)
		}
		if err := e.visualize(ctx, x, output, run); err != nil {
			return err
		}
	}
	return nil
}

// decide runs an output validator on the output of a program that has ended.
func (e *validation) decide(ctx context.Context, x *validator,
	output func() (io.ReadCloser, error)) (d decision, err error) {
	r, err := output()
	if err != nil {
		return d, err
	}
	defer r.Close()
	if !x.testlib {
		return e.run(ctx, x, r, nil, e.arguments(x, "")...)
	}
	name := filepath.Join(e.dir, "output")
	if err := copyTo(name, r); err != nil {
		return d, err
	}
	return e.run(ctx, x, nil, []string{name}, e.arguments(x, name)...)
}

// arguments returns the arguments of an output validator. The output is a file that
// a checker of testlib reads or an interactor of testlib writes.
func (e *validation) arguments(x *validator, output string) []string {
	if x.testlib {
		return []string{e.input, output, e.answer}
	}
	return append([]string{e.input, e.answer, x.folder()}, e.c.OutputValidatorArgs...)
}

// run runs a validator and returns its decision. The validator may read the files in
// reads.
func (e *validation) run(ctx context.Context, x *validator, stdin io.Reader, reads []string,
	args ...string) (d decision, err error) {
	cmd, leave, err := e.command(x)
	if err != nil {
		return d, err
	}
	defer leave()
	stderr := &Stderr{Most: KeptSaid}
	cmd.Args, cmd.Reads = append(cmd.Args, args...), append(cmd.Reads, reads...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stderr, stderr
	out, err := e.j.runner.Run(ctx, cmd)
	if err != nil {
		return d, fmt.Errorf("%s: %w", x.kind, err)
	}
	return e.decision(x, out, stderr)
}

// writtenPerOutput is the ratio of the bytes that a validator may write in total
// to its output limit.
const writtenPerOutput = 4

// folder returns the feedback folder as an argument. The separator at the end is
// part of the format: a validator may append a file name to the argument.
func (x *validator) folder() string { return x.feedback + string(filepath.Separator) }

// command returns the command of a validator, without its arguments and streams.
// The caller calls leave when the validator has ended; leave returns or removes
// the working folder.
//
// The working folder has only the files of the submission (2025-09, "Working
// directory"), and is empty without a submission. For an output validator with a
// run script, and in other versions of the format, it has the files of the
// validator instead, as in other judges, because scripts call the files beside
// them.
func (e *validation) command(x *validator) (cmd sandbox.Cmd, leave func(), err error) {
	if x.testlib && len(e.c.OutputValidatorArgs) > 0 {
		return cmd, nil, &problem.Defect{File: e.c.WhereConfig(),
			Msg: fmt.Sprintf("output validator %s is made with testlib and takes no arguments", x.at)}
	}
	cmd = sandbox.Cmd{
		Args: slices.Clone(x.program.Args), Reads: slices.Clone(x.program.Reads), OpenFiles: x.program.Files,
		Writes: []string{x.feedback},
		Limits: build.LimitsOf(e.p.Checking),
	}
	// Other limits bound its streams and its files. This one bounds what it
	// writes to a submission. It is larger than the output limit, because data
	// between the processes of a validator is not output.
	cmd.Limits.Written = writtenPerOutput * cmd.Limits.Output
	cmd.Limits.Files = cmd.Limits.Written
	// Slightly above the limit, so that overfull detects an excess.
	cmd.Limits.FileSize = cmd.Limits.Output + 4<<10
	if e.c.Static == nil {
		cmd.Reads = append(cmd.Reads, e.input, e.answer)
	}
	place := x.program
	if e.c.Static != nil || e.p.Spec().Strict && x.program.Tree == "" {
		cmd.Args, cmd.Reads = fromElsewhere(x.program, cmd.Args, cmd.Reads)
		place = e.of
	}
	if place == nil {
		cmd.Dir = filepath.Join(e.dir, "empty")
		if err := osfile.Mkdir(cmd.Dir); err != nil {
			return cmd, nil, err
		}
		return cmd, func() { osfile.RemoveAll(cmd.Dir) }, nil
	}
	if cmd.Dir, err = place.Folder(e.j.tmp); err != nil {
		return cmd, nil, err
	}
	return cmd, func() { place.Leave(cmd.Dir, e.j.confined()) }, nil
}

// fromElsewhere changes a command that expects to start in a folder with the
// program's files, so that it can start in another folder. It returns the new
// arguments and the paths to read.
func fromElsewhere(b *build.Program, args, reads []string) ([]string, []string) {
	src := filepath.Join(b.Dir, "src")
	for i, a := range args {
		if name, ok := strings.CutPrefix(a, "./"); ok {
			args[i] = filepath.Join(src, filepath.FromSlash(name))
			if !slices.Contains(reads, src) {
				reads = append(reads, src)
			}
		}
	}
	return args, reads
}

// A decision is the result of a validator for an output.
type decision struct {
	accepts       bool
	message, team string   // for the jury and for the team
	score         *float64 // points of a testlib checker; nil if there are none
}

// decision reads the decision of a validator that has ended. An invalid decision is
// a failure of the judge.
func (e *validation) decision(x *validator, out sandbox.Outcome, stderr *Stderr) (d decision, err error) {
	if x.testlib {
		return x.testlibDecision(e, out, stderr)
	}
	if err := crashed(out, validatorAccepts, validatorRejects); err != nil {
		return d, x.errorf("%w%s", err, x.reason(e, stderr))
	}
	if err := x.overfull(e.p.Checking.Output); err != nil {
		return d, &Crash{out, err}
	}
	return decision{
		accepts: out.Exit == validatorAccepts,
		message: message(x.feedback, judgeMessage),
		team:    message(x.feedback, "teammessage.txt"),
	}, nil
}

// apply sets the verdict, the messages and the score of a run.
func (d decision) apply(run *Run) {
	d.describe(run)
	run.judged(d.accepts, cmp.Or(terminal.FirstLine(run.Message), "rejected by the output validator"))
}

// describe sets the messages and the score of a run, but not the verdict.
func (d decision) describe(run *Run) {
	run.FullMessage = d.message
	run.Message = terminal.Excerpt(d.message, keptMessage)
	run.Team = terminal.Excerpt(d.team, keptMessage)
	if d.score != nil {
		run.Score = d.score
	}
}

// A Crash is the error for a program of the package that ended without a decision: it
// exceeded a limit, was killed, or ended with an unexpected exit status.
type Crash struct {
	Outcome sandbox.Outcome
	why     error
}

// Error returns what happened.
func (c *Crash) Error() string { return c.why.Error() }

// ErrCrashed matches every [Crash].
var ErrCrashed = errors.New("a validator decided nothing")

// Is reports whether target is [ErrCrashed].
func (c *Crash) Is(target error) bool { return target == ErrCrashed }

// Unwrap returns the error without the outcome.
func (c *Crash) Unwrap() error { return c.why }

// crashed returns a [Crash] unless the validator ended by itself with one of the
// statuses.
func crashed(o sandbox.Outcome, statuses ...int) error {
	switch {
	case o.Exceeded != "":
		return &Crash{o, beyondLimit(o)}
	case o.Signal != 0:
		return &Crash{o, fmt.Errorf("was killed by %s", terminal.SignalName(o.Signal))}
	case !slices.Contains(statuses, o.Exit):
		return &Crash{o, fmt.Errorf("exit status %d, expected %d to accept or %d to reject", o.Exit, validatorAccepts,
			validatorRejects)}
	}
	return nil
}

// beyondLimit returns an error that names the limit that a program of the package
// exceeded. For the format, everything that a program writes is output.
func beyondLimit(o sandbox.Outcome) error {
	what := o.Exceeded
	if what == sandbox.Written || what == sandbox.FileSize || what == sandbox.Files {
		what = sandbox.Output
	}
	return fmt.Errorf("went beyond its %s limit", what)
}

// copyTo writes everything from r to a new file that all users can read.
func copyTo(name string, r io.Reader) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, osfile.Perm)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, r); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return osfile.Unmask(name, osfile.Perm)
}

// CheckOutput judges the case's file with the extension ext, such as ".ans", as
// an output of a program. It uses the package's output validators, or the default
// one. It requires Start. The error is a failure of the judge or of the package.
func (j *Judge) CheckOutput(ctx context.Context, p *problem.Problem, c *problem.Case, ext string) (Run, error) {
	run := Run{Case: c.Name}
	e := validation{j: j, p: p, c: c}
	defer e.close()
	err := e.validate(ctx, func() (io.ReadCloser, error) { return problem.OpenRegular(c.FS, c.Path(ext)) }, &run)
	return run, err
}

// byDefault judges an output with the default validator.
func (e *validation) byDefault(output io.Reader, run *Run) error {
	rules, err := check.ParseRules(e.c.OutputValidatorArgs)
	if err != nil {
		return &problem.Defect{File: e.c.WhereConfig(), Msg: err.Error()}
	}
	answer, err := problem.OpenRegular(e.c.FS, e.c.Path(".ans"))
	if err != nil {
		return err
	}
	defer answer.Close()
	found, err := rules.Check(check.Case{Answer: answer, Output: output})
	if err != nil {
		return err
	}
	run.judged(found.OK, found.Why)
	run.Diff = found.Diff
	return nil
}

// judged sets the verdict of an output validator: AC, or WA with a reason.
func (r *Run) judged(ok bool, why string) {
	r.Verdict, r.Why = problem.WrongAnswer, why
	if ok {
		r.Verdict, r.Why = problem.Accepted, ""
	}
}
