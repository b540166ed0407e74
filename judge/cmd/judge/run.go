package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/instructions"
	"crucible/judge/internal/display"
	"crucible/judge/internal/selection"
	"crucible/judge/internal/text"
	"crucible/judge/language"
	"crucible/judge/machine"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/reuse"
	"crucible/judge/terminal"
)

// runFlags are the flags of judge run.
type runFlags struct {
	jobs      int
	samples   bool
	verbose   bool
	all       bool
	repeat    int
	languages []string
	timeLimit time.Duration
	problem   string
	whole     bool // arguments must be problems, not submissions or cases
	require   bool
	pin       bool
	fixed     bool
	fresh     bool
	dialogue  bool
	cores     []int // chosen by --pin or claimed for --jobs
	anyCores  bool  // cores were claimed
	clock     clockFlag
	levels    levels
	outputs   outputs
	record    recorder
}

func runCommand(e *env) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [PROBLEM|SOLUTION|CASE...]",
		Short: "judge submissions and print the verdict matrix",
		Long:  helpText("run"),
		Example: `  judge run
  judge run poj3074
  judge run poj3074 'accepted/*' secret/03-easy
  judge run --problem poj3074 ~/mine.cpp`,
		RunE: func(c *cobra.Command, args []string) error { return judgeRun(e, c, &f, args) },
	}
	flags := c.Flags()
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once, each on a core of its own if there are enough (default: one per CPU, on any core)")
	flags.BoolVar(&f.fresh, "fresh", os.Getenv("CRUCIBLE_FRESH") != "", "make every run, also those whose results are stored; $CRUCIBLE_FRESH does the same")
	flags.IntVar(&f.repeat, "repeat", 1, "run each case `N` times; the slowest time counts, and the first verdict other than AC")
	flags.BoolVar(&f.pin, "pin", false, "pin each measured program to its own core; without --jobs, run as many at once as there are cores of the fastest kind")
	flags.BoolVar(&f.fixed, "fixed-addresses", false, "place code, stack and heap at the same addresses on every run")
	flags.BoolVar(&f.dialogue, "log-interaction", false, "show the interaction log of the deciding run, or with --verbose of every run, with times; logging makes the runs slower")
	f.clock.flag(c, "instructions also counts the instructions of accepted runs, see judge help clocks (default cpu)")
	requireFlag(c, &f.require)
	f.judging(c)
	f.outputs.flags(c)
	f.record.flag(c)
	positives(c, "repeat")
	return c
}

// judging adds the flags of the commands that judge submissions, and completes their
// arguments.
func (f *runFlags) judging(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.samples, "samples", false, "judge only the sample cases")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print a line for every run")
	flags.BoolVar(&f.all, "all", false, "run every case of every submission, except groups whose require_pass is not met")
	flags.StringSliceVar(&f.languages, "lang", nil, "only submissions in the languages `CODE,...` (see judge lang)")
	flags.DurationVar(&f.timeLimit, "time-limit", 0, "use this time limit instead of the problem's: 1.5s, 300ms")
	flags.StringVar(&f.problem, "problem", "", "judge the given files against `PROBLEM`")
	f.levels.flag(c)
	positives(c, "time-limit")
	c.RegisterFlagCompletionFunc("lang", completeLanguages)
	c.RegisterFlagCompletionFunc("problem", completeNames(false))
	c.ValidArgsFunction = completeNames(true)
}

// useStored makes a judge keep its runs in the cache, and take them from there.
func useStored(j *judge.Judge) {
	if dir, err := j.CacheDir(); err == nil {
		j.Stored = reuse.Open(filepath.Join(dir, "runs"))
	}
}

// requireFlag adds --require-languages. $CRUCIBLE_REQUIRE_LANGUAGES sets it too,
// which is useful in CI.
func requireFlag(c *cobra.Command, require *bool) {
	c.Flags().BoolVar(require, "require-languages", os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") != "",
		"treat a language that is not usable here as a judge error (exit status 3); $CRUCIBLE_REQUIRE_LANGUAGES does the same")
}

// judgeRun runs judge run.
func judgeRun(e *env, c *cobra.Command, f *runFlags, args []string) error {
	ctx := c.Context()
	if err := f.check(); err != nil {
		return err
	}
	if err := f.settle(); err != nil {
		return err
	}
	h, err := f.gather(args)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := f.narrow(h); err != nil {
		return err
	}
	r := runner{e: e, f: f}
	return f.record.end(f.report(e, r.event, func(j *judge.Judge, doc *record.Document) error {
		doc.Problems = unopened(e, h)
		for _, one := range h.Choices {
			warn(e, one.Problem.Warnings...)
		}
		if !f.fresh {
			useStored(j)
		}
		f.record.begin(e, c, args, doc.Machine, h.Choices)
		f.record.Unopened(doc.Problems)
		err := r.judge(ctx, j, h.Choices, doc)
		return errors.Join(err, verdictStatus(ctx, doc, f.require))
	}))
}

