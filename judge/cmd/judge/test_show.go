package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/internal/display"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// A showing prints the results of one program on its samples.
type showing struct {
	e       *env
	t       *test
	limits  problem.Limits
	printed map[*problem.Case][]byte
	keep    *keeper
	several bool // several programs are tested
	own     bool // the input is that of --input, and its output was already printed
}

// unjudged reports whether a run ended normally but has no verdict, because the
// sample has no answer.
func (s *showing) unjudged(i int, run *judge.Run) bool {
	return s.t.loose != nil && s.t.loose.Cases[i].Answer == "" && (run.Verdict == problem.WrongAnswer || run.Verdict == problem.Accepted)
}

// status returns the exit status of one program.
func (s *showing) status(r *judge.Report) int {
	if r.JudgeError() != nil || r.Skipped != "" {
		return statusJudge
	}
	if r.Verdict == problem.CompileError {
		return statusUnexpected
	}
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Verdict != problem.Accepted && !s.unjudged(i, run) {
			return statusUnexpected
		}
	}
	return statusExpected
}

func (s *showing) show(r *judge.Report) error {
	palette, w := report.Palette{On: s.e.color}, s.e.stdout
	name := palette.Bold(terminal.Clean(s.t.file))
	switch {
	case s.own:
	case s.t.loose != nil:
		fmt.Fprintf(w, "%s on %s\n", name, terminal.Clean(s.t.loose.head(s.limits)))
	default:
		fmt.Fprintf(w, "%s on the samples of %s\n", name, s.t.problem().ID)
	}
	switch {
	case r.Skipped != "":
		fmt.Fprintf(w, "  not run: %s\n", terminal.Clean(r.Skipped))
		return nil
	case r.Err != nil:
		complain(s.e, r.Err)
		return nil
	case r.Verdict == problem.CompileError:
		fmt.Fprintf(w, "  %s  does not compile\n%s\n", palette.Verdict(problem.CompileError, "CE"), strings.TrimRight(r.Compile.Message, "\n"))
		return nil
	}
	for i := range r.Runs {
		if err := s.run(i, &r.Runs[i]); err != nil {
			return err
		}
	}
	return nil
}

// run prints the result of one sample.
func (s *showing) run(i int, run *judge.Run) error {
	palette, w, c := report.Palette{On: s.e.color}, s.e.stdout, s.t.cases()[i]
	if run.Err != nil {
		complain(s.e, run.Err)
		return nil
	}
	unjudged := s.unjudged(i, run)
	verdict, name := palette.Verdict(run.Verdict, fmt.Sprintf("%-3s", run.Verdict)), run.Case
	if unjudged {
		verdict = "ran"
	}
	if s.t.loose != nil {
		name = cmp.Or(s.t.loose.Cases[i].Input, name)
	}
	fmt.Fprintf(w, "  %s  %s  %s", verdict, terminal.Clean(name), report.Figures(run))
	if why := report.Why(run); why != "" && !unjudged {
		fmt.Fprintf(w, "  %s", why)
	}
	fmt.Fprintln(w)
	failed := run.Verdict != problem.Accepted && !unjudged
	if failed && c.Static == nil && !s.own {
		input, err := start(c, ".in", shownInput)
		if err != nil {
			return err
		}
		io.WriteString(w, quote("input", input))
	}
	if run.Stderr != "" {
		fmt.Fprintf(w, "%s", quote("stderr", []byte(run.Stderr)))
	}
	output := s.printed[c]
	if output == nil {
		output = run.Output
	}
	switch {
	case unjudged && !s.own:
		io.WriteString(w, quote("output", output))
	case failed && run.Verdict == problem.WrongAnswer && answered(s.t.problem(), c):
		if err := s.compare(c, run, output); err != nil {
			return err
		}
	}
	if failed && s.keep != nil {
		name := strings.TrimPrefix(c.Name, "sample/")
		if s.several {
			name = filepath.Base(s.t.file) + "/" + name
		}
		return s.keep.failed(name, c, s.t.loose == nil || s.t.loose.Cases[i].Answer != "", run.Stderr)
	}
	return nil
}

// compare shows the output beside the answer.
func (s *showing) compare(c *problem.Case, run *judge.Run, output []byte) error {
	answer, err := start(c, ".ans", display.Compared)
	if err != nil {
		return err
	}
	one := display.Comparison{Palette: report.Palette{On: s.e.color}, At: run.Diff, Answer: answer, Output: output}
	// The arguments of a package's own output validator are not rules.
	if s.t.problem().OutputValidators == nil {
		if one.Rules, err = check.ParseRules(c.OutputValidatorArgs); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.e.stdout, "       - expected, + printed\n%s", one.String())
	return nil
}

// answered reports whether the output on a case can be compared with its answer.
// It cannot in an interaction or in several passes, and a static validator runs no
// program.
func answered(p *problem.Problem, c *problem.Case) bool {
	return c.Static == nil && !p.Is(problem.Interactive) && !p.Is(problem.MultiPass)
}

// Maximum shown part of an input, an output or standard error, in bytes and lines.
const (
	shownInput = 64 << 10
	shownLines = 12
)

// start returns the start of a file of a case. most is its maximum length in bytes.
func start(c *problem.Case, ext string, most int64) ([]byte, error) {
	f, err := c.Open(ext)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, io.LimitReader(f, most))
	return b.Bytes(), err
}

// quote returns the start of an untrusted text, clipped in lines and columns and
// cleaned for terminals.
func quote(what string, text []byte) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		if i == shownLines && len(lines) > shownLines+1 {
			more := fmt.Sprintf("%d more lines", len(lines)-i)
			if len(text) >= shownInput {
				more = "more"
			}
			fmt.Fprintf(&b, "       %s | … %s\n", what, more)
			break
		}
		fmt.Fprintf(&b, "       %s | %s\n", what, terminal.Clip(terminal.Clean(strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")), display.Columns))
	}
	return b.String()
}
