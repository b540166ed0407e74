package lab

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// compareFlags are the flags of judge compare.
type compareFlags struct {
	clock      cli.ClockFlag
	metric     string
	threshold  cli.Percentage
	confidence cli.Percentage
	reference  string
	across     bool
	strict     bool
	verbose    bool
	outputs    cli.Outputs
}

func Compare(e *cli.Env) *cobra.Command {
	// benchfmt and csv have one line per run, which a comparison does not have.
	f := compareFlags{threshold: 0.05, confidence: 0.95, outputs: cli.Outputs{Without: []string{"benchfmt", "csv"}}}
	c := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "compare two saved runs, and report regressions",
		Long:  helpText("compare"),
		Example: `  judge compare last~1 last
  judge compare --threshold 2% main.jsonl last
  judge compare --reference accepted/naive.py main.jsonl last
  judge compare --metric memory old.json new.json
  judge compare --clock instructions --threshold 0.01% old.json new.json
  go test -bench . -count 20 -benchtime 1x | judge compare old.txt -`,
		Args: cli.Arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error { return judgeCompare(e, &f, args) },
	}
	flags := c.Flags()
	f.clock.Flag(c, "require that this is the clock of both runs (default: that of the runs)")
	flags.StringVar(&f.metric, "metric", "",
		"compare by this `METRIC`: cpu, wall, memory or instructions (default: the clock of the runs)")
	flags.Var(&f.threshold, "threshold", "the smallest slowdown that is a regression")
	flags.Var(&f.confidence, "confidence", "confidence with which all claims together hold")
	flags.StringVar(&f.reference, "reference", "",
		"compare times relative to those of this `SUBMISSION`, which is unchanged and in both runs, and best in the same "+
			"language (default: absolute times)")
	flags.BoolVar(&f.across, "across-machines", false, "compare runs of different machines")
	flags.BoolVar(&f.strict, "strict", false,
		"also exit with status 1 if too few runs leave a regression possible, or if a part of OLD is not compared")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show all cases")
	f.outputs.Flags(c)
	metrics := terminal.Texts(bench.Metrics, func(m bench.Metric) string { return string(m) })
	c.RegisterFlagCompletionFunc("metric", cobra.FixedCompletions(metrics, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (f *compareFlags) check(args []string) error {
	switch {
	case f.metric != "" && !slices.Contains(bench.Metrics, bench.Metric(f.metric)):
		return fmt.Errorf("--metric %s: expected cpu, wall, memory or instructions", f.metric)
	case f.confidence < 0.5 || f.confidence >= 1:
		return fmt.Errorf("--confidence %s: expected at least 50%% and less than 100%%", &f.confidence)
	case args[0] == "-" && args[1] == "-":
		return errors.New("-, -: standard input can be read only once")
	}
	return nil
}

// judgeCompare runs judge compare.
func judgeCompare(e *cli.Env, f *compareFlags, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	old, oldPath, err := savedRun(args[0])
	if err != nil {
		return err
	}
	new, newPath, err := savedRun(args[1])
	switch {
	case err != nil:
		return err
	case sameFile(oldPath, newPath):
		return fmt.Errorf("%s, %s: the same run; expected two different runs", terminal.Clean(args[0]),
			terminal.Clean(args[1]))
	}
	for i, s := range []*bench.StoredRun{old, new} {
		if len(s.Programs) == 0 {
			return errors.New(strings.Join(append([]string{terminal.Clean(args[i]) + ": contains no run of a submission"},
				s.Doubts...), "\n"))
		}
	}
	if clock := string(f.clock); clock != "" && clock != string(old.Metric()) {
		return fmt.Errorf("--clock %s: the clock of %s is %s", clock, terminal.Clean(old.Name), old.Metric())
	}
	a, err := bench.RunComparisonOf(old, new, bench.Criterion{
		Metric: bench.Metric(f.metric), Threshold: float64(f.threshold), Confidence: float64(f.confidence),
		Reference: f.reference,
	})
	if err != nil {
		return err
	}
	for _, s := range []*bench.StoredRun{old, new} {
		if f.reference != "" && !slices.ContainsFunc(s.Programs,
			func(p bench.StoredProgram) bool { return p.Name == f.reference }) {
			return fmt.Errorf("--reference %s: not in %s, which has %s", terminal.Clean(f.reference), terminal.Clean(s.Name),
				terminal.Clean(namesIn(s)))
		}
	}
	if len(a.Machine) > 0 && !f.across {
		lines := []string{"the runs are of different machines; --across-machines compares them:"}
		for _, d := range a.Machine {
			lines = append(lines, terminal.Clean(fmt.Sprintf("%s was %s, is %s", d.Name, d.Old, d.New)))
		}
		return errors.New(strings.Join(lines, "\n"))
	}
	if len(a.Programs) == 0 {
		return nothingMatches(a, args)
	}
	return f.show(e, a)
}

// namesIn lists at most five submissions of a run.
func namesIn(s *bench.StoredRun) string {
	var names []string
	for _, p := range s.Programs {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return cmp.Or(strings.Join(cli.AtMost(5, names), ", "), "none")
}

// nothingMatches returns an error that lists why no submission can be compared.
func nothingMatches(a *bench.RunComparison, args []string) error {
	left := terminal.Texts(a.Left, func(l bench.Omission) string {
		return terminal.Clean(fmt.Sprintf("%s/%s %s: %s", l.Problem, l.Name, cmp.Or(l.Case, "on all cases"), l.Why))
	})
	head := terminal.Clean(fmt.Sprintf("%s, %s: no submission can be compared:", args[0], args[1]))
	return errors.New(strings.Join(append([]string{head}, cli.AtMost(10, left)...), "\n"))
}

// show writes the comparison, and returns its exit status as an error.
func (f *compareFlags) show(e *cli.Env, a *bench.RunComparison) error {
	if err := f.outputs.Open(e); err != nil {
		return err
	}
	err := f.outputs.Show(e, &record.Document{Against: a}, f.verbose)
	if n := a.Counts(); n.Regressions > 0 || f.strict && n.Open+n.Missing > 0 {
		err = errors.Join(err, cli.Ending(cli.StatusUnexpected))
	}
	return err
}

// savedRun reads the run with this name. The path is that of its file; it is ""
// for standard input.
func savedRun(name string) (s *bench.StoredRun, path string, err error) {
	if name == "-" {
		s, err = savedFile(os.Stdin, "standard input")
		return s, "", err
	}
	if f := cli.OpenOther(name); f != nil {
		defer f.Close()
		s, err = savedFile(f, name)
		return s, name, err
	}
	call, err := cli.StoredCall(name)
	if err != nil {
		return nil, "", err
	}
	s, err = sheet.SavedCall(call, name)
	return s, call.Path, err
}

// savedFile reads a JSON report, or benchmark lines.
func savedFile(f io.Reader, name string) (*bench.StoredRun, error) {
	name = terminal.Clean(name)
	r := bufio.NewReader(f)
	start, err := r.Peek(512)
	switch text := strings.TrimSpace(string(start)); {
	case err != nil && err != io.EOF:
		return nil, err
	case text == "" && err == io.EOF:
		err = fmt.Errorf("%s: empty", name)
	case strings.HasPrefix(text, "["):
		err = fmt.Errorf("%s: a JSON array", name)
	case !isText(start):
		err = fmt.Errorf("%s: not a text file", name)
	case strings.HasPrefix(text, "{"):
		doc, wrong := record.Read(r, sheet.Sections...)
		if wrong == nil {
			return sheet.Saved(doc, name), nil
		}
		err = fmt.Errorf("%s: %w", name, wrong)
	default:
		s, wrong := sheet.ReadBenchfmt(r, name)
		if !errors.Is(wrong, sheet.ErrNoBenchmark) {
			return s, wrong
		}
		err = wrong
	}
	return nil, fmt.Errorf("%w; expected a file of the history, of judge --json or --benchfmt, or of go test -bench", err)
}

// isText reports whether a file with this start is a text file.
func isText(start []byte) bool {
	for cut := range utf8.UTFMax { // the last character may be incomplete
		if utf8.Valid(start[:max(0, len(start)-cut)]) {
			return bytes.IndexByte(start, 0) < 0
		}
	}
	return false
}

// sameFile reports whether two names refer to the same file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
