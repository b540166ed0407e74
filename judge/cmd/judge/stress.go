package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/display"
	"crucible/judge/internal/selection"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/stress"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// stressFlags are the flags of judge stress.
type stressFlags struct {
	runFlags  // select the problem and the submissions
	reference string
	budget    time.Duration
	shrink    time.Duration
	inputs    int
	seed      uint64
	generate  []string
	slowest   bool   // search for the largest time
	largest   bool   // search for the largest memory
	file      string // of the JSON
}

func stressCommand(e *env) *cobra.Command {
	var f stressFlags
	c := &cobra.Command{
		Use:   "stress [PROBLEM] [SUBMISSION...]",
		Short: "search for inputs on which programs fail",
		Long: `Search for an input on which a submission differs from an accepted one: another
answer, a crash, or an exceeded limit. Without submissions, search for one for
each submission of the problem that is not expected to be accepted. With
--problem ID, submissions may be files in any folder.

New inputs are made from those of the package by random changes: of numbers,
words, lines, and of parts together with the numbers that count them; and by the
generators of generators.yaml and --gen, with other seeds and numbers. An input
counts only if every input validator accepts it. The search learns which changes
they accept, and which way finds most.

The answer to an input is the output of the reference: the submission of --ref,
or the fastest that is expected to be accepted. A difference counts only if the
output validator accepts that answer, all accepted submissions agree with it,
and it is seen twice. Inputs on which accepted submissions disagree are reported,
because one of these is wrong, or an input validator accepts too much.

Each input that is found is made as small as possible, and printed.

With --slowest or --largest-memory, search instead for the valid input on which a
submission takes the most CPU time or memory: inputs that take more are mutated
further.

Exit status: 0 if no difference was found, 1 if one was; otherwise see judge
help.`,
		Example: `  judge stress poj3074
  judge stress --budget 5m poj3074 'wrong_answer/*'
  judge stress --problem poj3074 ~/mine.cpp`,
		RunE: func(c *cobra.Command, args []string) error { return searchDifference(e, c, &f, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.reference, "ref", "", "the `SUBMISSION` whose output is the answer (default: the fastest that is expected to be accepted)")
	flags.DurationVar(&f.budget, "budget", time.Minute, "wall-clock time for the search, without compiling and shrinking")
	flags.DurationVar(&f.shrink, "shrink", 20*time.Second, "wall-clock time for making one found input smaller; 0 leaves it as found")
	flags.IntVar(&f.inputs, "inputs", 0, "end after `N` valid inputs")
	flags.Uint64Var(&f.seed, "seed", 0, "`N` decides the random changes (default: random; the seed is printed)")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	flags.StringVar(&f.problem, "problem", "", "take the arguments as files that solve `PROBLEM`, or as names of its own submissions")
	flags.DurationVar(&f.timeLimit, "time-limit", 0, "use this time limit instead of the problem's: 1.5s, 300ms")
	flags.StringArrayVar(&f.generate, "gen", nil, "make inputs with `COMMAND`, too: a generator of the package and its arguments, as in generators.yaml")
	flags.BoolVar(&f.slowest, "slowest", false, "search for the input on which the one submission takes the most CPU time")
	flags.BoolVar(&f.largest, "largest-memory", false, "search for the input on which the one submission takes the most memory")
	c.MarkFlagsMutuallyExclusive("slowest", "largest-memory")
	flags.StringVar(&f.file, "json", "", "write the result as JSON to `FILE`; - is standard output")
	f.levels.flag(c)
	positives(c, "budget", "inputs", "time-limit")
	c.RegisterFlagCompletionFunc("problem", completeNames(false))
	c.ValidArgsFunction = completeNames(true)
	return c
}

// searchDifference runs judge stress.
func searchDifference(e *env, c *cobra.Command, f *stressFlags, args []string) error {
	ctx := c.Context()
	if !c.Flags().Changed("seed") {
		f.seed = uint64(rand.Uint32())
	}
	h, err := f.gather(args)
	if err != nil {
		return err
	}
	defer h.Close()
	chosen, err := h.One("judge stress", args)
	if err != nil {
		return err
	}
	s, err := f.search(h, chosen, args)
	if err != nil {
		return err
	}
	j, err := f.levels.judge(&judge.Judge{Jobs: f.jobs, TimeLimit: f.timeLimit, Eager: true})
	if err != nil {
		return err
	}
	line, end := display.Turning(&e.stdout, &e.stderr)
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
			line.Say("%s  %d valid inputs, %d not, found %d of %d", chosen.Problem.ID, p.Valid, p.Invalid, p.Found, p.Targets)
		}
		var r *stress.Result
		if r, err = s.Run(ctx, j); r != nil {
			line.Clear()
			if r.Reference != nil || s.Climb != nil {
				err = errors.Join(err, f.show(e, s, r))
			}
			if err == nil && (len(r.Counterexamples) > 0 || r.Disagreement != nil) {
				return errors.Join(closed(j), context.Cause(ctx), ending(statusUnexpected))
			}
		}
	}
	return errors.Join(judgeFailed(ctx, err), closed(j), context.Cause(ctx))
}

