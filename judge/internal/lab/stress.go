package lab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/stress"
	"crucible/judge/terminal"
)

// stressFlags are the flags of judge stress.
type stressFlags struct {
	cli.RunFlags // select the problem and the submissions
	reference    string
	budget       time.Duration
	shrink       time.Duration
	inputs       int
	seed         uint64
	generate     []string
	slowest      bool // search for the largest time
	largest      bool // search for the largest memory
	all          bool // search for every way in which a submission fails
	save         bool // write what is found into the package
}

// Stress returns judge stress.
func Stress(e *cli.Env) *cobra.Command {
	var f stressFlags
	f.Outputs = cli.Outputs{Without: []string{"junit", "csv", "benchfmt", "github"}, JSON: writeSummary}
	c := &cobra.Command{
		Use:   "stress [PROBLEM] [SUBMISSION...]",
		Short: "search for inputs on which programs fail",
		Long:  helpText("stress"),
		Example: `  judge stress poj3074
  judge stress --budget 5m poj3074 'wrong_answer/*' --html found.html
  judge stress --problem poj3074 ~/mine.cpp`,
		RunE: func(c *cobra.Command, args []string) error { return searchDifference(e, c, &f, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.reference, "ref", "",
		"the `SUBMISSION` whose output is the answer (default: the fastest that is expected to be accepted)")
	flags.DurationVar(&f.budget, "budget", time.Minute, "wall-clock time for the search, without compiling and shrinking")
	flags.DurationVar(&f.shrink, "shrink", 20*time.Second,
		"wall-clock time for making one found input smaller; 0 leaves it as found")
	flags.IntVar(&f.inputs, "inputs", 0, "end after `N` valid inputs")
	flags.Uint64Var(&f.seed, "seed", 0, "`N` decides the random changes (default: random; the seed is printed)")
	flags.IntVarP(&f.Jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	flags.StringVar(&f.Problem, "problem", "",
		"take the arguments as files that solve `PROBLEM`, or as names of its own submissions")
	f.Setting(c, "time-limit")
	flags.StringArrayVar(&f.generate, "gen", nil,
		"make inputs with `COMMAND`, too: a generator of the package and its arguments, as in generators.yaml")
	flags.BoolVar(&f.slowest, "slowest", false, "search for the input on which the one submission takes the most CPU time")
	flags.BoolVar(&f.largest, "largest-memory", false,
		"search for the input on which the one submission takes the most memory")
	c.MarkFlagsMutuallyExclusive("slowest", "largest-memory")
	flags.BoolVar(&f.all, "all-verdicts", false,
		"search until the budget ends, and keep the first input for each way in which a submission fails")
	flags.BoolVar(&f.save, "save", false,
		"write each input that is found into the package, with its answer, and declare it in generators.yaml")
	f.Levels.Flag(c)
	f.Outputs.Flags(c)
	cli.Positives(c, "budget", "inputs")
	c.MarkFlagsMutuallyExclusive("slowest", "save")
	c.MarkFlagsMutuallyExclusive("largest-memory", "save")
	c.MarkFlagsMutuallyExclusive("slowest", "all-verdicts")
	c.MarkFlagsMutuallyExclusive("largest-memory", "all-verdicts")
	c.RegisterFlagCompletionFunc("problem", cli.CompleteNames(cli.Problems))
	c.ValidArgsFunction = cli.CompleteNames(cli.Submissions)
	return c
}

// searchDifference runs judge stress.
func searchDifference(e *cli.Env, c *cobra.Command, f *stressFlags, args []string) error {
	ctx := c.Context()
	if !c.Flags().Changed("seed") {
		f.seed = uint64(rand.Uint32())
	}
	h, err := f.Gather(e, args)
	if err != nil {
		return err
	}
	defer h.Close()
	chosen, err := h.One("judge stress", args)
	if err != nil {
		return err
	}
	cli.Warn(e, chosen.Problem.Warnings...)
	s, err := f.search(h, chosen, args)
	if err != nil {
		return err
	}
	if err := f.Outputs.Open(e); err != nil {
		return err
	}
	j, err := f.Levels.Judge(&judge.Judge{Settings: judge.Settings{TimeLimit: f.TimeLimit}, Languages: e.Languages,
		Jobs: f.Jobs, Eager: true})
	if err != nil {
		return err
	}
	began := time.Now()
	line, end := cli.Turning(&e.Stdout, &e.Stderr)
	defer end()
	line.Say("%s  compiling", chosen.Problem.ID)
	j.OnEvent = func(ev judge.Event) {
		if ev.Kind == judge.Compiling {
			line.Event(ev)
		}
	}
	err = j.Infer(ctx, chosen.Problem)
	if err == nil {
		s.OnEvent = func(p stress.Progress) {
			line.Say("%s  %d inputs, %d invalid, found %d of %d", chosen.Problem.ID, p.Valid+p.Unchecked, p.Invalid, p.Found,
				p.Targets)
		}
		var r *stress.Result
		if r, err = s.Run(ctx, j); r != nil {
			line.Clear()
			if r.Reference != nil || s.Maximize != nil {
				sum := s.Summary(r)
				sum.Command = again(c, args, s.Seed)
				p := cli.ProblemOf(j, chosen)
				p.Sections = record.Sections{sheet.StressKey: sum}
				err = errors.Join(err, f.show(e, s, r, &record.Document{Machine: cli.MachineOf(j), Elapsed: time.Since(began),
					Problems: []record.Problem{p}}))
			}
			if f.save && s.Maximize == nil {
				err = errors.Join(err, f.saveFound(e, chosen.Source, s, r))
			}
			if err == nil && (len(r.Counterexamples) > 0 || r.Disagreement != nil) {
				return errors.Join(cli.Closed(j), context.Cause(ctx), cli.Ending(cli.StatusUnexpected))
			}
		}
	}
	return errors.Join(cli.JudgeFailed(ctx, err), cli.Closed(j), context.Cause(ctx))
}

// search returns the settings of the search.
func (f *stressFlags) search(h *cli.Packages, c *cli.Choice, args []string) (*stress.Search, error) {
	p := c.Problem
	s := &stress.Search{Problem: p, Seed: f.seed, Budget: f.budget, Inputs: f.inputs, Shrink: f.shrink, All: f.all,
		Generate: f.generate}
	s.Targets = c.Submissions
	if f.Problem == "" && h.Named(c, args) == nil {
		s.Targets = slices.DeleteFunc(slices.Clone(p.Submissions), cli.Accepted)
	}
	runs := func(one *problem.Submission) bool { return one.Unusable == "" && one.Unreadable == nil }
	for _, one := range p.Submissions {
		if cli.Accepted(one) && runs(one) && !slices.Contains(s.Targets, one) {
			s.Accepted = append(s.Accepted, one)
		}
	}
	if f.reference != "" {
		if s.Reference = p.SubmissionNamed(f.reference); s.Reference == nil {
			names := terminal.Texts(p.Submissions, func(one *problem.Submission) string { return one.Name })
			return nil, fmt.Errorf("--ref %s: %s has no submission of this name%s", f.reference, p.ID,
				terminal.DidYouMean(f.reference, names))
		}
	}
	switch {
	case f.slowest:
		s.Maximize = func(run *judge.Run) float64 { return run.Outcome.CPU.Seconds() }
	case f.largest:
		s.Maximize = func(run *judge.Run) float64 { return float64(run.Outcome.Memory) }
	}
	switch {
	case s.Maximize != nil && len(s.Targets) != 1:
		return nil, fmt.Errorf("%s: --slowest and --largest-memory expect one submission, found %d", p.ID, len(s.Targets))
	case s.Maximize == nil && s.Reference == nil && len(s.Accepted) == 0:
		return nil, &problem.Defect{File: p.Where("submissions"),
			Msg: "no submission is expected to be accepted, so no answer to a new input is known: name one with --ref"}
	case f.save && c.Source.Zip != nil:
		return nil, fmt.Errorf("--save: %s is an archive: unpack it first", c.Source.Path)
	case len(s.Targets) == 0:
		return nil, fmt.Errorf("%s: no submission that may fail: name submissions, or files with --problem %s", p.ID, p.ID)
	}
	return s, nil
}