// report opens the reports, starts the judge, and calls work to fill a document. Then
// it writes the document, unless work left its Problems nil. It returns the errors of
// all steps.
func (f *runFlags) report(e *env, onEvent func(judge.Event), work func(*judge.Judge, *record.Document) error) error {
	if err := f.outputs.open(e); err != nil {
		return err
	}
	began := time.Now()
	j, err := f.levels.judge(&judge.Judge{
		Jobs: f.jobs, All: f.all, Repeat: f.repeat, TimeLimit: f.timeLimit, OnEvent: onEvent,
		Cores: f.cores, AnyCores: f.anyCores, FixedAddresses: f.fixed, LogInteraction: f.dialogue, Instructions: f.clock.instructions(),
	})
	if err != nil {
		return err
	}
	f.record.judge = j
	doc := &record.Document{Machine: machineOf(j)}
	err = errors.Join(work(j, doc), closed(j))
	if doc.Problems != nil {
		doc.Elapsed = cmp.Or(doc.Elapsed, time.Since(began)) // the same as in text that is already printed
		f.record.finish(doc.Elapsed)
		err = errors.Join(err, f.outputs.show(e, doc, f.verbose))
	}
	return err
}

func (f *runFlags) check() error {
	switch {
	case f.jobs < 0:
		return fmt.Errorf("--jobs %d: expected 1 or more, or 0 for one per CPU", f.jobs)
	case f.fixed && runtime.GOOS != "linux":
		return errors.New("--fixed-addresses: not supported on this system")
	}
	for _, code := range f.languages {
		if language.ByCode(code) == nil {
			return fmt.Errorf("--lang %s: unknown language%s; judge lang lists them", code, text.DidYouMean(code, languageCodes()))
		}
	}
	return nil
}

// place chooses cores for --pin from the allowed processors. Without --jobs, it
// sets jobs to the number of equally fast processors that share no core. It uses
// only as many processors as there are jobs, so that later calls use the same.
//
// Without --pin, it claims a core for each of --jobs, if there are enough equally fast
// ones that no other judge has claimed, and returns the processors that are left for the
// judge's own work; nil means any.
func (f *runFlags) place(all []machine.Processor, allowed []int, claim func(order []int, n int) []int) (rest []int, err error) {
	order, apart := machine.Pin(all, allowed)
	switch {
	case !f.pin && 0 < f.jobs && f.jobs <= apart:
		if f.cores = claim(order[:apart], f.jobs); f.cores == nil {
			return nil, nil
		}
		f.anyCores = true
		return machine.Spare(all, allowed, f.cores), nil
	case !f.pin:
		return nil, nil
	case len(order) == 0:
		return nil, errors.New("--pin: not supported on this system")
	case f.jobs > len(order):
		return nil, fmt.Errorf("--pin --jobs %d: expected at most %d, one per core", f.jobs, len(order))
	case f.jobs == 0:
		f.jobs = apart
	}
	f.cores = order[:f.jobs]
	return nil, nil
}

// settle calls place for this machine and restricts the judge to the rest of the
// processors. The claims last until the judge exits.
func (f *runFlags) settle() error {
	claim := func(order []int, n int) []int {
		claimed, _ := machine.Claim(order, n)
		return claimed
	}
	rest, err := f.place(machine.Processors(os.DirFS("/")), machine.Allowed(), claim)
	if rest != nil {
		machine.Stay(rest)
	}
	return err
}

// gather opens the packages and chooses what the arguments name.
func (f *runFlags) gather(args []string) (*selection.Packages, error) {
	hint := "; with --problem ID files may lie anywhere"
	if f.whole {
		hint = "; expected a folder with problem.yaml, or a zip"
	}
	return selection.Choose(f.problem, args, hint)
}

// narrow applies --samples and --lang.
func (f *runFlags) narrow(h *selection.Packages) error {
	for _, c := range h.Choices {
		if f.samples {
			c.Cases = slices.DeleteFunc(slices.Clone(c.Cases), func(k *problem.Case) bool { return !k.Sample() })
		}
		f.keepLanguages(c)
	}
	h.Choices = slices.DeleteFunc(h.Choices, func(c *selection.Choice) bool { return len(c.Cases) == 0 || len(c.Submissions) == 0 })
	if len(h.Broken)+len(h.Choices) == 0 {
		return errors.New("nothing to judge: no submission or no case matches the arguments and flags")
	}
	return nil
}

// keepLanguages applies --lang to a choice.
func (f *runFlags) keepLanguages(c *selection.Choice) {
	if f.languages != nil {
		c.Submissions = slices.DeleteFunc(slices.Clone(c.Submissions), func(s *problem.Submission) bool {
			return s.Language == nil || !slices.Contains(f.languages, s.Language.Code)
		})
	}
}

// A runner judges the chosen submissions and shows the results.
type runner struct {
	e     *env
	f     *runFlags
	show  display.Display
	line  *display.Progress
	drawn bool // the matrix is on the screen, and has its own progress line
}

