package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/language"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// testFlags are the flags of judge test.
type testFlags struct {
	languages language.Table
	problem   string
	data      string
	input     string
	keep      string
	timeLimit time.Duration
	memory    int64 // MiB
	tolerance string
	checker   string
	sanitize  bool
	talk      bool
	on        string // the case on which an interactor runs
	levels    Levels
	record    Recorder
	validator map[string][]byte // the files of --checker, by name
	closers   []func()          // close the packages and folders of samples
}

// Limits of a test without a package.
const (
	looseTime   = 2 * time.Second
	looseMemory = 2048 // MiB, the format's default
)

func Test(e *Env) *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use:   "test FILE...",
		Short: "run a program on samples and show how its output differs",
		Long:  helpText("test"),
		Example: `  judge test a.cpp
  judge test a.cpp --data ~/Downloads/samples.zip --time-limit 1s
  judge test a.py --float-tolerance 1e-6 --keep failed
  echo 1 2 | judge test a.cpp --input -
  judge test --problem poj3074 a.py
  judge test --interactive a.cpp`,
		Args: Arguments(0, math.MaxInt),
		RunE: func(c *cobra.Command, args []string) error {
			if f.talk && len(args) <= 1 {
				return talk(e, c, &f, args)
			}
			if err := f.valid(args); err != nil {
				return err
			}
			return testFiles(e, c, &f, args)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.problem, "problem", "", "the `PROBLEM` that the files solve")
	flags.StringVar(&f.data, "data", "", "use the inputs and answers in this `FOLDER or ZIP`")
	flags.StringVar(&f.input, "input", "", "run the program only on this `FILE`; - is standard input")
	flags.StringVar(&f.keep, "keep", "",
		"write input, answer, output and standard error of each failed sample into this `FOLDER`")
	flags.DurationVar(&f.timeLimit, "time-limit", 0,
		"CPU time for one sample: 1.5s, 300ms (default: the problem's, or 2s)")
	flags.Int64Var(&f.memory, "memory-limit", 0, "memory in `MiB` (default: the problem's, or 2048)")
	flags.StringVar(&f.tolerance, "float-tolerance", "",
		"accept numbers that differ from the answer by at most `X`, absolutely or relatively: 1e-6")
	flags.BoolVar(&f.sanitize, "sanitize", false,
		"compile C and C++ so that the program reports undefined behaviour and wrong use of memory")
	flags.StringVar(&f.checker, "checker", "",
		"let this output validator or testlib checker judge the output: a `FILE`, or a folder with its files")
	flags.BoolVar(&f.talk, "interactive", false,
		"talk to the program yourself, or without FILE to the interactor of --problem")
	flags.StringVar(&f.on, "case", "",
		"with --interactive: the `CASE` that the interactor reads (default: the first sample)")
	Positives(c, "time-limit", "memory-limit")
	c.RegisterFlagCompletionFunc("problem", CompleteNames(Problems))
	c.RegisterFlagCompletionFunc("case", f.completeCases)
	for _, other := range []string{"data", "input", "keep", "float-tolerance", "checker"} {
		c.MarkFlagsMutuallyExclusive("interactive", other)
	}
	c.MarkFlagsMutuallyExclusive("problem", "data", "input")
	c.MarkFlagsMutuallyExclusive("input", "keep")
	for _, other := range []string{"problem", "input", "float-tolerance"} {
		c.MarkFlagsMutuallyExclusive("checker", other)
	}
	f.levels.Flag(c)
	f.record.Flag(c)
	return c
}

// close closes the packages and folders of samples.
func (f *testFlags) close() {
	for _, closing := range f.closers {
		closing()
	}
}

// valid returns an error for invalid flags.
func (f *testFlags) valid(args []string) error {
	if f.talk {
		return errors.New("--interactive: expected at most one program")
	}
	if len(args) == 0 {
		return errors.New("test: expected FILE..., got none")
	}
	if f.input != "" && len(args) != 1 {
		return fmt.Errorf("--input: expected one program, got %d", len(args))
	}
	if f.tolerance != "" {
		if _, err := check.ParseRules(f.rules()); err != nil {
			return fmt.Errorf("--float-tolerance %s: %w", f.tolerance, err)
		}
	}
	return nil
}

// rules returns the arguments of the default output validator.
func (f *testFlags) rules() []string {
	if f.tolerance == "" {
		return nil
	}
	return []string{"float_tolerance", f.tolerance}
}

// testFiles tests files, and stores the call in the history.
func testFiles(e *Env, c *cobra.Command, f *testFlags, files []string) (err error) {
	defer func() { err = f.record.End(err) }()
	defer f.close()
	line, end := Turning(&e.Stdout, &e.Stderr)
	defer end()
	if f.languages = e.Languages; f.sanitize {
		f.languages = f.languages.Sanitized()
	}
	if err := f.readChecker(); err != nil {
		return err
	}
	tests, chosen, err := f.find(files, c.InOrStdin())
	if err != nil {
		return err
	}
	warnUnused(e, tests)
	if err := f.sanitized(tests); err != nil {
		return err
	}
	for _, one := range chosen {
		Warn(e, one.Problem.Losses...)
	}
	keep, err := keeping(f.keep)
	if err != nil {
		return err
	}
	s := tester{e: *e, flags: f, keep: keep, several: len(tests) > 1, printed: make(map[*problem.Case][]byte)}
	printed := s.output
	if f.input != "" {
		s.e.Stdout, s.e.Palette.On = e.Stderr, false
		printed = func(_ *problem.Case, output io.Reader) error { return copyOutput(e, output) }
	}
	j, err := f.levels.Judge(&judge.Judge{
		Languages: f.languages,
		Settings:  judge.Settings{KeepOutput: f.input == "", All: true, TimeLimit: f.timeLimit},
		Jobs:      1, OnEvent: func(e judge.Event) { f.record.Event(e); line.Event(e) },
		OnOutput: func(_ *problem.Submission, c *problem.Case, output io.Reader) error { return printed(c, output) },
	})
	if err != nil {
		return errors.Join(err, keep.close())
	}
	f.record.Judge = j
	if chosen != nil {
		f.record.Begin(e, c, files, MachineOf(j), chosen)
	}
	status, err := s.all(c.Context(), j, tests)
	return errors.Join(err, Closed(j), keep.close(), Ending(status))
}

