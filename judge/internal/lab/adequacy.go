package lab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/adequacy"
	"crucible/judge/terminal"
)

// adequacyFlags are the flags of judge adequacy.
type adequacyFlags struct {
	cli.RunFlags
	mutants int
	seed    uint64
	budget  time.Duration
	improve time.Duration
	probe   time.Duration
}

// Adequacy returns judge adequacy.
func Adequacy(e *cli.Env) *cobra.Command {
	f := adequacyFlags{RunFlags: cli.RunFlags{Settings: judge.Settings{All: true, Repeat: 1}, Whole: true}}
	c := &cobra.Command{
		Use:   "adequacy [PROBLEM...]",
		Short: "measure how strong test data is: kill matrix, smallest set, mutants",
		Long:  helpText("adequacy"),
		Example: `  judge adequacy poj3074
  judge adequacy --mutants 0 poj3074
  judge adequacy --mutants 400 --budget 0 --seed 7 poj3074 --html report.html`,
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE:              func(c *cobra.Command, args []string) error { return f.Record.End(judgeAdequacy(e, c, &f, args)) },
	}
	flags := c.Flags()
	flags.IntVar(&f.mutants, "mutants", 100, "draw `N` mutants of the accepted submissions of each problem; 0 makes none")
	flags.DurationVar(&f.budget, "budget", 5*time.Minute,
		"wall-clock time for the mutants of each problem; those that have begun are finished; 0 means no limit")
	flags.Uint64Var(&f.seed, "seed", 1,
		"`N` decides which mutants are drawn, and which inputs are tried; equal seeds make scores comparable")
	flags.DurationVar(&f.probe, "probe", 30*time.Second,
		"test the validators and answers of each problem for this long; 0 does not")
	flags.DurationVar(&f.improve, "improve", 0,
		"search this long for inputs that kill survivors, and add them to the package as cases; without a value for 1m")
	flags.Lookup("improve").NoOptDefVal = "1m"
	flags.IntVarP(&f.Jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	f.Setting(c, "fresh", "time-limit")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "show tables of details in full length")
	cli.RequireFlag(c, &f.Require)
	f.Levels.Flag(c)
	f.Outputs.Flags(c)
	f.Record.Flag(c)
	return c
}

// judgeAdequacy runs judge adequacy.
func judgeAdequacy(e *cli.Env, c *cobra.Command, f *adequacyFlags, args []string) error {
	ctx := c.Context()
	switch {
	case f.mutants < 0:
		return fmt.Errorf("--mutants %d: expected 0 or more", f.mutants)
	case f.improve < 0:
		return fmt.Errorf("--improve %v: expected more than 0", f.improve)
	case f.improve > 0 && f.mutants == 0:
		return errors.New("--improve kills mutants: expected --mutants to be more than 0")
	case f.probe < 0:
		return fmt.Errorf("--probe %v: expected 0 or more", f.probe)
	case f.budget < 0:
		return fmt.Errorf("--budget %v: expected 0 or more", f.budget)
	}
	if err := errors.Join(f.Check(e), f.Settle()); err != nil {
		return err
	}
	h, err := f.Gather(e, args)
	if err != nil {
		return err
	}
	defer h.Close()
	line, end := cli.Turning(&e.Stdout, &e.Stderr)
	defer end()
	onEvent := func(ev judge.Event) {
		f.Record.Event(ev)
		line.Event(ev)
	}
	err = f.Report(e, onEvent, func(j *judge.Judge, doc *record.Document) error {
		doc.Problems = cli.Unopened(e, h)
		if !f.Fresh {
			cli.UseStored(j)
		}
		f.Record.Begin(e, c, args, doc.Machine, h.Choices)
		f.Record.Unopened(doc.Problems)
		var errs []error
		for _, one := range h.Choices {
			cli.Warn(e, one.Problem.Warnings...)
			p, err := f.assess(ctx, line, j, one)
			if p != nil {
				doc.Problems = append(doc.Problems, *p)
				if a := record.Of[*adequacy.Result](p); a != nil && a.Probe.Errors() > 0 {
					err = errors.Join(err, cli.Ending(cli.StatusUnexpected))
				}
			}
			errs = append(errs, err)
			if ctx.Err() != nil {
				break
			}
		}
		return errors.Join(errors.Join(errs...), cli.VerdictStatus(ctx, doc, f.Require))
	})
	return errors.Join(err, cli.Ending(cli.StatusOf(h.Err())))
}

