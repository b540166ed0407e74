package judge

import (
	"context"
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
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Exit statuses of validators (2025-09, "Reporting a judgement"). Crashes do not
// have these values, so no crash counts as a judgement.
const (
	validatorAccepts = 42
	validatorRejects = 43
)

// An examination judges one attempt with the output validators. Its folder and
// the feedback in it are kept for all passes. It is ready for use when its first
// four fields are set. The caller must close it.
type examination struct {
	j  *Judge
	p  *problem.Problem
	c  *problem.Case
	of *build.Program // the submission, whose files validators can read; nil if there is none

	dir           string // the temporary folder; "" until a validator is needed
	input, answer string // paths of files that a validator can open
	passInput     bool   // input is that of a later pass, not the case's own
	examiners     []*examiner
}

// An examiner is one output validator, or the static validator.
type examiner struct {
	kind     string // "" means output validator; for messages
	at       string // the place of its source, for messages
	program  *build.Program
	testlib  bool   // it follows testlib's conventions
	feedback string // its feedback folder
}

// open makes the folder and builds the validators at the first call.
func (e *examination) open(ctx context.Context, validators []*problem.Program) error {
	if e.dir != "" {
		return nil
	}
	dir, err := os.MkdirTemp(e.j.tmp, "check-")
	if err != nil {
		return err
	}
	e.dir = dir
	for i, v := range validators {
		x := &examiner{at: e.p.Where(v.Path), feedback: filepath.Join(dir, "feedback")}
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
		e.examiners = append(e.examiners, x)
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
func (e *examination) close() error {
	if e.dir == "" {
		return nil
	}
	return osfile.RemoveAll(e.dir)
}

// finish reads the score files after the last pass. If several validators give a
// score, that of the last one counts.
func (e *examination) finish(run *Run) error {
	if run.Verdict != problem.Accepted && run.Verdict != problem.WrongAnswer {
		return nil
	}
	for _, x := range e.examiners {
		if x.testlib {
			continue // its score was in its exit status and message
		}
		if err := x.readScores(e, run); err != nil {
			return err
		}
	}
	return nil
}

// examine judges an output with the output validators of the package, or with the
// default one. A legacy package may have several validators: all must accept, and
// the first one that rejects gives the reason.
func (e *examination) examine(ctx context.Context, output func() (io.ReadCloser, error), run *Run) error {
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
	for i, x := range e.examiners {
		next := *run
		if err := e.ask(ctx, x, output, &next); err != nil {
			return err
		}
		if i == 0 || run.Verdict == problem.Accepted {
			*run = next
		}
	}
	return nil
}

// ask runs one output validator on the output of a program that has ended.
func (e *examination) ask(ctx context.Context, x *examiner, output func() (io.ReadCloser, error), run *Run) error {
	r, err := output()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd, leave, err := e.command(x)
	if err != nil {
		return err
	}
	defer leave()
	stderr := &Stderr{Most: KeptSaid}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, stderr, stderr
	if x.testlib {
		name := filepath.Join(e.dir, "output")
		if err := copyTo(name, r); err != nil {
			return err
		}
		cmd.Args, cmd.Reads, cmd.Stdin = append(cmd.Args, e.input, name, e.answer), append(cmd.Reads, name), nil
	} else {
		cmd.Args = slices.Concat(cmd.Args, []string{e.input, e.answer, x.folder()}, e.c.OutputValidatorArgs)
	}
	out, err := e.j.runner.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("output validator: %w", err)
	}
	o, err := e.opinion(x, out, stderr)
	if err != nil {
		return err
	}
	o.give(run)
	return nil
}

// writtenPerOutput is the ratio of the bytes that a validator may write in total
// to its output limit.
const writtenPerOutput = 4

// folder returns the feedback folder as an argument. The separator at the end is
// part of the format: a validator may append a file name to the argument.
func (x *examiner) folder() string { return x.feedback + string(filepath.Separator) }

// command returns the command of a validator, without its arguments and streams.
// The caller calls leave when the validator has ended; leave returns or removes
// the working folder.
//
// The working folder has only the files of the submission (2025-09, "Working
// directory"), and is empty without a submission. For an output validator with a
// run script, and in other versions of the format, it has the files of the
// validator instead, as in other judges, because scripts call the files beside
// them.
func (e *examination) command(x *examiner) (cmd sandbox.Cmd, leave func(), err error) {
	if x.testlib && len(e.c.OutputValidatorArgs) > 0 {
		return cmd, nil, &problem.Defect{File: e.c.WhereConfig(), Msg: fmt.Sprintf("output validator %s is made with testlib and takes no arguments", x.at)}
	}
	cmd = sandbox.Cmd{
		Args: slices.Clone(x.program.Args), Reads: slices.Clone(x.program.Reads), OpenFiles: x.program.Files, Writes: []string{x.feedback},
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

// An opinion is the decision of a validator about an output.
type opinion struct {
	accepts       bool
	message, team string
	score         *float64
}

// opinion reads the decision of a validator that has ended. An invalid decision is
// a failure of the judge.
func (e *examination) opinion(x *examiner, out sandbox.Outcome, stderr *Stderr) (o opinion, err error) {
	if x.testlib {
		return x.testlibOpinion(e, out, stderr)
	}
	if err := crashed(out, validatorAccepts, validatorRejects); err != nil {
		return o, x.errorf("%w%s", err, e.j.Reason(x.at, e.c.Name, stderr))
	}
	if err := x.overfull(e.p.Checking.Output); err != nil {
		return o, err
	}
	return opinion{
		accepts: out.Exit == validatorAccepts,
		message: message(x.feedback, "judgemessage.txt"),
		team:    message(x.feedback, "teammessage.txt"),
	}, nil
}

// give sets the verdict, the messages and the score of a run.
func (o opinion) give(run *Run) {
	o.tell(run)
	why := text.FirstLine(run.Message)
	if why == "" {
		why = "rejected by the output validator"
	}
	run.judged(o.accepts, why)
}

// tell sets the messages and the score of a run, but not the verdict.
func (o opinion) tell(run *Run) {
	run.message = o.message
	run.Message = text.Clip(o.message, keptMessage)
	run.Team = text.Clip(o.team, keptMessage)
	if o.score != nil {
		run.Score = o.score
	}
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
	e := examination{j: j, p: p, c: c}
	defer e.close()
	err := e.examine(ctx, func() (io.ReadCloser, error) { return problem.OpenRegular(c.FS, c.Path(ext)) }, &run)
	return run, err
}

// byDefault judges an output with the default validator.
func (e *examination) byDefault(output io.Reader, run *Run) error {
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
