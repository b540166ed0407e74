package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/measure/bench"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// scaleFlags are the flags of judge scale.
type scaleFlags struct {
	cli.MeasureFlags
	command  string
	series   string
	from, to int64
	factor   float64
}

func Scale(e *cli.Env) *cobra.Command {
	var f scaleFlags
	c := &cobra.Command{
		Use:   "scale [PROBLEM|SOLUTION...]",
		Short: "fit how time and memory grow with the size of the input",
		Long:  helpText("scale"),
		Example: `  judge scale poj3074
  judge scale poj3074 dancing_links.cpp masks.cpp --series hard
  judge scale --gen 'sudoku -any easy {n} 32 {seed}' --from 100 --problem poj3074 ~/mine.py`,
		RunE: func(c *cobra.Command, args []string) error { return judgeScale(e, c, &f, args) },
	}
	f.Flags(c, 5, "run each submission `N` times on each size", 2*time.Minute,
		"wall-clock time to measure for; sizes grow for at most half of it")
	c.ValidArgsFunction = cli.CompleteNames(cli.Submissions)
	c.Flags().Lookup("seed").Usage = "`N` determines the inputs and the order of the runs (default: random; the seed " +
		"is printed)"
	f.Clock.Flag(c, "what is compared: cpu is CPU time, instructions are those executed in user space, see judge help "+
		"clocks (default cpu)")
	flags := c.Flags()
	flags.StringVar(&f.command, "gen", "", "make inputs with this `COMMAND`: 'NAME ARGS {n} {seed}'")
	flags.StringVar(&f.series, "series", "", "use the series `NAME` of generators/scale.yaml (default: the first)")
	flags.Int64Var(&f.from, "from", 1, "start with size `N`")
	flags.Int64Var(&f.to, "to", 0, "stop at size `N` (default: when every submission has exceeded a limit)")
	flags.Float64Var(&f.factor, "factor", 2, "multiply the size by `X` in each step")
	return c
}

func (f *scaleFlags) ready(e *cli.Env, c *cobra.Command) error {
	given := c.Flags().Changed
	switch {
	case f.command != "" && f.series != "":
		return errors.New("--gen and --series both choose how inputs are made: expected one of them")
	case given("gen") && strings.TrimSpace(f.command) == "":
		return errors.New("--gen: expected a command: 'NAME ARGS {n} {seed}'")
	case f.from < 1 || f.from > generate.MaxSize:
		return fmt.Errorf("--from %d: expected 1 to 2^53", f.from)
	case given("to") && (f.to < 1 || f.to > generate.MaxSize):
		return fmt.Errorf("--to %d: expected 1 to 2^53", f.to)
	case !(f.factor > 1) || f.factor > generate.MaxSize:
		return fmt.Errorf("--factor %v: expected more than 1, and at most 2^53", f.factor)
	}
	return f.MeasureFlags.Ready(e, c)
}

// judgeScale runs judge scale.
func judgeScale(e *cli.Env, c *cobra.Command, f *scaleFlags, args []string) error {
	if err := f.ready(e, c); err != nil {
		return err
	}
	h, chosen, err := f.One(e, "judge scale", args)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := f.choose(h, chosen, args); err != nil {
		return err
	}
	growth, err := f.growth(c, chosen)
	if err != nil {
		return err
	}
	if err := f.Choose(c.Context(), e, h); err != nil {
		return err
	}
	f.OutputLimit = max(chosen.Problem.Limits.Output, minOutput)
	return f.Record.End(f.Report(e, nil, func(j *judge.Judge, doc *record.Document) error {
		begin := func() { f.Record.Begin(e, c, args, doc.Machine, []*cli.Choice{chosen}) }
		m, err := f.measure(c.Context(), e, j, chosen, growth, begin)
		// After an error of the generator there is nothing to fit.
		if m == nil || len(m.Trials) == 0 || errors.As(err, new(*problem.Defect)) {
			return err
		}
		p := cli.ProblemOf(j, chosen)
		p.Cases = terminal.Texts(m.Cases, func(c bench.Input) string { return c.Name })
		err = errors.Join(err, bench.Conclude(&p, m))
		doc.Problems = []record.Problem{p}
		return errors.Join(err, trialStatus(e, m, (*bench.Trial).Faulty))
	}))
}