// search returns the settings of the search.
func (f *stressFlags) search(h *selection.Packages, c *selection.Choice, args []string) (*stress.Search, error) {
	p := c.Problem
	s := &stress.Search{Problem: p, Seed: f.seed, Budget: f.budget, Inputs: f.inputs, Shrink: f.shrink, Generate: f.generate}
	s.Targets = c.Submissions
	if f.problem == "" && h.Named(c, args) == nil {
		s.Targets = slices.DeleteFunc(slices.Clone(p.Submissions), accepted)
	}
	runs := func(one *problem.Submission) bool { return one.Unusable == "" && one.Unreadable == nil }
	for _, one := range p.Submissions {
		if accepted(one) && runs(one) && !slices.Contains(s.Targets, one) {
			s.Accepted = append(s.Accepted, one)
		}
	}
	if f.reference != "" {
		if s.Reference = p.SubmissionNamed(f.reference); s.Reference == nil {
			names := text.Map(p.Submissions, func(one *problem.Submission) string { return one.Name })
			return nil, fmt.Errorf("--ref %s: %s has no submission of this name%s", f.reference, p.ID, text.DidYouMean(f.reference, names))
		}
	}
	switch {
	case f.slowest:
		s.Climb = func(run *judge.Run) float64 { return run.Outcome.CPU.Seconds() }
	case f.largest:
		s.Climb = func(run *judge.Run) float64 { return float64(run.Outcome.Memory) }
	}
	switch {
	case s.Climb != nil && len(s.Targets) != 1:
		return nil, fmt.Errorf("%s: --slowest and --largest-memory expect one submission, found %d", p.ID, len(s.Targets))
	case s.Climb == nil && s.Reference == nil && len(s.Accepted) == 0:
		return nil, &problem.Defect{File: p.Where("submissions"), Msg: "no submission is expected to be accepted, so no answer to a new input is known: name one with --ref"}
	case len(s.Targets) == 0:
		return nil, fmt.Errorf("%s: no submission that may fail: name submissions, or files with --problem %s", p.ID, p.ID)
	}
	return s, nil
}

// show prints the result.
func (f *stressFlags) show(e *env, s *stress.Search, r *stress.Result) error {
	if f.file != "" {
		if err := f.write(e, s, r); err != nil {
			return err
		}
		if f.file == "-" {
			return nil
		}
	}
	w := e.stdout
	for _, note := range r.Notes {
		warn(e, errors.New(note))
	}
	reference := "none"
	if r.Reference != nil {
		reference = terminal.Clean(r.Reference.Name)
	}
	fmt.Fprintf(w, "%s  %d valid inputs in %s, %d rejected, reference %s, seed %d\n", s.Problem.ID, r.Valid, units.Duration(r.Elapsed), r.Invalid, reference, s.Seed)
	if f.slowest || f.largest {
		f.showBest(e, r)
		return nil
	}
	if d := r.Disagreement; d != nil {
		fmt.Fprintf(w, "  %s does not agree with the reference on %s, first: %s %s\n", e.palette.Bad(terminal.Clean(d.Submission.Name)), units.Count(r.Disagreements, "input"), d.Verdict, terminal.Clean(d.Why))
		fmt.Fprint(w, quote("input", d.Input))
	}
	if d := r.Failure; d != nil {
		fmt.Fprintf(w, "  the reference itself: %s on %s, first: %s\n", d.Verdict, units.Count(r.Slow, "input"), terminal.Clean(d.Why))
	}
	for _, t := range s.Targets {
		i := slices.IndexFunc(r.Counterexamples, func(c *stress.Counterexample) bool { return c.Submission == t })
		if i < 0 {
			fmt.Fprintf(w, "  none   %s\n", terminal.Clean(t.Name))
			continue
		}
		c := r.Counterexamples[i]
		fmt.Fprintf(w, "  found  %s  %s after %s, %s: %s\n", terminal.Clean(t.Name), e.palette.Verdict(c.Verdict, string(c.Verdict)), units.Count(c.After, "input"), units.Duration(c.Elapsed), terminal.Clean(c.Why))
		fmt.Fprint(w, quote("input", orElse(c.Shrunk, c.Input)), quote("answer", orElse(c.ShrunkTo, c.Answer)))
	}
	return nil
}

