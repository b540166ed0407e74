package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/report"
)

func testCommand(e *env) *cobra.Command {
	var id string
	var l ladder
	var record recording
	c := &cobra.Command{
		Use:   "test FILE...",
		Short: "run a program on the samples and show how its output differs",
		Long: `Run a program on the samples of its problem and show, for each sample it does
not pass, what came out beside what was expected.

The problem is the one that FILE lies in, or whose id is the name of FILE or of
its folder, or the only one there is; --problem names another.`,
		Example: `  judge test poj3074.cpp
  judge test solutions/poj3074/accepted/dancing_links.go
  judge test --problem poj3074 a.py`,
		Args: arguments(1, math.MaxInt),
		RunE: func(c *cobra.Command, args []string) error {
			return record.end(testFiles(e, c, &l, &record, id, args))
		},
	}
	c.Flags().StringVar(&id, "problem", "", "the problem that the files answer")
	l.flag(c)
	record.flag(c)
	return c
}

func testFiles(e *env, command *cobra.Command, l *ladder, record *recording, id string, files []string) error {
	ctx := command.Context()
	line, end := turning(e)
	defer end()
	h, err := openHouse(append(slices.Clone(files), id))
	if err != nil {
		return err
	}
	defer h.close()
	tests, chosen, err := h.tests(id, files)
	if err != nil {
		return err
	}
	j, err := l.judge(&judge.Judge{KeepOutput: true, All: true, Jobs: 1, OnEvent: func(e judge.Event) { record.event(e); line.event(e) }})
	if err != nil {
		return err
	}
	record.judge = j
	record.begin(e, command, files, machineOf(j), chosen)
	status := statusExpected
	for _, t := range tests {
		if err := j.Infer(ctx, t.c.problem); err != nil {
			return errors.Join(judgeFailed(ctx, err), closed(j))
		}
		record.judging(problemOf(j, t.c))
		r := j.Run(ctx, t.submission, t.c.cases)
		if ctx.Err() != nil {
			break
		}
		if err := showTest(e, t.c.problem, t.file, t.c.cases, r); err != nil {
			return errors.Join(err, closed(j))
		}
		switch {
		case r.JudgeError() != nil, r.Skipped != "":
			status = max(status, statusJudge)
		case r.Verdict != judge.Accepted:
			status = max(status, statusUnexpected)
		}
	}
	if err := errors.Join(closed(j), context.Cause(ctx)); err != nil {
		return err
	}
	return ending(status)
}

// A test is a file that is tested.
type test struct {
	file       string
	submission *judge.Submission
	c          *choice // of its problem, with the samples as cases
}

// tests finds what each file is tested on, and with it what is chosen of each
// problem.
func (h *house) tests(id string, files []string) (tests []test, chosen []*choice, err error) {
	for _, name := range files {
		of, err := h.answers(id, name)
		if err != nil {
			return nil, nil, err
		}
		i := slices.IndexFunc(chosen, func(c *choice) bool { return c.problem == of.problem })
		if i < 0 {
			i = len(chosen)
			chosen = append(chosen, &choice{source: of.source, problem: of.problem, cases: of.problem.Samples()})
		}
		c := chosen[i]
		if len(c.cases) == 0 {
			return nil, nil, fmt.Errorf("%s has no samples; judge run --problem %s %s judges all its cases", c.problem.Path, c.problem.ID, name)
		}
		submissions, err := submissionsOf(c, []string{name})
		if err != nil {
			return nil, nil, err
		}
		c.submissions = append(c.submissions, submissions...)
		tests = append(tests, test{name, submissions[0], c})
	}
	return tests, chosen, nil
}

// answers finds the problem that a file answers.
func (h *house) answers(id, name string) (*choice, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(abs)
	wanted := []string{id}
	if id == "" {
		for _, c := range h.choices {
			if _, ok := c.source.Within(name); ok {
				return c, nil
			}
		}
		for _, b := range h.broken {
			if _, ok := b.source.Within(name); ok {
				return nil, b.err
			}
		}
		wanted = []string{strings.TrimSuffix(base, filepath.Ext(base)), filepath.Base(filepath.Dir(abs))}
	}
	for _, w := range wanted {
		for _, c := range h.choices {
			if c.problem.ID == w || id != "" && c.source == h.within(id) && h.located(id) {
				return c, nil
			}
		}
		for _, b := range h.broken {
			if b.source.ID == w {
				return nil, b.err
			}
		}
	}
	if id == "" && len(h.choices) == 1 && len(h.broken) == 0 {
		return h.choices[0], nil
	}
	if id != "" {
		return nil, fmt.Errorf("--problem %s: no such problem%s", id, h.suggest(id))
	}
	return nil, fmt.Errorf("%s: which problem does it answer? give --problem ID%s", name, h.suggest(wanted[0]))
}

// showTest prints what became of one program on the samples.
func showTest(e *env, p *judge.Problem, name string, samples []*judge.Case, r *judge.Report) error {
	palette := report.Palette{On: e.color}
	w := e.stdout
	fmt.Fprintf(w, "%s on the samples of %s\n", palette.Bold(report.Clean(name)), p.ID)
	switch {
	case r.Skipped != "":
		fmt.Fprintf(w, "  not run: %s\n", report.Clean(r.Skipped))
		return nil
	case r.Err != nil:
		complain(e, r.Err)
		return nil
	case r.Verdict == judge.CompileError:
		fmt.Fprintf(w, "  %s  does not compile\n%s\n", palette.Verdict(judge.CompileError, "CE"), strings.TrimRight(r.Compile.Message, "\n"))
		return nil
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Err != nil {
			complain(e, run.Err)
			continue
		}
		fmt.Fprintf(w, "  %s  %s  %s", palette.Verdict(run.Verdict, fmt.Sprintf("%-3s", run.Verdict)), report.Clean(run.Case), report.Figures(run))
		if why := report.Why(run); why != "" {
			fmt.Fprintf(w, "  %s", why)
		}
		fmt.Fprintln(w)
		if run.Stderr != "" {
			fmt.Fprintf(w, "%s", indent("stderr", run.Stderr))
		}
		if run.Verdict != judge.WrongAnswer || !answered(p, samples[i]) {
			continue
		}
		answer, err := start(samples[i], ".ans")
		if err != nil {
			return err
		}
		// A package's own output validator has arguments of its own.
		var rules check.Rules
		if p.OutputValidators == nil {
			if rules, err = check.ParseRules(samples[i].OutputValidatorArgs); err != nil {
				return err
			}
		}
		io.WriteString(w, wordDiff(palette, rules, answer, run.Output))
	}
	return nil
}

// answered reports whether what a program prints on the case is to be compared
// with the case's answer. In an interaction it prints what the validator asked
// for, of several passes the answer speaks for no single one, and for a static
// validator nothing is run.
func answered(p *judge.Problem, c *judge.Case) bool {
	return c.Static == nil && !p.Is("interactive") && !p.Is("multi-pass")
}

const shownBytes = 64 << 10

// start reads the start of a case's file.
func start(c *judge.Case, ext string) ([]byte, error) {
	f, err := c.Open(ext)
	if err != nil {
		return nil, err
	}
	defer func(f fs.File) { f.Close() }(f)
	var b bytes.Buffer
	_, err = io.Copy(&b, io.LimitReader(f, shownBytes))
	return b.Bytes(), err
}

func indent(what, text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		fmt.Fprintf(&b, "       %s | %s\n", what, report.Clean(strings.TrimRight(line, "\n")))
	}
	return b.String()
}
