package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge/internal/selection"
	"crucible/judge/problem"
)

// measureFlags are the flags of all commands that measure.
type measureFlags struct {
	runFlags // select the problem, submissions and limits, and control the runs
	seed     uint64
	rounds   int
	budget   time.Duration
}

// runs adds the flags that control the runs of programs and the destination of the
// results. The usage and the default of --rounds and --budget depend on the command.
func (f *measureFlags) runs(c *cobra.Command, rounds int, aboutRounds string, budget time.Duration, aboutBudget string) {
	flags := c.Flags()
	flags.IntVar(&f.rounds, "rounds", rounds, aboutRounds)
	flags.DurationVar(&f.budget, "budget", budget, aboutBudget)
	flags.Uint64Var(&f.seed, "seed", 0, "`N` determines the order of the runs (default: random; the seed is printed)")
	flags.BoolVar(&f.pin, "pin", true, "pin programs to the most suitable core; by default where the system supports it")
	flags.BoolVar(&f.fixed, "fixed-addresses", false, "place code, stack and heap at the same addresses on every run")
	f.levels.flag(c)
	f.outputs.flags(c)
	f.record.flag(c)
	positives(c, "rounds", "budget")
}

// flags adds all flags, for commands that take one problem.
func (f *measureFlags) flags(c *cobra.Command, rounds int, aboutRounds string, budget time.Duration, aboutBudget string) {
	f.runs(c, rounds, aboutRounds, budget, aboutBudget)
	flags := c.Flags()
	flags.StringSliceVar(&f.languages, "lang", nil, "only submissions in the languages `CODE,...` (see judge lang)")
	flags.DurationVar(&f.timeLimit, "time-limit", 0, "use this time limit instead of the problem's: 1.5s, 300ms")
	flags.StringVar(&f.problem, "problem", "", "take the arguments as files that solve `PROBLEM`, or as names of its own submissions and cases")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show tables of details in full length")
	positives(c, "time-limit")
	c.RegisterFlagCompletionFunc("lang", completeLanguages)
	c.RegisterFlagCompletionFunc("problem", completeNames(false))
	c.ValidArgsFunction = completeNames(true)
}

// ready checks the flags, draws a seed if none is given, and finds a core.
func (f *measureFlags) ready(c *cobra.Command) error {
	given := c.Flags().Changed
	f.jobs, f.repeat, f.all = 1, 1, true
	if !given("seed") {
		f.seed = uint64(rand.Uint32())
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.pin {
		if err := f.settle(); err != nil && given("pin") {
			return err
		}
	}
	f.pin = len(f.cores) > 0
	return nil
}

// one opens the packages and chooses the one problem that args name. The caller must
// close the packages, unless there is an error.
func (f *measureFlags) one(e *env, command string, args []string) (h *selection.Packages, c *selection.Choice, err error) {
	if h, err = f.gather(args); err != nil {
		return nil, nil, err
	}
	if c, err = h.One(command, args); err == nil {
		warn(e, c.Problem.Warnings...)
		if c.Problem.Is(problem.SubmitAnswer) {
			err = fmt.Errorf("%s: submissions to a submit-answer problem do not run, so they have no times", c.Problem.ID)
		}
	}
	if err != nil {
		h.Close()
	}
	return h, c, err
}

// chooseSubmissions chooses the submissions that take part: those that args name, or all
// that are expected to be accepted, in the languages of --lang.
func (f *measureFlags) chooseSubmissions(h *selection.Packages, c *selection.Choice, args []string) {
	if f.problem == "" {
		if named := h.Named(c, args); named != nil {
			c.Submissions = named
		} else {
			c.Submissions = slices.DeleteFunc(slices.Clone(c.Problem.Submissions), func(s *problem.Submission) bool { return !accepted(s) })
		}
	}
	f.keepLanguages(c)
}

// accepted reports whether a submission is expected to be accepted on all cases.
func accepted(s *problem.Submission) bool {
	all := false
	for i := range s.Expected {
		switch e := &s.Expected[i]; {
		case e.Partial:
			return false
		case e.Cases == "" && len(e.Permitted) == 1 && e.Permitted[0] == problem.Accepted:
			all = true
		}
	}
	return all
}

// A percentage is a flag value between 0 and 1: "1%" and "0.01" are the same.
type percentage float64

func (p *percentage) Type() string { return "PERCENT" }

func (p *percentage) String() string {
	return strconv.FormatFloat(100*float64(*p), 'g', 6, 64) + "%"
}

func (p *percentage) Set(s string) error {
	text, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || !(v >= 0) || math.IsInf(v, 1), !percent && v >= 100:
		return fmt.Errorf("%q: expected a percentage, such as 1%%", s)
	case !percent && v >= 1:
		return fmt.Errorf("%q: expected a percentage, such as %s%%", s, text)
	case percent:
		v /= 100
	}
	*p = percentage(v)
	return nil
}