// showBest prints the result of a search for the slowest or largest run.
func (f *stressFlags) showBest(e *env, r *stress.Result) {
	text := func(v float64) string { return units.Duration(time.Duration(v * 1e9)) }
	if f.largest {
		text = func(v float64) string { return units.Memory(int64(v)) }
	}
	if r.Best == nil {
		fmt.Fprintf(e.stdout, "  no input takes more than those of the package: %s\n", text(r.Start))
		return
	}
	value := r.BestRun.Outcome.CPU.Seconds()
	if f.largest {
		value = float64(r.BestRun.Outcome.Memory)
	}
	fmt.Fprintf(e.stdout, "  %s  %s instead of %s after %s\n", terminal.Clean(r.Best.Submission.Name), text(value), text(r.Start), units.Count(r.Best.After, "input"))
	fmt.Fprint(e.stdout, quote("input", r.Best.Input))
}

func orElse(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}

// stressJSON is the JSON of a result.
type stressJSON struct {
	Schema    int                `json:"schema"`
	Problem   string             `json:"problem"`
	Reference string             `json:"reference"`
	Seed      uint64             `json:"seed"`
	Valid     int                `json:"valid_inputs"`
	Invalid   int                `json:"invalid_inputs"`
	Repeated  int                `json:"repeated_inputs"`
	Unchecked int                `json:"unchecked_inputs"`
	Elapsed   time.Duration      `json:"elapsed_ns"`
	Slow      int                `json:"reference_failures"`
	Disagree  *stressTargetJSON  `json:"disagreement"`
	Targets   []stressTargetJSON `json:"submissions"`
	Notes     []string           `json:"notes"`
}

type stressTargetJSON struct {
	Name    string          `json:"name"`
	Found   bool            `json:"found"`
	Verdict problem.Verdict `json:"verdict"`
	Why     string          `json:"why"`
	After   int             `json:"after_inputs"`
	Elapsed time.Duration   `json:"after_ns"`
	Group   string          `json:"group"`
	Input   string          `json:"input"`
	Shrunk  string          `json:"shrunk"`
	Answer  string          `json:"answer"`
	Steps   []string        `json:"steps"`
}

// write writes the JSON of a result.
func (f *stressFlags) write(e *env, s *stress.Search, r *stress.Result) error {
	doc := stressJSON{Schema: 1, Problem: s.Problem.ID, Seed: s.Seed, Valid: r.Valid, Invalid: r.Invalid, Repeated: r.Repeated, Unchecked: r.Unchecked, Elapsed: r.Elapsed, Slow: r.Slow, Notes: r.Notes}
	if r.Reference != nil {
		doc.Reference = r.Reference.Name
	}
	of := func(c *stress.Counterexample) stressTargetJSON {
		return stressTargetJSON{c.Submission.Name, true, c.Verdict, c.Why, c.After, c.Elapsed, c.Case.Group.Name, string(c.Input), string(orElse(c.Shrunk, c.Input)), string(orElse(c.ShrunkTo, c.Answer)), c.Steps}
	}
	if r.Disagreement != nil {
		one := of(r.Disagreement)
		doc.Disagree = &one
	}
	for _, t := range s.Targets {
		one := stressTargetJSON{Name: t.Name}
		for _, c := range r.Counterexamples {
			if c.Submission == t {
				one = of(c)
			}
		}
		doc.Targets = append(doc.Targets, one)
	}
	data, err := json.MarshalIndent(doc, "", "\t")
	if err != nil {
		return err
	}
	if data = append(data, '\n'); f.file == "-" {
		_, err = e.stdout.Write(data)
		return err
	}
	return os.WriteFile(f.file, data, 0o644)
}
