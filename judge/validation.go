package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
		AddEnv: x.program.Env, Writes: []string{x.feedback},
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

// Files in the feedback folder of a validator (2025-09, "Reporting additional
// feedback"). A submission may cause a validator to write anything, and a
// validator may be faulty. So every file is read up to a bound, and an invalid
// file is a failure of the validator, not of the submission.

const (
	keptMessage = 4 << 10 // bytes of a message that a report keeps
	maxMessage  = 1 << 20 // bytes of a message that expectations search
	maxScore    = 4 << 10 // bytes of a file with one number
)

// judgeMessage is the feedback file with the message for the jury.
const judgeMessage = "judgemessage.txt"

// message reads a feedback file up to a bound. It returns "" for anything but a
// regular file.
func message(dir, name string) string {
	data, _, _ := osfile.ReadBack(dir, name, maxMessage)
	return string(data)
}

// reason returns ": " and the reason why the validator failed, as [Judge.Reason] does. What
// an earlier pass left in judgemessage.txt is not the reason.
func (x *validator) reason(e *validation, stderr *Stderr) string {
	said := strings.TrimPrefix(message(x.feedback, judgeMessage), x.before)
	return e.j.reason(x.at, e.c.Name, said, stderr)
}

// readScores stores the score files of a validator in the run; the groups compute
// the score of the case from them. In 2025-09 there may be a score or a
// multiplier, not both; neither is negative, and a multiplier is at most 1. For
// samples both are ignored. Legacy packages allow any score.
func (x *validator) readScores(e *validation, run *Run) error {
	legacy := e.p.Spec().Legacy
	if !e.p.Is(problem.Scoring) || e.c.Sample() && !legacy {
		return nil
	}
	score, err := x.number("score.txt")
	if err != nil {
		return err
	}
	if legacy {
		if score != nil {
			run.Score = score
		}
		return nil
	}
	multiplier, err := x.number("score_multiplier.txt")
	switch {
	case err != nil:
		return err
	case score != nil && multiplier != nil:
		return x.errorf("leaves both score.txt and score_multiplier.txt; expected one of them, or none")
	case score != nil && *score < 0:
		return x.errorf("score.txt: %v, expected 0 or more", *score)
	case multiplier != nil && (*multiplier < 0 || *multiplier > 1):
		return x.errorf("score_multiplier.txt: %v, expected a number from 0 to 1", *multiplier)
	}
	if score != nil {
		run.Score = score
	}
	run.Multiplier = multiplier
	return nil
}

// number reads a feedback file with one number. It returns nil if there is no
// file.
func (x *validator) number(name string) (*float64, error) {
	info, err := os.Lstat(filepath.Join(x.feedback, name))
	if err != nil {
		return nil, nil
	}
	data, ok, err := osfile.ReadBack(x.feedback, name, maxScore+1)
	switch {
	case err != nil:
		return nil, x.errorf("%s: %w", name, err)
	case !ok:
		return nil, x.errorf("leaves %s, which is no regular file but %s", name, kindOf(info.Mode()))
	}
	text := strings.Trim(string(data), " \t\r\n")
	n, ok := check.ParseFloat(text)
	if !ok || len(data) > maxScore {
		return nil, x.errorf("%s: %s, expected a number such as 0.25", name, check.Clip(text))
	}
	return &n, nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	}
	return "something else"
}

// errorf returns a failure of the validator.
func (x *validator) errorf(format string, args ...any) error {
	return fmt.Errorf("%s %s: %w", x.kind, x.at, fmt.Errorf(format, args...))
}

// maxFeedbackFiles is the maximum number of files and folders in a feedback
// folder.
const maxFeedbackFiles = 100_000

// overfull returns an error if the feedback folder has more than most bytes,
// which a validator may not write (2025-09, "Resource guarantees"). The sandbox
// bounds single files. It bounds their sum only if it counts written bytes.
func (x *validator) overfull(most int64) error {
	size := int64(0)
	return x.each(func(_ *os.Root, _ string, info fs.FileInfo) error {
		if info.Mode().IsRegular() {
			size += info.Size()
		}
		if size > most {
			return x.errorf("left more than %s in its feedback folder", terminal.Bytes(most))
		}
		return nil
	})
}

// share makes the files writable for the validator of the next pass, which may
// run as another user in a box. The parent folder denies access to all other
// users.
func (x *validator) share() error {
	return x.each(func(root *os.Root, name string, info fs.FileInfo) error {
		switch mode := info.Mode(); {
		case mode.IsDir():
			return root.Chmod(name, mode.Perm()|0o777)
		case mode.IsRegular():
			return root.Chmod(name, mode.Perm()|0o666)
		}
		return nil
	})
}

