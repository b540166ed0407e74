package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

func Run(e *Env) *cobra.Command {
	var f RunFlags
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
	flags.IntVarP(&f.Jobs, "jobs", "j", 0,
		"run at most `N` programs at once, each on a core of its own if there are enough (default: one per CPU, on any core)")
	flags.BoolVar(&f.Pin, "pin", false,
		"pin each measured program to its own core; without --jobs, run as many at once as there are cores of the fastest "+
			"kind")
	f.Setting(c, "fresh", "repeat", "fixed-addresses", "log-interaction", "images", "doubt")
	f.Clock.Flag(c, "instructions also counts the instructions of accepted runs, see judge help clocks (default cpu)")
	RequireFlag(c, &f.Require)
	f.On.Flags(c)
	f.On.ClassFlag(c)
	f.Judging(c)
	f.Outputs.Flags(c)
	f.Record.Flag(c)
	return c
}

// judgeRun runs judge run.
func judgeRun(e *Env, c *cobra.Command, f *RunFlags, args []string) error {
	ctx := c.Context()
	if err := f.Check(e); err != nil {
		return err
	}
	if err := f.Dial(e, c); err != nil {
		return err
	}
	if f.On.workers == nil {
		if err := f.Settle(); err != nil {
			return err
		}
	}
	h, err := f.Gather(e, args)
	if errors.Is(err, ErrNoProblem) && len(args) == 1 {
		if info, none := os.Stat(args[0]); none == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%w; judge test %s runs it on the samples beside it", err, terminal.Clean(args[0]))
		}
	}
	if err != nil {
		return err
	}
	defer h.Close()
	for _, one := range h.Choices {
		for _, s := range one.Submissions {
			if f.Problem != "" && s.Unusable != "" { // somebody has named it
				return fmt.Errorf("%s: %s", terminal.Clean(s.Name), s.Unusable)
			}
		}
	}
	if err := f.Narrow(e, h); err != nil {
		return err
	}
	if err := f.Choose(ctx, e, h); err != nil {
		return err
	}
	r := runner{e: e, f: f}
	return f.Record.End(f.Report(e, r.event, func(j *judge.Judge, doc *record.Document) error {
		doc.Problems = Unopened(e, h)
		for _, one := range h.Choices {
			Warn(e, one.Problem.Warnings...)
		}
		if !f.Fresh { // elsewhere, it means that stored runs may be used
			UseStored(j)
		}
		f.Record.Begin(e, c, args, doc.Machine, h.Choices)
		f.Record.Unopened(doc.Problems)
		err := r.judge(ctx, j, h.Choices, doc)
		return errors.Join(err, VerdictStatus(ctx, doc, f.Require))
	}))
}

// Choose chooses the machine class for the chosen submissions, after Dial.
func (f *RunFlags) Choose(ctx context.Context, e *Env, h *Packages) error {
	if f.On.workers == nil {
		return nil
	}
	return f.On.workers.Choose(ctx, e, languagesOf(h), &f.Jobs)
}

// languagesOf returns the codes of the languages of the chosen submissions.
func languagesOf(h *Packages) (codes []string) {
	for _, one := range h.Choices {
		for _, s := range one.Submissions {
			if l := s.Language; l != nil && !slices.Contains(codes, l.Code) {
				codes = append(codes, l.Code)
			}
		}
	}
	return codes
}

// A runner judges the chosen submissions and shows the results.
type runner struct {
	e     *Env
	f     *RunFlags
	show  Display
	line  *Progress
	drawn bool // the matrix is on the screen, and has its own progress line
}

// event stores and shows an event. Every result that is shown is also stored.
func (r *runner) event(e judge.Event) {
	r.f.Record.Event(e)
	r.show.Event(e)
	if !r.drawn {
		r.line.Event(e)
	}
}

// judge judges all choices, problem by problem, and adds the results to doc.
func (r *runner) judge(ctx context.Context, j *judge.Judge, choices []*Choice, doc *record.Document) error {
	began := time.Now()
	line, end := Turning(&r.e.Stdout, &r.e.Stderr)
	defer end()
	r.line, r.show = line, newDisplay(r.e, r.f)
	r.f.Outputs.Quiet = true // the display prints the results as text
	_, matrix := r.show.(*Live)
	var errs []error
	for _, c := range choices {
		p := ProblemOf(j, c)
		err := j.Infer(ctx, c.Problem)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			Complain(r.e, err)
			errs = append(errs, Ending(StatusOf(JudgeFailed(ctx, err))))
			p.Err = err
			r.f.Record.Judging(p)
			doc.Problems = append(doc.Problems, p)
			continue
		}
		p.Limits = j.LimitsOf(c.Problem)
		r.f.Record.Judging(p)
		line.Clear()
		r.drawn = matrix
		r.show.Begin(c.Problem, c.Submissions, c.Cases, p.Limits)
		p.Reports = j.RunAll(ctx, c.Submissions, c.Cases)
		if p.Validators = validatorsOf(ctx, j, c.Problem); p.Validators != nil {
			r.f.Record.Judging(p)
		}
		if f := r.f; f.KeepImages && j.Executor == nil {
			var err error
			if p.Drawn, err = drawingsOf(ctx, j, c); err != nil {
				errs = append(errs, JudgeFailed(ctx, err))
			}
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

// newDisplay returns the display that suits the terminal and the flags.
func newDisplay(e *Env, f *RunFlags) Display {
	if f.Outputs.Quiet {
		return &Plain{W: io.Discard}
	}
	size := func() (int, int) { return Size(os.Stdout) }
	// Lines for every run, interaction logs or counts replace the matrix.
	if columns, _ := size(); e.TTY && columns > 0 && !f.Verbose && !f.LogInteraction && !f.Clock.Instructions() {
		return &Live{Frame: &terminal.Frame{W: e.Stdout, Size: size}, Palette: e.Palette}
	}
	return &Plain{W: e.Stdout, Palette: e.Palette, Verbose: f.Verbose, Counts: f.Clock.Instructions()}
}

// validatorsOf describes the output validators that have judged a problem. It omits one
// that cannot be built, which is the error of each run.
func validatorsOf(ctx context.Context, j *judge.Judge, p *problem.Problem) (all []record.Validator) {
	if j.Executor != nil {
		return nil // they were built elsewhere
	}
	for _, v := range p.OutputValidators {
		if program, err := j.BuildValidator(ctx, v, p.Checking); err == nil {
			all = append(all, record.Validator{Name: v.Path, Command: program.Compile})
		}
	}
	return all
}
