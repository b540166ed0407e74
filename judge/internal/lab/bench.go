package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// benchFlags are the flags of judge bench.
type benchFlags struct {
	cli.MeasureFlags
	precision    cli.Percentage
	confidence   cli.Percentage
	warmup       int
	reference    string
	startup      bool
	stretch      time.Duration // maximum duration if no claim is possible within the budget; 0 means the budget
	anyReference bool          // the user did not choose the reference
}

func Bench(e *cli.Env) *cobra.Command {
	f := benchFlags{precision: 0.01, confidence: 0.95}
	c := &cobra.Command{
		Use:   "bench [PROBLEM|SOLUTION|CASE...]",
		Short: "time submissions against each other: faster, slower, or undecided",
		Long:  helpText("bench"),
		Example: `  judge bench poj3074
  judge bench poj3074 dancing_links.cpp masks.cpp 11-thousands
  judge bench --rounds 30 --problem poj3074 ~/old/a.cpp ~/new/a.cpp 'secret/*'
  judge bench poj3074 --startup --lang python3,java,cpp --html report.html`,
		RunE: func(c *cobra.Command, args []string) error { return judgeBench(e, c, &f, args) },
	}
	f.Flags(c, 0, "run `N` rounds, and evaluate them once, at the end (default: until the precision is reached or the "+
		"budget is spent)",
		time.Minute, "wall-clock time to measure for; at least one round always runs. If only --rounds is given, there is "+
			"no bound; if neither is given, bench measures for up to 3m if no claim is possible earlier")
	f.Clock.Flag(c, "what is compared: cpu is CPU time, instructions are those executed in user space, see judge help "+
		"clocks (default cpu)")
	flags := c.Flags()
	flags.Var(&f.precision, "precision", "stop when no interval reaches further than this above or below its estimate")
	flags.Var(&f.confidence, "confidence", "confidence with which all claims together hold")
	flags.IntVar(&f.warmup, "warmup", 1, "run `N` warm-up rounds before the first round that counts")
	flags.StringVar(&f.reference, "reference", "",
		"compare the others with this `SUBMISSION` (default: the first that is named, or otherwise the fastest in the "+
			"warm-up)")
	flags.BoolVar(&f.startup, "startup", false, "also time the empty program of each language, and list it separately")
	return c
}

func (f *benchFlags) ready(e *cli.Env, c *cobra.Command) error {
	switch {
	case f.precision <= 0 || f.precision >= 1:
		return fmt.Errorf("--precision %s: expected more than 0%% and less than 100%%", &f.precision)
	case f.confidence < 0.5 || f.confidence >= 1:
		return fmt.Errorf("--confidence %s: expected at least 50%% and less than 100%%", &f.confidence)
	case f.startup && f.Clock.Instructions():
		return errors.New("--startup times empty programs: expected --clock cpu")
	case f.warmup < 0:
		return fmt.Errorf("--warmup %d: expected 0 or more", f.warmup)
	}
	if f.Rounds > 0 && !c.Flags().Changed("budget") {
		f.Budget = 0
	}
	if f.Rounds == 0 && !c.Flags().Changed("budget") {
		f.stretch = 3 * f.Budget
	}
	return f.MeasureFlags.Ready(e, c)
}

// judgeBench runs judge bench.
func judgeBench(e *cli.Env, c *cobra.Command, f *benchFlags, args []string) error {
	if err := f.ready(e, c); err != nil {
		return err
	}
	chosenBy := args
	if f.Problem != "" && f.reference != "" {
		chosenBy = f.referenceFirst(args)
	}
	h, chosen, err := f.One(e, "judge bench", chosenBy)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := f.choose(h, chosen, args); err != nil {
		return err
	}
	if err := f.Choose(c.Context(), e, h); err != nil {
		return err
	}
	return f.Record.End(f.Report(e, nil, func(j *judge.Judge, doc *record.Document) error {
		f.Record.Begin(e, c, args, doc.Machine, []*cli.Choice{chosen})
		m, err := f.measure(c.Context(), e, j, chosen)
		if m == nil || len(m.Trials) == 0 {
			return err
		}
		p := cli.ProblemOf(j, chosen)
		err = errors.Join(err, bench.Conclude(&p, m))
		doc.Problems = []record.Problem{p}
		return errors.Join(err, trialStatus(e, m, func(t *bench.Trial) bool { return t.Verdict != problem.Accepted }))
	}))
}

