package cli

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge/problem"
)

// MeasureFlags are the flags of all commands that measure.
type MeasureFlags struct {
	RunFlags // select the problem, submissions and limits, and control the runs
	Seed     uint64
	Rounds   int
	Budget   time.Duration
}

// Runs adds the flags that control the runs of programs and the destination of the
// results. The usage and the default of --rounds and --budget depend on the command.
func (f *MeasureFlags) Runs(c *cobra.Command, rounds int, aboutRounds string, budget time.Duration,
	aboutBudget string) {
	flags := c.Flags()
	flags.IntVar(&f.Rounds, "rounds", rounds, aboutRounds)
	flags.DurationVar(&f.Budget, "budget", budget, aboutBudget)
	flags.Uint64Var(&f.Seed, "seed", 0, "`N` determines the order of the runs (default: random; the seed is printed)")
	flags.BoolVar(&f.Pin, "pin", true, "pin programs to the most suitable core; by default where the system supports it")
	f.Setting(c, "fixed-addresses")
	f.On.Flags(c)
	f.On.ClassFlag(c)
	flags.Lookup("class").Usage = "with --on: measure on each worker of the machine class `NAME`, see judge workers; " +
		"any stands for all workers (default: the class with the most slots)"
	f.Levels.Flag(c)
	f.Outputs.Flags(c)
	f.Record.Flag(c)
	Positives(c, "rounds", "budget")
}

// Flags adds all flags, for commands that take one problem.
func (f *MeasureFlags) Flags(c *cobra.Command, rounds int, aboutRounds string, budget time.Duration,
	aboutBudget string) {
	f.Runs(c, rounds, aboutRounds, budget, aboutBudget)
	flags := c.Flags()
	flags.StringSliceVar(&f.Languages, "lang", nil, "only submissions in the languages `CODE,...` (see judge lang)")
	f.Setting(c, "time-limit")
	flags.StringVar(&f.Problem, "problem", "",
		"take the arguments as files that solve `PROBLEM`, or as names of its own submissions and cases")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "show tables of details in full length")
	c.RegisterFlagCompletionFunc("lang", CompleteLanguages)
	c.RegisterFlagCompletionFunc("problem", CompleteNames(Problems))
	c.ValidArgsFunction = CompleteNames(Cases)
}

// Ready checks the flags, draws a seed if none is given, and finds a core or the server of
// --on.
func (f *MeasureFlags) Ready(e *Env, c *cobra.Command) error {
	given := c.Flags().Changed
	f.Jobs, f.Repeat, f.All = 1, 1, true
	if !given("seed") {
		f.Seed = uint64(rand.Uint32())
	}
	if err := f.Check(e); err != nil {
		return err
	}
	if f.On.URL != "" {
		f.Pin, f.Jobs = false, 0 // jobs are those of the inference of a limit
		return f.Dial(e, c)
	}
	if f.Pin {
		if err := f.Settle(); err != nil && given("pin") {
			return err
		}
	}
	f.Pin = len(f.Cores) > 0
	return nil
}

// One opens the packages and chooses the one problem that args name. The caller must
// close the packages, unless there is an error.
func (f *MeasureFlags) One(e *Env, command string, args []string) (h *Packages, c *Choice, err error) {
	if h, err = f.Gather(e, args); err != nil {
		return nil, nil, err
	}
	if c, err = h.One(command, args); err == nil {
		Warn(e, c.Problem.Warnings...)
		if c.Problem.Is(problem.SubmitAnswer) {
			err = fmt.Errorf("%s: submissions to a submit-answer problem do not run, so they have no times", c.Problem.ID)
		}
	}
	if err != nil {
		h.Close()
	}
	return h, c, err
}

// ChooseSubmissions chooses the submissions that take part: those that args name, or all
// that are expected to be accepted, in the languages of --lang.
func (f *MeasureFlags) ChooseSubmissions(h *Packages, c *Choice, args []string) {
	if f.Problem == "" {
		if named := h.Named(c, args); named != nil {
			c.Submissions = named
		} else {
			c.Submissions = slices.DeleteFunc(slices.Clone(c.Problem.Submissions),
				func(s *problem.Submission) bool { return !Accepted(s) })
		}
	}
	f.keepLanguages(c)
}

// Accepted reports whether a submission is expected to be accepted on all cases.
func Accepted(s *problem.Submission) bool {
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

// A Percentage is a flag value between 0 and 1: "1%" and "0.01" are the same.
type Percentage float64

func (p *Percentage) Type() string { return "PERCENT" }

func (p *Percentage) String() string {
	return strconv.FormatFloat(100*float64(*p), 'g', 6, 64) + "%"
}

func (p *Percentage) Set(s string) error {
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
	*p = Percentage(v)
	return nil
}
