package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// limitsFlags are the flags of judge limits.
type limitsFlags struct {
	cli.MeasureFlags
	write bool
}

func Limits(e *cli.Env) *cobra.Command {
	f := limitsFlags{MeasureFlags: cli.MeasureFlags{RunFlags: cli.RunFlags{Whole: true}}}
	c := &cobra.Command{
		Use:   "limits [PROBLEM...]",
		Short: "propose a time limit, and report how safe it is",
		Long:  helpText("limits"),
		Example: `  judge limits poj3074
  judge limits --rounds 30 --budget 10m poj3074
  judge limits -w poj3074`,
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE:              func(c *cobra.Command, args []string) error { return f.Record.End(judgeLimits(e, c, &f, args)) },
	}
	flags := c.Flags()
	f.Runs(c, 10, "run the cases nearest to the limit `N` times; cases far from it run fewer times",
		2*time.Minute, "wall-clock time for the runs near the limit, for each problem; the first run of every case does "+
			"not count")
	flags.DurationVar(&f.TimeLimit, "time-limit", 0,
		"check this time limit against the rule instead of the problem's: 1.5s, 300ms")
	flags.BoolVarP(&f.write, "write", "w", false, "write the proposed limit into the package")
	cli.Positives(c, "time-limit")
	cli.RequireFlag(c, &f.Require)
	return c
}