// choose chooses the submissions, the reference first, and the cases.
func (f *benchFlags) choose(h *cli.Packages, c *cli.Choice, args []string) error {
	f.ChooseSubmissions(h, c, args)
	named := h.Named(c, args)
	f.anyReference = f.Problem == "" && f.reference == "" && named == nil
	if f.reference != "" && f.Problem == "" {
		reference, err := f.findReference(h, c)
		if err != nil {
			return err
		}
		c.Submissions = append([]*problem.Submission{reference}, slices.DeleteFunc(slices.Clone(c.Submissions),
			func(s *problem.Submission) bool { return s == reference })...)
	}
	switch {
	case len(c.Submissions) == 0:
		return fmt.Errorf("%s: the arguments leave no submission: expected one to measure, or more to compare", c.Problem.ID)
	case f.Problem == "" && len(named) == 1:
		var twice []string
		for _, arg := range args {
			if h.Named(c, []string{arg}) != nil {
				twice = append(twice, strconv.Quote(arg))
			}
		}
		if len(twice) > 1 {
			return fmt.Errorf("%s: %s name the same submission, %s: expected two to compare, or one name to measure it alone",
				c.Problem.ID, strings.Join(twice, ", "), terminal.Clean(named[0].Name))
		}
	}
	if len(c.Cases) == len(c.Problem.Cases) { // args name no case
		c.Cases = slices.DeleteFunc(slices.Clone(c.Cases), (*problem.Case).Sample)
		if len(c.Cases) == 0 {
			c.Cases = c.Problem.Cases
		}
	}
	c.Cases = slices.DeleteFunc(slices.Clone(c.Cases), func(k *problem.Case) bool { return k.Static != nil })
	if len(c.Cases) == 0 {
		return fmt.Errorf("%s: no case runs a submission", c.Problem.ID)
	}
	return nil
}

// referenceFirst puts the file that --reference names before the others.
func (f *benchFlags) referenceFirst(args []string) []string {
	own, missing := os.Stat(f.reference)
	same := func(arg string) bool {
		info, err := os.Stat(arg)
		return arg == f.reference || err == nil && missing == nil && os.SameFile(own, info) || missing != nil &&
			filepath.Base(arg) == f.reference
	}
	first := f.reference
	if i := slices.IndexFunc(args, same); i >= 0 {
		first = args[i]
	}
	return append([]string{first}, slices.DeleteFunc(slices.Clone(args), same)...)
}

// findReference returns the one submission that --reference names.
func (f *benchFlags) findReference(h *cli.Packages, c *cli.Choice) (*problem.Submission, error) {
	switch found := h.Named(c, []string{f.reference}); len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("--reference %s: no submission of %s%s", terminal.Clean(f.reference), c.Problem.ID,
			h.Suggest(f.reference))
	default:
		return nil, fmt.Errorf("--reference %s: names %d submissions, expected one", terminal.Clean(f.reference), len(found))
	}
}

// measure compiles and measures. When ctx ends it returns what was measured
// so far, and the cause.
func (f *benchFlags) measure(ctx context.Context, e *cli.Env, j *judge.Judge,
	c *cli.Choice) (*bench.Measurement, error) {
	line := cli.NewProgress(e.Stderr)
	defer line.Clear()
	if err := j.Infer(ctx, c.Problem); err != nil {
		return nil, cli.JudgeFailed(ctx, err)
	}
	on, err := machines(ctx, &f.On, j)
	if err != nil {
		return nil, err
	}
	s, err := bench.Begin(ctx, on, bench.ForBench, c.Submissions, f.Seed,
		func(one *problem.Submission) { line.Say("compiling %s", one.Name) })
	if err != nil {
		return nil, cli.JudgeFailed(ctx, err)
	}
	defer s.Close()
	m := s.Measurement
	m.Confidence, m.Cores = float64(f.confidence), f.Cores
	for _, k := range c.Cases {
		s.Add(k, 0)
	}
	if err := f.enough(m); err != nil {
		return nil, err
	}
	log := bench.Log{To: &f.Record}
	log.Measuring(m)
	if f.startup {
		line.Say("timing empty programs")
		if err := s.Startup(ctx, j, c.Problem, startups); err != nil {
			return m, cli.JudgeFailed(ctx, err)
		}
	}
	plan := bench.Plan{Warmup: f.warmup, Rounds: f.Rounds, Precision: float64(f.precision), Budget: f.Budget,
		Stretch: f.stretch, Fastest: f.anyReference}
	at := bench.Progress{Warming: true, Half: math.Inf(1)}
	began := time.Now()
	plan.OnRound = func(p bench.Progress) {
		if at = p; p.Warming {
			log.Measuring(m) // the number of interim evaluations is known now
			line.Clear()
			f.warnOfBudget(e, m, p.Planned, time.Since(began))
		}
	}
	s.OnStart = func(t bench.Trial) { line.Say("%s", f.progressLine(at, m, t)) }
	s.OnTrial = log.Trial
	err = plan.Run(ctx, s)
	log.Measured(m)
	return m, cli.JudgeFailed(ctx, err)
}

// startups is the number of runs of each empty program: enough for a median.
const startups = 15

