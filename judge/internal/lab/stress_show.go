package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/lazy"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/stress"
	"crucible/judge/terminal"
)

// show prints the result.
func (f *stressFlags) show(e *cli.Env, s *stress.Search, r *stress.Result, doc *record.Document) error {
	if !f.Outputs.Quiet {
		f.print(e, s, r)
	}
	files := f.Outputs
	files.Quiet = true // the text is printed
	return files.Show(e, doc, false)
}

// print prints the result as text.
func (f *stressFlags) print(e *cli.Env, s *stress.Search, r *stress.Result) {
	w := e.Stdout
	for _, note := range r.Notes {
		cli.Warn(e, errors.New(note))
	}
	if r.Crash != nil {
		cli.Warn(e, fmt.Errorf("validators crashed %s, which decides nothing; first: %w",
			terminal.Count(r.Crashes, "time"), r.Crash))
	}
	reference := "none"
	if r.Reference != nil {
		reference = terminal.Clean(r.Reference.Name)
	}
	unchecked := ""
	if r.Unchecked > 0 {
		unchecked = fmt.Sprintf(", %d not checked because nothing differed", r.Unchecked)
	}
	fmt.Fprintf(w, "%s  %s in %s, %d rejected%s, reference %s, seed %d\n", s.Problem.ID,
		terminal.Count(r.Valid, "valid input"), terminal.Duration(r.Elapsed), r.Invalid, unchecked, reference, s.Seed)
	if f.slowest || f.largest {
		f.showBest(e, r)
		return
	}
	switch d := r.Disagreement; {
	case d == nil:
	case d.Submission == r.Reference:
		fmt.Fprintf(w, "  %s is the reference, but the output validator rejects its answer on %s, first: %s: one of them "+
			"is wrong\n", e.Palette.Bad(reference), terminal.Count(r.Disagreements, "input"), terminal.Clean(d.Why))
		fmt.Fprint(w, cli.Quote("input", d.Input))
	default:
		fmt.Fprintf(w, "  %s does not agree with the reference on %s, first: %s %s\n",
			e.Palette.Bad(terminal.Clean(d.Submission.Name)), terminal.Count(r.Disagreements, "input"), d.Verdict,
			terminal.Clean(d.Why))
		fmt.Fprint(w, cli.Quote("input", d.Input))
	}
	if d := r.Failure; d != nil {
		fmt.Fprintf(w, "  the reference itself: %s on %s, first: %s\n", d.Verdict, terminal.Count(r.Slow, "input"),
			terminal.Clean(d.Why))
	}
	for _, t := range s.Targets {
		found := r.For(t)
		if len(found) == 0 {
			fmt.Fprintf(w, "  none   %s\n", terminal.Clean(t.Name))
		}
		for _, c := range found {
			f.printFound(e, c)
		}
	}
}

// printFound prints a counterexample.
func (f *stressFlags) printFound(e *cli.Env, c *stress.Counterexample) {
	w := e.Stdout
	fmt.Fprintf(w, "  found  %s  %s after %s, %s: %s\n", terminal.Clean(c.Submission.Name),
		e.Palette.Verdict(c.Verdict, string(c.Verdict)), terminal.Count(c.After, "input"), terminal.Duration(c.Elapsed),
		terminal.Clean(c.Why))
	if c.Shrunk != nil {
		fmt.Fprintf(w, "         made by %s, %s, smaller in %s\n", terminal.Clean(c.How), terminal.Bytes(int64(len(c.Input))),
			terminal.Count(len(c.Steps), "step"))
	}
	fmt.Fprint(w, cli.Quote("input", c.Smallest()), cli.Quote("answer", c.SmallestAnswer()))
	if c.Output != nil {
		fmt.Fprint(w, cli.Quote("output", c.Output))
	}
}

// writeSummary writes the JSON of a search.
func writeSummary(w io.Writer, doc *record.Document) error {
	data, err := json.MarshalIndent(doc.Problems[0].Sections[sheet.StressKey], "", "\t")
	if err == nil {
		_, err = w.Write(append(data, '\n'))
	}
	return err
}

// again returns the call that searches again with the same seed, as words of a shell.
func again(c *cobra.Command, args []string, seed uint64) string {
	words := []string{"judge", "stress"}
	for _, arg := range args {
		words = append(words, shellWord(arg))
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			switch f.Name {
			case "seed", "json", "html", "markdown", "format", "save":
			default:
				words = append(words, shellWord("--"+f.Name+"="+value))
			}
		}
	})
	return strings.Join(append(words, fmt.Sprintf("--seed=%d", seed)), " ")
}

// plainWord matches words without a meaning for a shell.
var plainWord = lazy.Regexp(`^[A-Za-z0-9_./:=@%+,-]+$`)

// shellWord quotes a word for a POSIX shell, if necessary.
func shellWord(s string) string {
	if plainWord().MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// showBest prints the result of a search for the slowest or largest run.
func (f *stressFlags) showBest(e *cli.Env, r *stress.Result) {
	text := func(v float64) string { return terminal.Duration(time.Duration(v * 1e9)) }
	if f.largest {
		text = func(v float64) string { return terminal.Memory(int64(v)) }
	}
	if r.Best == nil {
		fmt.Fprintf(e.Stdout, "  no input was found that takes more than those of the package: %s\n", text(r.Start))
		return
	}
	value := r.BestRun.Outcome.CPU.Seconds()
	if f.largest {
		value = float64(r.BestRun.Outcome.Memory)
	}
	fmt.Fprintf(e.Stdout, "  %s  %s instead of %s after %s\n", terminal.Clean(r.Best.Submission.Name), text(value),
		text(r.Start), terminal.Count(r.Best.After, "input"))
	fmt.Fprint(e.Stdout, cli.Quote("input", r.Best.Input))
}
