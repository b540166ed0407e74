package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// A tester runs programs on their samples and prints the results.
type tester struct {
	e       Env
	flags   *testFlags
	keep    *outputKeeper
	several bool                     // several programs are tested
	printed map[*problem.Case][]byte // start of the output on each case

	t      *test
	limits problem.Limits
}

// output keeps the output of a case: the start for the comparison, and all of it for
// --keep.
func (s *tester) output(c *problem.Case, output io.Reader) (err error) {
	if output, err = s.keep.output(c, output); err != nil {
		return err
	}
	if s.printed[c], err = io.ReadAll(io.LimitReader(output, Compared)); err == nil {
		_, err = io.Copy(io.Discard, output)
	}
	return err
}

// all runs the tests in order, and returns the exit status if all have run.
func (s *tester) all(ctx context.Context, j *judge.Judge, tests []test) (status int, err error) {
	for i := range tests {
		s.t = &tests[i]
		p := s.t.submission.Problem
		if err := j.Infer(ctx, p); err != nil {
			return 0, JudgeFailed(ctx, err)
		}
		s.limits = j.LimitsOf(p)
		s.flags.record.Judging(record.Problem{ID: p.ID, Path: p.Path, Limits: s.limits})
		clear(s.printed)
		r := j.Run(ctx, s.t.submission, p.Samples())
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		if err := s.show(r); err != nil {
			return 0, err
		}
		status = max(status, s.status(r))
	}
	return status, nil
}

// isAnswered reports whether a sample has an answer.
func (s *tester) isAnswered(i int) bool { return s.t.loose == nil || s.t.loose.Cases[i].Answer != "" }

// unjudged reports whether a run ended normally but has no verdict, because the
// sample has no answer.
func (s *tester) unjudged(i int, run *judge.Run) bool {
	return !s.isAnswered(i) && (run.Verdict == problem.WrongAnswer || run.Verdict == problem.Accepted)
}

// status returns the exit status of one program.
func (s *tester) status(r *judge.Report) int {
	if r.JudgeError() != nil || r.Skipped != "" {
		return StatusJudge
	}
	if r.Verdict == problem.CompileError {
		return StatusUnexpected
	}
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Verdict != problem.Accepted && !s.unjudged(i, run) {
			return StatusUnexpected
		}
	}
	return StatusExpected
}

func (s *tester) show(r *judge.Report) error {
	palette, w := s.e.Palette, s.e.Stdout
	name := palette.Bold(terminal.Clean(s.t.file))
	switch {
	case s.flags.input != "":
	case s.t.loose != nil:
		fmt.Fprintf(w, "%s on %s\n", name, terminal.Clean(s.t.head(s.limits)))
	default:
		fmt.Fprintf(w, "%s on the samples of %s\n", name, s.t.submission.Problem.ID)
	}
	switch {
	case r.Skipped != "":
		fmt.Fprintf(w, "  not run: %s\n", terminal.Clean(r.Skipped))
		return nil
	case r.Err != nil:
		Complain(&s.e, r.Err)
		return nil
	case r.Verdict == problem.CompileError:
		fmt.Fprintf(w, "  %s  does not compile\n%s\n", palette.Verdict(problem.CompileError, "CE"),
			strings.TrimRight(r.Compile.Message, "\n"))
		if osfile.IsDir(s.t.file) {
			fmt.Fprintln(w, "  the files of a folder are compiled as one program: name one of them to test it alone")
		}
		return nil
	}
	if r.Compile.Message != "" {
		io.WriteString(w, Quote("compiler", []byte(r.Compile.Message)))
	}
	width := terminal.Width("sample")
	for i := range r.Runs {
		width = max(width, terminal.Width(s.nameOf(i, &r.Runs[i])))
	}
	for i := range r.Runs {
		if i == 0 {
			fmt.Fprintln(w, palette.Faint("       "+terminal.Pad("sample", width)+"  "+report.FigureHeadings()))
		}
		if err := s.run(i, &r.Runs[i], width); err != nil {
			return err
		}
	}
	return nil
}