// event stores and shows an event. Every result that is shown is also stored.
func (r *runner) event(e judge.Event) {
	r.f.record.Event(e)
	r.show.Event(e)
	if !r.drawn {
		r.line.Event(e)
	}
}

// judge judges all choices, problem by problem, and adds the results to doc.
func (r *runner) judge(ctx context.Context, j *judge.Judge, choices []*selection.Choice, doc *record.Document) error {
	began := time.Now()
	line, end := display.Turning(&r.e.stdout, &r.e.stderr)
	defer end()
	r.line, r.show = line, newDisplay(r.e, r.f)
	r.f.outputs.quiet = true // the display prints the results as text
	_, matrix := r.show.(*display.Live)
	var errs []error
	for _, c := range choices {
		p := problemOf(j, c)
		err := j.Infer(ctx, c.Problem)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			complain(r.e, err)
			errs = append(errs, ending(statusOf(judgeFailed(ctx, err))))
			p.Err = err
			r.f.record.Judging(p)
			doc.Problems = append(doc.Problems, p)
			continue
		}
		p.Limits = j.LimitsOf(c.Problem)
		r.f.record.Judging(p)
		line.Clear()
		r.drawn = matrix
		r.show.Begin(c.Problem, c.Submissions, c.Cases, p.Limits)
		p.Reports = j.RunAll(ctx, c.Submissions, c.Cases)
		if p.Validators = validatorsOf(ctx, j, c.Problem); p.Validators != nil {
			r.f.record.Judging(p)
		}
		r.show.End()
		r.drawn = false
		doc.Problems = append(doc.Problems, p)
	}
	doc.Elapsed = time.Since(began)
	line.Clear()
	r.show.Summary(doc)
	slices.SortStableFunc(doc.Problems, func(a, b record.Problem) int { return strings.Compare(a.ID, b.ID) })
	return errors.Join(errs...)
}

// unopened prints the errors of the packages that could not be opened, and
// returns their entries for a document; never nil.
func unopened(e *env, h *selection.Packages) []record.Problem {
	problems := []record.Problem{}
	for _, b := range h.Broken {
		complain(e, b.Err)
		problems = append(problems, record.Problem{ID: b.Source.ID, Path: b.Source.Path, Err: b.Err})
	}
	return problems
}

// newDisplay returns the display that suits the terminal and the flags.
func newDisplay(e *env, f *runFlags) display.Display {
	if f.outputs.quiet {
		return &display.Plain{W: io.Discard}
	}
	size := func() (int, int) { return display.Size(os.Stdout) }
	// Lines for every run, interaction logs or counts replace the matrix.
	if columns, _ := size(); e.tty && columns > 0 && !f.verbose && !f.dialogue && !f.clock.instructions() {
		return &display.Live{Frame: &terminal.Frame{W: e.stdout, Size: size}, Palette: e.palette}
	}
	return &display.Plain{W: e.stdout, Palette: e.palette, Verbose: f.verbose, Counts: f.clock.instructions()}
}

// machineOf describes the machine and how j runs programs on it.
func machineOf(j *judge.Judge) record.Machine {
	m, protection := record.ThisMachine(), j.Protection()
	m.Pinned, m.FixedAddresses = len(j.Cores) > 0, j.FixedAddresses
	m.Protection, m.NotEnforced = protection.Level.String(), protection.NotEnforced
	if m.Counter = j.Counter(); m.Counter == instructions.Processor && m.CPU != "" {
		m.Counter += " of " + m.CPU
	}
	return m
}

// problemOf returns the description of a choice for a document.
func problemOf(j *judge.Judge, c *selection.Choice) record.Problem {
	return record.Problem{ID: c.Problem.ID, Path: c.Problem.Path, Limits: j.LimitsOf(c.Problem), Cases: text.Map(c.Cases, func(k *problem.Case) string { return k.Name })}
}

// validatorsOf describes the output validators that have judged a problem. It omits one
// that cannot be built, which is the error of each run.
func validatorsOf(ctx context.Context, j *judge.Judge, p *problem.Problem) (all []record.Validator) {
	for _, v := range p.OutputValidators {
		if program, err := j.BuildValidator(ctx, v, p.Checking); err == nil {
			all = append(all, record.Validator{Name: v.Path, Command: program.Compile})
		}
	}
	return all
}

// verdictStatus returns the exit status of a document as an error. require makes a
// skipped submission a failure of the judge.
func verdictStatus(ctx context.Context, doc *record.Document, require bool) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	status := statusExpected
	for _, p := range doc.Problems {
		status = max(status, statusOf(p.Err))
		for _, r := range p.Reports {
			switch err := r.JudgeError(); {
			case err != nil:
				status = max(status, statusOf(judgeFailed(ctx, err)))
			case r.Skipped != "" && require:
				status = max(status, statusJudge)
			case r.AsExpected != nil && !*r.AsExpected:
				status = max(status, statusUnexpected)
			}
		}
	}
	return ending(status)
}
