package judge

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// keptOutput is the maximum length of Run.Output, in bytes.
const keptOutput = 64 << 10

// attempt judges one case Repeat times and returns the run that counts. The
// caller has acquired a job; attempt releases it. If all that remains to be done is to
// compare the output, which takes no job, attempt then calls next, unless it is nil.
//
// If other programs may have changed the verdict (see doubt), attempt runs the case
// once more, alone, and the lower time counts: other programs can only slow a program
// down.
func (x *Session) attempt(ctx context.Context, c *problem.Case, release, next func()) Run {
	x.j.Tell(Event{Kind: Running, Submission: x.s, Case: c})
	if stored := x.stored[c]; stored != nil {
		release()
		return x.ran(c, *stored)
	}
	times := max(x.j.Repeat, 1)
	if c.Static != nil || x.s.Problem.Is(problem.SubmitAnswer) {
		times = 1 // no program runs whose time could differ
	}
	a, released := x.begin(), false
	if next != nil && times == 1 && x.comparesOutput() {
		a.ended = func() {
			released = true
			release()
			next()
		}
	}
	run := x.try(ctx, c, a)
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
	if !released {
		release()
	}
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

// comparesOutput reports whether the judge itself judges the output of the only program of
// an attempt.
func (x *Session) comparesOutput() bool {
	p := x.s.Problem
	return p.OutputValidators == nil && !x.j.Instructions && !p.Is(problem.MultiPass) && !p.Is(problem.Interactive)
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
	ended    func()         // is called when the program has ended normally; may be nil
	emulated bool           // the attempt only counts instructions
	answer   io.Writer      // receives the output, which is not judged; nil if it is
	same     []byte         // an output that is accepted without validators; nil if none is
}

// Try runs the submission on a case and judges its output. Unlike with Run, the case need
// not be one of the problem, the report does not have the run, and concurrent calls are
// allowed. The caller has acquired a job.
func (x *Session) Try(ctx context.Context, c *problem.Case) Run { return x.try(ctx, c, x.begin()) }

// begin returns an attempt that judges the output.
func (x *Session) begin() *attempt { return &attempt{runner: x.j.runner, limits: x.limits} }

func (x *Session) try(ctx context.Context, c *problem.Case, a *attempt) Run {
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
	if a.ended != nil && o.Exceeded == "" && o.Signal == 0 && o.Exit == 0 {
		a.ended()
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

// nextPass is the file with which a validator requests another pass.
const nextPass = "nextpass.in"

// executePasses runs the program as long as the validator accepts and leaves the
// input of another pass (2025-09, "Multi-pass validation"). The limits apply to
// each pass separately. The program sees no files of earlier passes; the
// validator sees its feedback.
func (a *attempt) executePasses(ctx context.Context) error {
	for {
		if err := a.execute(ctx); err != nil {
			return fmt.Errorf("pass %d: %w", a.passes, err)
		}
		again, err := a.output.takeNextPass(&a.run, a.passes)
		if err != nil {
			return fmt.Errorf("pass %d: %w", a.passes, err)
		}
		if !again {
			if a.passes > 1 && a.run.Why != "" {
				a.run.Why = fmt.Sprintf("pass %d: %s", a.passes, a.run.Why)
			}
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// add adds the outcome of a pass to the run. In a multi-pass problem the run has the
// exit status, signal and exceeded limit of its last pass, and the maximum usage of
// all passes, because a limit applies to each pass.
func (r *Run) add(o sandbox.Outcome, multi bool) {
	if !multi {
		r.Outcome = o
		return
	}
	if p := &r.Outcome; r.Passes > 0 {
		if p.CPU > o.CPU {
			o.CPU, o.User, o.Sys = p.CPU, p.User, p.Sys
		}
		if p.Wall > o.Wall {
			o.Wall, o.Waited = p.Wall, p.Waited
		}
		o.Memory, o.Instructions = max(o.Memory, p.Memory), max(o.Instructions, p.Instructions)
		if p.Output > o.Output {
			o.Output, o.Stderr = p.Output, p.Stderr
		}
		o.Beside = max(o.Beside, p.Beside)
		o.Written, o.Files = max(o.Written, p.Written), max(o.Files, p.Files)
	}
	r.Outcome = o
	r.Passes++
}

// takeNextPass reports whether there is another pass, and moves its input out of
// the feedback folder. The input becomes that of the program or, in an
// interaction, of the validator only. In both cases it becomes the validator's
// input_file: this is "given on standard input to the program whose results are
// being validated" (2025-09, "Invocation"), and validators for BAPCtools and
// DOMjudge rely on it. The format exempts only visualizers: their file is the case's.
func (e *validation) takeNextPass(run *Run, passes int) (bool, error) {
	if run.Verdict != problem.Accepted && run.Verdict != problem.WrongAnswer || len(e.validators) == 0 {
		return false, nil
	}
	x := e.validators[0]
	file := filepath.Join(x.feedback, nextPass)
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case run.Verdict != problem.Accepted:
		return false, x.errorf("rejects, and leaves %s, too; expected one or the other", nextPass)
	case !info.Mode().IsRegular():
		return false, x.errorf("leaves %s, which is no regular file", nextPass)
	case info.Size() > e.p.Checking.Output:
		return false, x.errorf("leaves %s of %s, expected at most %s", nextPass, terminal.Bytes(info.Size()),
			terminal.Bytes(e.p.Checking.Output))
	case passes >= e.p.Passes:
		return false, x.errorf("asks for pass %d, and there are %d at most (validation_passes)", passes+1, e.p.Passes)
	}
	data, ok, err := osfile.ReadBack(x.feedback, nextPass, e.p.Checking.Output)
	if err == nil && !ok {
		err = x.errorf("leaves %s, which is no regular file", nextPass)
	}
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil {
		return false, err
	}
	if err := x.share(); err != nil {
		return false, err
	}
	x.before = message(x.feedback, judgeMessage)
	e.input = filepath.Join(e.dir, fmt.Sprintf("pass-%d.in", passes+1))
	if err := os.WriteFile(e.input, data, osfile.Perm); err != nil {
		return false, err
	}
	e.passInput = true
	return true, osfile.Unmask(e.input, osfile.Perm)
}

// openInput opens the input of the program in this pass.
func (e *validation) openInput() (io.ReadCloser, error) {
	if e.passInput {
		return os.Open(e.input)
	}
	return e.c.Input()
}

// inspect judges a static validation case. It runs only the static validator,
// which reads the submission's files and judges as an output validator does
// (2025-09, "Static validator").
func (a *attempt) inspect(ctx context.Context) error {
	e := &a.output
	if e.p.StaticValidator == nil {
		return &problem.Defect{File: e.p.Where("static_validator"), Msg: "is missing, and " + a.c.Name + " needs it"}
	}
	if err := e.open(ctx, []*problem.Program{e.p.StaticValidator}); err != nil {
		return err
	}
	x := e.validators[0]
	x.kind, x.testlib = "static validator", false // testlib has no convention for it
	d, err := e.run(ctx, x, nil, nil, append([]string{a.s.Language.Code, a.program.Entry, x.folder()},
		a.c.Static.Args...)...)
	if err != nil {
		return err
	}
	d.apply(&a.run)
	if !d.accepts && d.message == "" {
		a.run.Why = "rejected by the static validator"
	}
	return nil
}

// Submissions to problems of type submit-answer are answers, not programs
// (2025-09, "Type"). The format does not define their form. This judge accepts
//
//	a folder, or a zip, with a file for each case that is answered: NAME.ans or
//	NAME.out. NAME is the case's name, or the name without some of its first
//	folders; the longest name that exists counts. A shortened name that also fits
//	a secret case does not answer a sample
//	a single file with such a name
//	a single file of any name, if there is one secret case: its answer
//
// A case without an answer is a wrong answer. The code limit does not apply,
// because answers are not code; the output limit applies to each answer.

// answerExtensions are the extensions of answer files, as of a case's own answers
// and outputs.
var answerExtensions = []string{".ans", ".out"}

// readAnswer judges the answer to the case. It runs no program but the validator.
func (a *attempt) readAnswer(ctx context.Context) error {
	files, names, err := answers(a.s)
	var broken *brokenAnswers
	switch {
	case errors.As(err, &broken):
		a.run.Verdict, a.run.Why = problem.WrongAnswer, broken.why
		return nil
	case err != nil:
		return err
	}
	name := answerTo(a.c, a.s.Problem.Cases, names, onlyAnswer(a.s, names))
	if name == "" {
		a.run.Verdict = problem.WrongAnswer
		a.run.Why = fmt.Sprintf("no answer: expected a file %s.ans in the submission", path.Base(a.c.Name))
		return nil
	}
	info, err := fs.Stat(files, name)
	if err != nil {
		return problem.Unreadable(files, name, err)
	}
	a.run.Outcome.Output = info.Size()
	if most := a.limits.Output; most > 0 && info.Size() > most {
		a.run.Verdict, a.run.Why = problem.OutputLimit, fmt.Sprintf("%s has %s, limit %s", path.Base(name),
			terminal.Bytes(info.Size()), terminal.Bytes(most))
		return nil
	}
	open := func() (io.ReadCloser, error) { return problem.OpenRegular(files, name) }
	if a.j.KeepOutput {
		if a.run.Output, err = startOf(open); err != nil {
			return err
		}
	}
	return a.output.validate(ctx, open, &a.run)
}

// startOf returns the part of an answer that a Run keeps.
func startOf(open func() (io.ReadCloser, error)) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, keptOutput))
}

// answers returns the files of a submission: a file system and the names in it.
func answers(s *problem.Submission) (fs.FS, []string, error) {
	switch {
	case s.IsFolder:
		files, err := fs.Sub(s.FS, s.Path)
		return files, s.Files, err
	case strings.EqualFold(path.Ext(s.Path), ".zip"):
		return zippedAnswers(s)
	}
	files, err := fs.Sub(s.FS, path.Dir(s.Path))
	return files, []string{path.Base(s.Path)}, err
}

// A brokenAnswers is a failure of the submission: its zip cannot be used.
type brokenAnswers struct{ why string }

func (b *brokenAnswers) Error() string { return b.why }

// zippedAnswers returns the files of a zip, which is read into memory up to a
// bound.
func zippedAnswers(s *problem.Submission) (fs.FS, []string, error) {
	data, err := problem.ReadBounded(s.FS, s.Path, problem.MaxProgramBytes)
	if err != nil {
		return nil, nil, err
	}
	broken := func(why string) error { return &brokenAnswers{path.Base(s.Path) + " " + why} }
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, broken("is no zip: " + err.Error())
	}
	problem.SlashNames(z)
	var names []string
	for _, f := range z.File {
		switch {
		case f.FileInfo().IsDir() || !fs.ValidPath(f.Name):
		case len(names) == problem.MaxProgramFiles:
			return nil, nil, broken(fmt.Sprintf("has more than %d files", problem.MaxProgramFiles))
		default:
			names = append(names, f.Name)
		}
	}
	return z, names, nil
}

// onlyAnswer returns the only file of a submission if it may have any name, or "".
func onlyAnswer(s *problem.Submission, names []string) string {
	secret := 0
	for _, c := range s.Problem.Cases {
		if !c.Sample() && c.Static == nil {
			secret++
		}
	}
	if len(names) != 1 || secret != 1 {
		return ""
	}
	return names[0]
}

// answerTo returns the file that answers a case, or "". Only, if not "", answers
// a secret case that no other file answers.
func answerTo(c *problem.Case, cases []*problem.Case, names []string, only string) string {
	for rest, ok := c.Name, true; ok; _, rest, ok = strings.Cut(rest, "/") {
		if c.Sample() && rest != c.Name && slices.ContainsFunc(cases,
			func(c *problem.Case) bool { return !c.Sample() && strings.HasSuffix(c.Name, "/"+rest) }) {
			continue
		}
		for _, ext := range answerExtensions {
			if slices.Contains(names, rest+ext) {
				return rest + ext
			}
		}
	}
	if c.Sample() {
		return ""
	}
	return only
}

// collect returns the files of a submission of answers as a program, so that a
// validator can see them.
func collect(s *problem.Submission) (*build.Program, error) {
	files, err := s.Read()
	return &build.Program{Sources: files}, err
}

// Startup runs the empty program of a language several times, under the limits of a
// problem and pinned like its submissions. It measures the part of their time that
// the language itself needs. The outcomes are in the order of the runs; the first run
// starts with cold caches. A failure of the empty program is an error.
func (j *Judge) Startup(ctx context.Context, p *problem.Problem, code string, times int) ([]sandbox.Outcome, error) {
	l, err := j.language(code)
	if err != nil {
		return nil, err
	}
	what := "the empty program of " + l.Name
	program, err := j.buildEmpty(ctx, l, what, j.LimitsOf(p).Memory)
	if err != nil {
		return nil, err
	}
	defer program.Vacate() // Close tries again
	a := &attempt{Session: &Session{draft: &draft{j: j, s: &problem.Submission{Problem: p}, limits: j.LimitsOf(p)},
		program: program}, runner: j.runner, limits: j.LimitsOf(p), c: &problem.Case{}}
	var outcomes []sandbox.Outcome
	for range times {
		o, err := a.start(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", what, err)
		case o.Exceeded != "" || o.Exit != 0:
			_, why, _ := verdictOf(o, a.limits)
			return nil, fmt.Errorf("%s does not run under the problem's limits: %s", what, why)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// buildEmpty builds a language's empty program.
func (j *Judge) buildEmpty(ctx context.Context, l *language.Language, what string,
	memory int64) (*build.Program, error) {
	release, err := j.Acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	return j.CompileTool(ctx, build.Source{
		What: what, Files: map[string][]byte{"Main" + l.Ext(): []byte(cmp.Or(l.Empty, l.Hello))}, Language: l, Memory: memory,
		Submission: true,
	}, build.Usual)
}

// start runs the program once, with no input.
func (a *attempt) start(ctx context.Context) (o sandbox.Outcome, err error) {
	release, err := a.j.Acquire(ctx, 1)
	if err != nil {
		return o, err
	}
	defer release()
	err = a.j.InFolder(a.program, true, func(dir string) error {
		cmd := a.command(dir)
		cores, unpin := a.j.pin()
		defer unpin()
		cmd.Cores = cores
		o, err = a.j.runner.Run(ctx, cmd)
		return err
	})
	return o, err
}