// sanitizedFactor is how many times more time and memory a program may use with
// --sanitize, because it checks each of its steps.
const sanitizedFactor = 4

// sanitized raises the limits for --sanitize, except those that flags set. The error is
// for a language that has no sanitizer.
func (f *testFlags) sanitized(tests []test) error {
	if !f.sanitize {
		return nil
	}
	for i := range tests {
		t := &tests[i]
		if l := t.submission.Language; l != nil && l.Sanitizer == nil {
			return fmt.Errorf("--sanitize: %s is in %s, expected C or C++", terminal.Clean(t.file), l.Name)
		}
		p := t.submission.Problem
		if i > 0 && tests[i-1].submission.Problem == p {
			continue
		}
		if f.timeLimit == 0 {
			p.Limits.Time *= sanitizedFactor
			p.Limits.Wall *= sanitizedFactor
		}
		if f.memory == 0 {
			p.Limits.Memory *= sanitizedFactor
		}
	}
	return nil
}

// copyOutput copies the output of a program to standard output. On a terminal it ends
// an incomplete last line.
func copyOutput(e *Env, output io.Reader) error {
	last := lastByte('\n')
	_, err := io.Copy(io.MultiWriter(e.Stdout, &last), output)
	if last != '\n' && e.TTY {
		fmt.Fprintln(e.Stdout)
	}
	return err
}

// A lastByte is the last byte written to it.
type lastByte byte

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		*l = lastByte(p[len(p)-1])
	}
	return len(p), nil
}

// A test is a program with the samples on which it is tested: all cases of the
// submission's problem that are samples.
type test struct {
	file       string
	submission *problem.Submission
	loose      *archive.LooseProblem // the samples if they belong to no package; nil if they do
	from       string                // the folder or zip of loose samples
}

// find finds the samples of each file: the input of --input, the samples of a package,
// or otherwise those beside the file. chosen is nil if there is no package.
func (f *testFlags) find(files []string, stdin io.Reader) (tests []test, chosen []*Choice, err error) {
	if f.input != "" {
		t, err := f.inputTest(files[0], stdin)
		return []test{t}, nil, err
	}
	var none error  // why no problem is known
	around := false // there are problems around the working folder
	if f.data == "" && f.checker == "" {
		h, err := Open(f.languages, append(slices.Clone(files), f.problem))
		if around = err == nil; around {
			f.closers = append(f.closers, h.Close)
			tests, chosen, err = f.testsOf(h, files)
		}
		if err == nil || f.problem != "" || !errors.Is(err, ErrNoProblem) {
			return tests, chosen, err
		}
		none = err
	}
	tests = nil
	for _, name := range files {
		t, err := f.looseTest(name)
		if err == nil {
			tests = append(tests, t)
			continue
		}
		noSamples := errors.Is(err, archive.ErrNoCases)
		switch _, missing := os.Stat(name); {
		case none == nil:
		case missing != nil, noSamples && around:
			err = none
		case noSamples:
			err = fmt.Errorf("%w; and there are no samples beside %s: expected names such as 1.in and 1.out, 1.in and 1.ans, "+
				"sample-1.in and sample-1.out, in/1.txt and out/1.txt; --data names their folder", none, terminal.Clean(name))
		}
		return nil, nil, err
	}
	return tests, nil, nil
}

// testsOf finds the problem and the samples of each file, and applies the limits and
// the tolerance of the flags. chosen has one choice for each problem.
func (f *testFlags) testsOf(h *Packages, files []string) (tests []test, chosen []*Choice, err error) {
	for _, name := range files {
		of, err := h.SolvedBy(f.problem, name)
		if err != nil {
			return nil, nil, err
		}
		p := of.Problem
		i := slices.IndexFunc(chosen, func(c *Choice) bool { return c.Problem == p })
		if i < 0 {
			i = len(chosen)
			chosen = append(chosen, &Choice{Source: of.Source, Problem: p, Cases: p.Samples()})
			p.Limits.Memory = cmp.Or(f.memory<<20, p.Limits.Memory)
			for _, c := range p.Cases {
				if f.tolerance != "" {
					c.OutputValidatorArgs = f.rules()
				}
			}
		}
		c := chosen[i]
		if len(c.Cases) == 0 {
			return nil, nil, fmt.Errorf("%s has no samples; judge run --problem %s %s judges all its cases", p.Path, p.ID, name)
		}
		submission, err := c.SubmissionOf(name)
		if err != nil {
			return nil, nil, err
		}
		c.Submissions = append(c.Submissions, submission)
		tests = append(tests, test{file: name, submission: submission})
	}
	return tests, chosen, nil
}

// TestFile tests a program on the samples in its folder, as judge test without flags does.
func TestFile(e *Env, c *cobra.Command, levels Levels, name string) error {
	return quietly(testFiles(e, c, &testFlags{levels: levels}, []string{name}))
}