// each calls do for each file and folder in the feedback folder, and returns the
// first error. Unreadable folders in it count as empty. Too many files or levels
// of folders are an error.
func (x *validator) each(do func(*os.Root, string, fs.FileInfo) error) error {
	root, err := os.OpenRoot(x.feedback)
	if err != nil {
		return err
	}
	defer root.Close()
	files := 0
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if files++; files > maxFeedbackFiles || strings.Count(name, "/") > osfile.MaxDepth {
			return x.errorf("left more than %d files in its feedback folder, or files more than %d folders deep",
				maxFeedbackFiles, osfile.MaxDepth)
		}
		info, err := e.Info()
		if err != nil || name == "." {
			return nil
		}
		return do(root, name, info)
	})
}

// Validators made with testlib, MikeMirzayanov's library for checkers and
// interactors (testlib.h, github.com/MikeMirzayanov/testlib), have conventions of
// their own:
//
//	checker     INPUT OUTPUT ANSWER
//	interactor  INPUT TOUT ANSWER   its streams connected to the submission's
//	validator   of inputs or answers, as the format's, but 0 accepts, too
//
// The judgement is the exit status, and a message goes to standard error. A
// testlib.h that was made for the problem package format defines the format's
// statuses; then the program is a validator like any other.

// followsTestlib reports whether a validator follows testlib's conventions.
func (j *Judge) followsTestlib(p *problem.Program) (bool, error) {
	if known, ok := j.testlib.Load(p); ok {
		return known.(bool), nil
	}
	files, err := p.Read()
	if err != nil {
		return false, err
	}
	known, _ := j.testlib.LoadOrStore(p, problem.FollowsTestlib(files, p.Checks != ""))
	return known.(bool), nil
}

// testlibDecision reads the decision of a testlib checker from its exit status: _ok,
// _wa, _pe, _fail, _dirt, _points, _unexpected_eof, and from 16 to 100 _partially
// with as many points. Points below 16 would be ambiguous; shells use statuses
// above 100 for missing and killed programs. Any other status is a failure. Points
// are the score on a scoring problem; on others, partly right means wrong.
func (x *validator) testlibDecision(e *validation, out sandbox.Outcome, stderr *Stderr) (d decision, err error) {
	d.message = strings.TrimSpace(stderr.String())
	if out.Exceeded != "" || out.Signal != 0 {
		return d, x.errorf("%w%s", crashed(out), x.reason(e, stderr))
	}
	points := float64(out.Exit)
	switch {
	case out.Exit == 0:
		d.accepts = true
		return d, nil
	case out.Exit == 1, out.Exit == 2, out.Exit == 4, out.Exit == 8:
		// A presentation error, extra output, and output that ends too early are wrong
		// answers: a validator of the format has no other way to reject.
		return d, nil
	case out.Exit == 7:
		if points, err = testlibPoints(d.message); err != nil {
			return d, x.errorf("exit status %d of testlib: %w", out.Exit, err)
		}
	case out.Exit < 16 || out.Exit > 100:
		err := &Crash{out, fmt.Errorf("exit status %d of testlib: expected 0 to accept, or 1, 2, 4 or 8 to reject", out.Exit)}
		return d, x.errorf("%w%s", err, x.reason(e, stderr))
	}
	switch {
	case e.p.Is(problem.Scoring):
		d.accepts, d.score = true, &points
	case out.Exit == validatorAccepts, out.Exit == validatorRejects:
		// These points equal the format's own statuses, and the problem has no scores:
		// more likely the program does not use testlib's statuses.
		return d, x.errorf("exit status %d, and it includes testlib.h, whose statuses are 0 to accept, or 1, 2, 4 or 8 to "+
			"reject; expected those, or OK_EXIT_CODE defined as %d%s", out.Exit, validatorAccepts, x.reason(e, stderr))
	}
	return d, nil
}

// testlibPoints reads the score from a message such as "points 12.5 as good as
// the best".
func testlibPoints(message string) (float64, error) {
	words := strings.Fields(message)
	if len(words) > 0 && words[0] == "points" {
		words = words[1:]
	}
	if len(words) == 0 {
		return 0, fmt.Errorf("no points in its message")
	}
	points, ok := check.ParseFloat(words[0])
	if !ok || points < 0 {
		return 0, fmt.Errorf("points %s: expected a number such as 12.5, 0 or more", check.Clip(words[0]))
	}
	return points, nil
}