// assess assesses one problem. The result is nil if nothing is known about it.
func (f *adequacyFlags) assess(ctx context.Context, line *cli.Progress, j *judge.Judge,
	c *cli.Choice) (*record.Problem, error) {
	if len(c.Submissions) < len(c.Problem.Submissions) || len(c.Cases) < len(c.Problem.Cases) {
		return nil, fmt.Errorf("judge adequacy expects problems only; the arguments name submissions or cases of %s",
			c.Problem.ID)
	}
	p := cli.ProblemOf(j, c)
	if err := j.Infer(ctx, c.Problem); err != nil {
		f.Record.Judging(p)
		return nil, cli.JudgeFailed(ctx, err)
	}
	p.Limits = j.LimitsOf(c.Problem)
	f.Record.Judging(p)
	a := adequacy.Assessment{Problem: c.Problem, Mutants: f.mutants, Seed: f.seed, Budget: f.budget, Probe: f.probe,
		Improve: f.improve}
	a.Save = func(found *adequacy.Find) (string, error) { return f.save(c.Source, found) }
	a.OnReports = func(reports []*judge.Report) { p.Reports = reports }
	a.OnProgress = func(now adequacy.Progress) {
		text := c.Problem.ID + "  " + now.Doing
		if now.Of > 0 {
			text += fmt.Sprintf(": %d of %d", now.Done, now.Of)
		}
		if now.Killed > 0 {
			text += fmt.Sprintf(", %d killed", now.Killed)
		}
		line.Say("%s", text)
	}
	for _, s := range c.Problem.Submissions {
		if cli.Accepted(s) {
			a.Accepted = append(a.Accepted, s)
		} else {
			a.Wrong = append(a.Wrong, s)
		}
	}
	key := record.PackageKey(c.Source)
	r, err := a.Run(ctx, j)
	if r != nil {
		if r.Improved != nil && len(r.Improved.Added) > 0 {
			key = record.PackageKey(c.Source)
		}
		p.Sections = record.Sections{sheet.AdequacyKey: r}
		f.Record.Section(p, sheet.AdequacyKey, key, r)
	}
	return &p, cli.JudgeFailed(ctx, err)
}

// save adds an input to the package and returns the name of its case.
func (f *adequacyFlags) save(to *problem.Source, found *adequacy.Find) (name string, err error) {
	a, err := additionOf(found.Case, "mutant-"+found.Kills[0].Operator, found.Input(), found.Answer())
	if err != nil {
		return "", err
	}
	for _, m := range found.Kills[:min(len(found.Kills), mostKills)] {
		a.History = append(a.History, "kills "+m.Name())
	}
	if more := len(found.Kills) - mostKills; more > 0 {
		a.History = append(a.History, "and "+terminal.Count(more, "more mutant"))
	}
	a.History = append(a.History,
		fmt.Sprintf("judge adequacy --improve %v --mutants %d --seed %d: made by %s, answer of %s", f.improve, f.mutants,
			f.seed, found.How, found.Reference))
	if found.Shrunk {
		a.History = append(a.History, stepsOf(found.Counterexample)...)
	}
	written, err := generate.Add(to, a)
	for _, file := range written {
		if within, ok := strings.CutPrefix(file, "data/"); ok && strings.HasSuffix(within, ".in") {
			name = strings.TrimSuffix(within, ".in")
		}
	}
	return name, err
}

// mostKills is the largest number of mutants that the history of a case names.
const mostKills = 5