// judgeLimits runs judge limits.
func judgeLimits(e *cli.Env, c *cobra.Command, f *limitsFlags, args []string) error {
	ctx := c.Context()
	if err := f.Ready(e, c); err != nil {
		return err
	}
	h, err := f.Gather(e, args)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := wholeProblems(e, h); err != nil {
		return err
	}
	if err := f.Choose(ctx, e, h); err != nil {
		return err
	}
	bands := make(map[*cli.Choice]*bench.Band)
	err = f.Report(e, nil, func(j *judge.Judge, doc *record.Document) error {
		on, err := machines(ctx, &f.On, j)
		if err != nil {
			return err
		}
		doc.Problems = cli.Unopened(e, h)
		f.Record.Begin(e, c, args, doc.Machine, h.Choices)
		f.Record.Unopened(doc.Problems)
		var errs []error
		log := bench.Log{To: &f.Record}
		for _, one := range h.Choices {
			if ctx.Err() != nil {
				break
			}
			m, err := f.measure(ctx, e, on, one, &log)
			errs = append(errs, err)
			if m == nil || len(m.Trials) == 0 {
				continue
			}
			p := cli.ProblemOf(j, one)
			errs = append(errs, bench.Conclude(&p, m))
			bands[one] = record.Of[*bench.Band](&p)
			errs = append(errs, f.bandStatus(e, bands[one]))
			doc.Problems = append(doc.Problems, p)
		}
		if len(bands) == 0 {
			doc.Problems = nil // the defects have already been printed
		}
		return errors.Join(errs...)
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	errs := []error{err, cli.Ending(cli.StatusOf(h.Err()))}
	if f.write {
		for _, one := range h.Choices {
			errs = append(errs, f.writeLimit(e, one, bands[one]))
		}
	}
	return errors.Join(errs...)
}

// wholeProblems returns an error if the arguments select only a part of a
// problem, because a time limit depends on all of it. It drops problems whose
// submissions have no times.
func wholeProblems(e *cli.Env, h *cli.Packages) error {
	var errs []error
	h.Choices = slices.DeleteFunc(h.Choices, func(c *cli.Choice) bool {
		if len(c.Submissions) < len(c.Problem.Submissions) || len(c.Cases) < len(c.Problem.Cases) {
			errs = append(errs, fmt.Errorf("judge limits expects problems only; the arguments name submissions or cases of %s",
				c.Problem.ID))
		}
		cli.Warn(e, c.Problem.Warnings...)
		if c.Problem.Is(problem.SubmitAnswer) {
			cli.Warn(e, fmt.Errorf("%s: submissions to a submit-answer problem do not run, so they have no times", c.Problem.ID))
			return true
		}
		if len(c.Problem.Submissions) == 0 {
			errs = append(errs, fmt.Errorf("%s: expected submissions, because the time limit depends on their times",
				c.Problem.ID))
		}
		return false
	})
	if len(h.Choices)+len(h.Broken) == 0 && errs == nil {
		errs = append(errs, errors.New("the arguments match no problem that has a time limit"))
	}
	return errors.Join(errs...)
}

// measure measures one problem. If ctx ends, measure returns the measurements so far.
func (f *limitsFlags) measure(ctx context.Context, e *cli.Env, on []bench.Machine, c *cli.Choice,
	log *bench.Log) (*bench.Measurement, error) {
	line := cli.NewProgress(e.Stderr)
	defer line.Clear()
	var head *bench.Measurement
	var step bench.Step
	m, err := bench.LimitPlan{
		Rounds: f.Rounds, Budget: f.Budget, Seed: f.Seed,
		Compiling: func(one *problem.Submission) { line.Say("%s  compiling %s", c.Problem.ID, one.Name) },
		OnHead: func(m *bench.Measurement) {
			head = m
			log.Measuring(m)
		},
		OnTrial: log.Trial,
		OnStart: func(t bench.Trial) {
			what := "every case once"
			if step.Again {
				what = "near the limit, again"
			}
			line.Say("%s  %s, %d of %d  %s on %s", c.Problem.ID, what, step.Done+1, step.Of, head.Submissions[t.Submission].Name,
				head.Cases[t.Case].Name)
		},
		OnStep: func(s bench.Step) { step = s },
	}.Run(ctx, on, c.Problem)
	if m != nil {
		log.Measured(m)
	}
	return m, cli.JudgeFailed(ctx, err)
}

// bandStatus prints the failures of the judge, and returns the exit status of one
// problem as an error.
func (f *limitsFlags) bandStatus(e *cli.Env, b *bench.Band) error {
	status := cli.StatusExpected
	if b.Proposed == 0 || len(b.Violated) > 0 && !f.write {
		status = cli.StatusUnexpected
	}
	status = max(status, printFailures(e, b.Measurement))
	for _, one := range b.Measurement.Submissions {
		if one.Skipped != "" && f.Require {
			status = cli.StatusJudge
		}
	}
	return cli.Ending(status)
}

// writeLimit writes the proposed limit into the package, unless a submission
// that could require a higher limit was not measured.
func (f *limitsFlags) writeLimit(e *cli.Env, c *cli.Choice, b *bench.Band) error {
	to := io.Writer(e.Stdout)
	if f.Outputs.Quiet {
		to = e.Stderr
	}
	id := terminal.Clean(c.Problem.ID)
	refuse := func(why string) error {
		return cli.WithStatus(cli.StatusUnexpected, fmt.Errorf("%s: no limit is written: %s", c.Problem.ID, why))
	}
	switch {
	case b == nil:
		return refuse("nothing was measured")
	case b.Proposed == 0:
		return refuse("no limit obeys the rule")
	}
	for i := range b.Rows {
		if row := &b.Rows[i]; row.Wrong != "" && row.Bounds != bench.Neither {
			return refuse(terminal.Clean(b.Measurement.Submissions[i].Name) + " determines the limit and was not measured: " +
				row.Wrong)
		}
	}
	change, err := c.Source.WriteTimeLimit(c.Problem, b.Proposed)
	switch {
	case err != nil:
		return err
	case change == nil:
		fmt.Fprintf(to, "%s: the time limit is %s already\n", id, terminal.Exactly(b.Proposed))
	case change.Before == "":
		fmt.Fprintf(to, "%s: wrote the time limit %s s\n", terminal.Clean(change.File), change.After)
	default:
		fmt.Fprintf(to, "%s: wrote the time limit %s s, it was %s\n", terminal.Clean(change.File), change.After,
			terminal.Clean(strings.TrimSpace(change.Before)))
	}
	return nil
}