// enough returns an error if too few submissions can run for a comparison, or
// for a measurement of one. If the user chose the reference and it cannot run,
// that is an error too: no other submission replaces it.
func (f *benchFlags) enough(m *bench.Measurement) error {
	runs := func(one bench.Submission) bool { return one.Skipped == "" }
	first := slices.IndexFunc(m.Submissions, runs)
	switch {
	case m.Alone() && first < 0:
		return cannotRun(m, "the submission cannot be run")
	case m.Alone():
	case first > 0 && !f.anyReference:
		return cannotRun(m, "the reference cannot be run")
	case first < 0 || !slices.ContainsFunc(m.Submissions[first+1:], runs):
		return cannotRun(m, "fewer than two submissions can be run")
	}
	m.Reference = first
	return nil
}

// cannotRun returns an error that lists why submissions cannot run, one per line.
func cannotRun(m *bench.Measurement, what string) error {
	lines, status := []string{what + ":"}, cli.StatusUsage
	for i := range m.Submissions {
		if one := &m.Submissions[i]; one.Skipped != "" {
			lines = append(lines, terminal.Clean(one.Name)+": "+one.Skipped)
			if one.Refused() {
				status = cli.StatusUnexpected
			}
		}
	}
	return cli.WithStatus(status, errors.New(strings.Join(lines, "\n")))
}

// warnOfBudget warns after the warm-up, whose duration is warm, if the budget is too
// small for the number of rounds that any claim needs.
func (f *benchFlags) warnOfBudget(e *cli.Env, m *bench.Measurement, planned int, warm time.Duration) {
	overall, _ := bench.Levels(m)
	each := warm / time.Duration(max(f.warmup, 1))
	none := "no claim can be made"
	if m.Alone() {
		none = "there is no interval"
	}
	switch needed := stat.Needed(overall); {
	case f.Rounds > 0 || f.Budget == 0 || f.Clock.Instructions(): // two rounds of equal counts are enough
	case planned == needed && time.Duration(needed+f.warmup)*each > f.Budget:
		cli.Warn(e, fmt.Errorf("a round takes about %s, and %s before round %d, so this takes about %v: set --budget, or "+
			"name fewer submissions or cases",
			terminal.Duration(each), none, needed, roundUp(each*time.Duration(needed+f.warmup))))
	case planned < needed:
		cli.Warn(e, fmt.Errorf("a round takes about %s, so the budget of %s is enough for %s, and %s before round %d: "+
			"name fewer submissions or cases, or give --budget %v",
			terminal.Duration(each), terminal.Exactly(f.Budget), terminal.Count(planned, "round"), none, needed,
			roundUp(each*time.Duration(needed+f.warmup+1))))
	}
}

// roundUp rounds a duration up to whole seconds, or to 100 ms below a second.
func roundUp(d time.Duration) time.Duration {
	unit := time.Second
	if d < time.Second {
		unit = 100 * time.Millisecond
	}
	return (d + unit - 1).Truncate(unit)
}

// progressLine returns the text of the progress line.
func (f *benchFlags) progressLine(p bench.Progress, m *bench.Measurement, t bench.Trial) string {
	text := "warm-up"
	if t.Round >= 0 {
		text = fmt.Sprintf("round %d", t.Round+1)
		switch {
		case f.Rounds > 0:
			text += fmt.Sprintf(" of %d", f.Rounds)
		case !p.Warming && f.Budget > 0:
			text += fmt.Sprintf(" of about %d", max(p.Planned, t.Round+1))
		}
	}
	if !math.IsInf(p.Half, 0) && p.Half > 0 {
		text += fmt.Sprintf(", widest interval ±%.2g %%", 100*p.Half)
	}
	if f.Budget > 0 && !p.Warming {
		text += fmt.Sprintf(", %.0f s left", p.Left.Seconds())
	}
	return text + "  " + m.Submissions[t.Submission].Name + " on " + m.Cases[t.Case].Name
}

// trialStatus prints the failures of the judge, and returns the exit status of a
// measurement as an error. The command defines which trials are wrong.
func trialStatus(e *cli.Env, m *bench.Measurement, wrong func(*bench.Trial) bool) error {
	status := printFailures(e, m)
	for i := range m.Submissions {
		if m.Submissions[i].Refused() {
			status = max(status, cli.StatusUnexpected)
		}
	}
	for i := range m.Trials {
		if t := &m.Trials[i]; t.Err == "" && wrong(t) {
			status = max(status, cli.StatusUnexpected)
		}
	}
	return cli.Ending(status)
}

// printFailures prints each failure of the judge once, and returns the exit
// status.
func printFailures(e *cli.Env, m *bench.Measurement) (status int) {
	printed := make(map[string]bool)
	for i := range m.Trials {
		if t := &m.Trials[i]; t.Err != "" && !printed[t.Err] {
			printed[t.Err] = true
			cli.Complain(e, errors.New(t.Err))
			status = cli.StatusJudge
		}
	}
	return status
}