// choose chooses the submissions.
func (f *scaleFlags) choose(h *cli.Packages, c *cli.Choice, args []string) error {
	if len(c.Cases) != len(c.Problem.Cases) {
		return fmt.Errorf("judge scale makes its own inputs: expected problems and submissions; an argument names a case "+
			"of %s", c.Problem.ID)
	}
	f.ChooseSubmissions(h, c, args)
	if len(c.Submissions) == 0 && f.Problem == "" && f.Languages == nil {
		return fmt.Errorf("%s: no submission is expected to be accepted: name submissions to run", c.Problem.ID)
	}
	if len(c.Submissions) == 0 {
		return fmt.Errorf("%s: no submission matches the arguments and flags", c.Problem.ID)
	}
	return nil
}

// growth returns the command that makes inputs, from --gen or from a series of the
// package, and their sizes.
func (f *scaleFlags) growth(c *cobra.Command, chosen *cli.Choice) (generate.Growth, error) {
	g := generate.Growth{Command: f.command, From: f.from, To: f.to, Factor: f.factor}
	if f.command != "" {
		if err := generate.CheckSized(f.command, chosen.Problem.Constants); err != nil {
			return g, fmt.Errorf("--gen: %w", err)
		}
	} else {
		all, err := generate.Growths(chosen.Source)
		if err != nil {
			return g, err
		}
		if len(all) == 0 {
			return g, fmt.Errorf("%s: no %s, which declares how inputs grow: expected --gen 'NAME ARGS {n} {seed}', a "+
				"generator's command with {n} for the size", chosen.Problem.ID, generate.ScaleFile)
		}
		at := 0
		if f.series != "" {
			if at = slices.IndexFunc(all, func(g generate.Growth) bool { return g.Name == f.series }); at < 0 {
				names := terminal.Texts(all, func(g generate.Growth) string { return g.Name })
				return g, fmt.Errorf("--series %s: unknown; %s has %s", f.series, chosen.Problem.ID, strings.Join(names, ", "))
			}
		}
		g = all[at]
	}
	given := c.Flags().Changed
	if given("from") {
		g.From = f.from
	}
	if given("to") {
		g.To = f.to
	}
	if given("factor") {
		g.Factor = f.factor
	}
	if g.To != 0 && g.To < g.From {
		return g, fmt.Errorf("sizes from %d to %d: expected --to to be at least --from", g.From, g.To)
	}
	return g, nil
}

// minOutput is the least output limit, in bytes. The limit of the problem is
// meant for the sizes that the problem allows.
const minOutput = 1 << 30

// measure compiles and measures. It calls begin after the first input was made. If
// ctx ends, measure returns the measurements so far, and the cause.
func (f *scaleFlags) measure(ctx context.Context, e *cli.Env, j *judge.Judge, c *cli.Choice, growth generate.Growth,
	begin func()) (m *bench.Measurement, err error) {
	line := cli.NewProgress(e.Stderr)
	defer line.Clear()
	grower, err := generate.Grow(ctx, j, c.Problem, growth, f.Seed)
	if err != nil {
		return nil, cli.JudgeFailed(ctx, err)
	}
	defer func() { err = errors.Join(err, grower.Close()) }()
	if err := j.Infer(ctx, c.Problem); err != nil {
		return nil, cli.JudgeFailed(ctx, err)
	}
	on, err := machines(ctx, &f.On, j)
	if err != nil {
		return nil, err
	}
	s, err := bench.Begin(ctx, on, bench.ForScale, c.Submissions, f.Seed,
		func(one *problem.Submission) { line.Say("compiling %s", one.Name) })
	if err != nil {
		return nil, cli.JudgeFailed(ctx, err)
	}
	defer s.Close()
	m = s.Measurement
	m.Confidence, m.Cores = 0.95, f.Cores
	if !slices.ContainsFunc(m.Submissions, func(one bench.Submission) bool { return one.Skipped == "" }) {
		return nil, cannotRun(m, "no submission can be run")
	}
	what := "growing"
	s.OnStart = func(t bench.Trial) {
		line.Say("%s  %s on %s", what, m.Submissions[t.Submission].Name, m.Cases[t.Case].Name)
	}
	log := bench.Log{To: &f.Record} // nothing is stored before begin
	s.OnTrial = log.Trial
	err = bench.GrowthPlan{
		Growth: growth, Make: grower.Case, Rounds: f.Rounds, Budget: f.Budget,
		OnSize: func(n int64) { line.Say("making the input for n = %d", n) },
		OnCase: func() {
			if len(m.Cases) == 1 {
				begin()
			}
			log.Measuring(m)
		},
		OnRun: func(round, of int) { what = fmt.Sprintf("round %d of %d", round+1, of) },
	}.Run(ctx, s)
	log.Measured(m)
	return m, cli.JudgeFailed(ctx, err)
}