// nameOf returns the cleaned name of a sample.
func (s *tester) nameOf(i int, run *judge.Run) string {
	if s.t.loose != nil {
		return terminal.Clean(cmp.Or(s.t.loose.Cases[i].Input, run.Case))
	}
	return terminal.Clean(run.Case)
}

// run prints the result of one sample. Names are padded to a width.
func (s *tester) run(i int, run *judge.Run, width int) error {
	palette, w, c := s.e.Palette, s.e.Stdout, s.t.submission.Problem.Samples()[i]
	if run.Err != nil {
		Complain(&s.e, run.Err)
		return nil
	}
	unjudged := s.unjudged(i, run)
	verdict := palette.Verdict(run.Verdict, fmt.Sprintf("%-3s", run.Verdict))
	if unjudged {
		verdict = "ran"
	}
	fmt.Fprintf(w, "  %s  %s  %s", verdict, terminal.Pad(s.nameOf(i, run), width), report.Figures(run))
	if why := report.Why(run); why != "" && !unjudged {
		fmt.Fprintf(w, "  %s", why)
	}
	fmt.Fprintln(w)
	return s.details(i, run, c, unjudged)
}

// details prints the texts that explain the result of a sample, and keeps the files of
// a sample that failed.
func (s *tester) details(i int, run *judge.Run, c *problem.Case, unjudged bool) error {
	w, failed := s.e.Stdout, run.Verdict != problem.Accepted && !unjudged
	if failed && c.Static == nil && s.flags.input == "" {
		input, err := start(c, ".in", ShownInput)
		if err != nil {
			return err
		}
		io.WriteString(w, Quote("input", input))
	}
	if run.Stderr != "" {
		io.WriteString(w, Quote("stderr", []byte(run.Stderr)))
	}
	output := s.printed[c]
	if output == nil {
		output = run.Output
	}
	switch {
	case unjudged && s.flags.input == "":
		io.WriteString(w, Quote("output", output))
	case failed && run.Verdict == problem.WrongAnswer && isCompared(s.t.submission.Problem, c):
		if err := s.compare(c, run, output); err != nil {
			return err
		}
	}
	if failed {
		name := strings.TrimPrefix(c.Name, "sample/")
		if s.several {
			name = filepath.Base(s.t.file) + "/" + name
		}
		return s.keep.failed(name, c, s.isAnswered(i), run.Stderr)
	}
	return nil
}

// compare shows the output beside the answer.
func (s *tester) compare(c *problem.Case, run *judge.Run, output []byte) error {
	answer, err := start(c, ".ans", Compared)
	if err != nil {
		return err
	}
	one := Comparison{Palette: s.e.Palette, At: run.Diff, Answer: answer, Output: output}
	// The arguments of a package's own output validator are not rules.
	if s.t.submission.Problem.OutputValidators == nil {
		if one.Rules, err = check.ParseRules(c.OutputValidatorArgs); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.e.Stdout, "       - expected, + printed\n%s", one.String())
	if s.t.loose != nil && s.flags.tolerance == "" && s.flags.checker == "" {
		io.WriteString(s.e.Stdout, toleranceHint(run.Diff))
	}
	return nil
}

// toleranceHint names the flag that accepts a small difference of two numbers; "" for
// other differences.
func toleranceHint(d *check.Difference) string {
	if d == nil || d.Kind != check.Differs {
		return ""
	}
	want, wantErr := strconv.ParseFloat(d.Want, 64)
	got, gotErr := strconv.ParseFloat(d.Got, 64)
	off := math.Abs(want - got)
	if wantErr != nil || gotErr != nil || !(off > 0 && off < 1e-3) {
		return ""
	}
	return fmt.Sprintf("       the numbers differ by %.1g: --float-tolerance 1e%d accepts that\n", off,
		int(math.Floor(math.Log10(off)))+1)
}

// isCompared reports whether the output on a case can be compared with its answer.
// It cannot in an interaction or in several passes, and a static validator runs no
// program.
func isCompared(p *problem.Problem, c *problem.Case) bool {
	return c.Static == nil && !p.Answerless()
}

// start returns the start of a file of a case. most is its maximum length in bytes.
func start(c *problem.Case, ext string, most int64) ([]byte, error) {
	f, err := c.Open(ext)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
