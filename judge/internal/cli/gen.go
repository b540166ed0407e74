package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// genFlags are the flags of judge gen.
type genFlags struct {
	Levels
	jobs    int
	cases   []string
	noCache bool
	check   bool
	dry     bool
	prune   string
	sums    bool
	empty   bool
	timeout time.Duration
	verbose bool
}

func Gen(e *Env) *cobra.Command {
	var f genFlags
	c := &cobra.Command{
		Use:               "gen [PROBLEM...]",
		Short:             "make test data from generators.yaml",
		Long:              helpText("gen"),
		Args:              Arguments(0, math.MaxInt),
		ValidArgsFunction: CompleteNames(Problems),
		RunE:              func(c *cobra.Command, args []string) error { return makeData(c.Context(), e, &f, args) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.cases, "cases", nil,
		"make only the cases that match this `GLOB`, such as secret/{0,1}*; can be repeated")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	flags.BoolVar(&f.noCache, "no-cache", false, "run every program, even if its result is in the cache")
	flags.BoolVar(&f.check, "check", false, "run every generator and solution twice, and compare the results")
	flags.BoolVarP(&f.dry, "dry-run", "n", false, "write and remove nothing; print what would change")
	flags.StringVar(&f.prune, "prune", "",
		"remove files that generators.yaml does not make; `WHICH` is generated (unchanged files that gen made) or all")
	flags.Lookup("prune").NoOptDefVal = "generated"
	flags.BoolVar(&f.sums, "replace-sums", false,
		"accept data that differs from generators/given.sha256, and put its sums there")
	flags.BoolVar(&f.empty, "allow-empty-answers", false, "accept answers that a solution or generator left empty")
	flags.DurationVar(&f.timeout, "timeout", time.Minute, "limit on the CPU time of each run of a program")
	c.RegisterFlagCompletionFunc("prune", cobra.FixedCompletions([]string{"generated", "all"},
		cobra.ShellCompDirectiveNoFileComp))
	Positives(c, "timeout")
	VerboseFlag(c, &f.verbose)
	f.Levels.Flag(c)
	return c
}

// valid returns an error for invalid flags and combinations of flags.
func (f *genFlags) valid() error {
	switch {
	case f.prune != "" && f.prune != "generated" && f.prune != "all":
		return fmt.Errorf("--prune=%s: expected generated or all", f.prune)
	case f.prune != "" && f.cases != nil:
		return errors.New("--prune applies to all of data/: expected no --cases")
	}
	return nil
}

func makeData(ctx context.Context, e *Env, f *genFlags, args []string) error {
	if err := f.valid(); err != nil {
		return err
	}
	chosen, closeAll, err := Sources(args)
	if err != nil {
		return err
	}
	defer closeAll()
	j, err := f.Levels.Judge(&judge.Judge{Languages: e.Languages, Jobs: f.jobs})
	if err != nil {
		return err
	}
	line, end := Turning(&e.Stdout, &e.Stderr)
	defer end()
	var stderr Failures
	if f.verbose {
		j.OnStderr = stderr.Add
	}
	var errs []error
	for _, s := range chosen {
		w := dataWriter{e: e, f: f, s: s, stderr: &stderr, line: line}
		errs = append(errs, w.problem(ctx, j))
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(append(errs, Closed(j), context.Cause(ctx))...)
}

// A dataWriter makes and writes the data of one problem.
type dataWriter struct {
	e *Env
	f *genFlags
	s *problem.Source

	pins     generate.Pins
	given    generate.Pins  // nil if the package has none
	changed  bool           // given has changed
	cases    int            // number of generated cases
	written  int            // number of written files
	ran      int            // number of runs of programs
	failed   int            // number of cases that failed
	repeated map[string]int // of these, those whose error an earlier case has, by program
	status   int            // exit status of the failed cases
	line     *Progress
	stderr   *Failures
}

// problem makes the data of one problem.
func (w *dataWriter) problem(ctx context.Context, j *judge.Judge) error {
	plan, err := generate.ReadPlan(w.s)
	if err != nil {
		return err
	}
	if plan == nil {
		return fmt.Errorf("%s: no generators/generators.yaml", w.s.Path)
	}
	Warn(w.e, slices.Concat(plan.Warnings, plan.Doubts, plan.Notes)...)
	before, err := generate.ReadPins(w.s)
	if err != nil {
		return err
	}
	if w.given, err = generate.ReadGiven(w.s); err != nil {
		return err
	}
	w.pins, w.repeated = make(generate.Pins), make(map[string]int)
	w.line.Say("%s: compiling generators", w.s.ID)
	how := generate.Options{Cases: w.f.cases, NoCache: w.f.noCache, Twice: w.f.check, AllowEmpty: w.f.empty,
		Time: w.f.timeout, Working: func(done, of int, name string) {
			w.line.Say("%s: %d of %d cases, now %s", w.s.ID, done, of, name)
		}}
	err = generate.Generate(ctx, j, w.s, plan, how, func(g generate.Result) error { return w.generated(ctx, g) })
	w.line.Clear()
	for _, program := range slices.Sorted(maps.Keys(w.repeated)) {
		Complain(w.e, fmt.Errorf("%s: %s more cannot be made without %s", w.s.ID, terminal.Count(w.repeated[program], "case"),
			program))
	}
	switch {
	case err != nil:
		return JudgeFailed(ctx, err)
	case w.cases+w.failed == 0 && w.f.cases != nil:
		return fmt.Errorf("%s: --cases %s matches no case of generators.yaml", w.s.ID, strings.Join(w.f.cases, ","))
	}
	if err := w.tidy(plan, before); err != nil {
		return err
	}
	w.summary()
	return Ending(w.status)
}

// generated writes one case, or prints the reason why it failed.
func (w *dataWriter) generated(ctx context.Context, g generate.Result) error {
	Warn(w.e, g.Warnings...)
	w.ran += g.Ran
	if g.Err != nil {
		if program := generate.Repeats(g.Err); program != "" {
			w.repeated[program]++
		} else {
			Complain(w.e, g.Err)
			w.stderr.Print(w.e, g.Name)
		}
		w.failed++
		status := StatusOf(JudgeFailed(ctx, g.Err))
		if errors.Is(g.Err, generate.ErrUnsteady) || errors.Is(g.Err, generate.ErrEmptyAnswer) {
			status = StatusUnexpected
		}
		w.status = max(w.status, status)
		return nil
	}
	if !w.asGiven(&g) {
		return nil
	}
	exts, err := generate.Update(w.s, &g, w.f.dry)
	if err != nil {
		return err
	}
	for ext, m := range g.Files {
		w.pins[g.Path(ext)] = m.Sum
		if ext == ".in" || ext == ".in.download" && g.Files[".in"] == nil {
			w.cases++
		}
	}
	for _, ext := range exts {
		size := terminal.Bytes(g.Files[ext].Size)
		fmt.Fprintf(w.e.Stdout, "%s  %s  %s\n", w.s.ID, terminal.Clean(g.Path(ext)), size)
	}
	w.written += len(exts)
	return nil
}

// asGiven reports whether a case has the given sums, and prints which differ. With
// --replace-sums it changes them.
func (w *dataWriter) asGiven(g *generate.Result) bool {
	errs := w.given.Differences(g)
	if w.f.sums && errs != nil {
		w.changed = true
		for ext, m := range g.Files {
			if _, ok := w.given[g.Path(ext)]; ok {
				w.given[g.Path(ext)] = m.Sum
			}
		}
		return true
	}
	for _, err := range errs {
		Complain(w.e, fmt.Errorf("%s: %w; --replace-sums accepts it", w.s.ID, err))
	}
	if errs != nil {
		w.failed++
		w.status = max(w.status, StatusUnexpected)
	}
	return errs == nil
}

// tidy removes files that generators.yaml does not make, if --prune is set, and
// writes the pins. Cases that were not made this time keep their pins.
func (w *dataWriter) tidy(plan *generate.Plan, before generate.Pins) error {
	made := make(map[string]bool)
	for name := range w.pins {
		made[name] = true
	}
	strays, err := generate.Strays(w.s, plan, before, made)
	if err == nil && w.f.cases == nil {
		strays, err = w.remove(strays)
	}
	if err != nil {
		return err
	}
	for _, stray := range strays {
		if pin, ok := before[stray.Name]; ok {
			w.pins[stray.Name] = pin
		}
	}
	if w.failed > 0 || w.f.cases != nil {
		for name, pin := range before {
			if !made[name] && plan.Makes(name) {
				w.pins[name] = pin
			}
		}
	}
	if w.changed && !w.f.dry {
		if err := w.s.WriteFile(generate.GivenFile, w.given.Format()); err != nil {
			return err
		}
	}
	if w.f.dry || maps.Equal(w.pins, before) {
		return nil
	}
	return w.s.WriteFile(generate.PinsFile, w.pins.Format())
}

// remove removes the files that --prune selects, and returns the others.
func (w *dataWriter) remove(strays []generate.Stray) (left []generate.Stray, err error) {
	var gone []string
	for _, stray := range strays {
		what := ""
		switch {
		case w.f.prune == "all", w.f.prune == "generated" && stray.Known:
			gone = append(gone, stray.Name)
			what = fmt.Sprintf("%s: %s, and generators.yaml does not make it", w.done("removed"), stray.Why)
		default:
			left = append(left, stray)
			what = fmt.Sprintf("kept: %s; --prune=all removes it", stray.Why)
		}
		if w.f.prune != "" {
			fmt.Fprintf(w.e.Stdout, "%s  %s  %s\n", w.s.ID, terminal.Clean(stray.Name), what)
		}
	}
	if w.f.prune == "" && len(left) > 0 {
		Warn(w.e, fmt.Errorf("%s: generators.yaml does not make %s in data/, such as %s; judge gen --prune --dry-run "+
			"lists them", w.s.ID, terminal.Count(len(left), "file"), left[0].Name))
	}
	if w.f.dry {
		return left, nil
	}
	return left, generate.Remove(w.s, gone)
}

// done returns a participle such as "removed", or with --dry-run "would be removed".
func (w *dataWriter) done(participle string) string {
	if w.f.dry {
		return "would be " + participle
	}
	return participle
}

func (w *dataWriter) summary() {
	text := fmt.Sprintf("%s: %s, %s %s", w.s.ID, terminal.Count(w.cases, "case"), terminal.Count(w.written, "file"),
		w.done("written"))
	if w.failed > 0 {
		text += fmt.Sprintf(", %s not made", terminal.Count(w.failed, "case"))
	}
	runs := "nothing to run"
	if w.ran > 0 || w.failed > 0 {
		runs = terminal.Count(w.ran, "run")
	}
	fmt.Fprintf(w.e.Stdout, "%s, %s\n", text, runs)
}
