package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// talk lets a person talk to a program, or without a file to the interactor of a problem.
func talk(e *Env, c *cobra.Command, f *testFlags, files []string) error {
	defer f.close()
	f.languages = e.Languages
	ctx := c.Context()
	var t test
	var of *problem.Problem
	err := errors.New("--interactive: expected a program, or --problem with an interactive problem")
	switch {
	case len(files) == 1:
		if t, err = f.partner(files[0]); err == nil {
			of = t.submission.Problem
		}
	case f.problem != "":
		of, err = f.interactive()
	}
	if err != nil {
		return err
	}
	on, err := caseNamed(of, f.on)
	if err != nil {
		return err
	}
	line := NewProgress(e.Stderr)
	j, err := f.levels.Judge(&judge.Judge{Settings: judge.Settings{TimeLimit: f.timeLimit}, Languages: f.languages,
		Jobs: 1, OnEvent: line.Event})
	if err != nil {
		return err
	}
	out := &talkWriter{w: e.Stdout, tty: e.TTY}
	with := judge.Person{In: c.InOrStdin(), Out: out, Stderr: &talkWriter{w: e.Stderr, tty: true, before: "| "}}
	status, err := converse(ctx, e, j, t.submission, of, on, with, line)
	return errors.Join(err, Closed(j), context.Cause(ctx), Ending(status))
}

// converse compiles and runs the program, and prints how it ended.
func converse(ctx context.Context, e *Env, j *judge.Judge, s *problem.Submission, p *problem.Problem, on *problem.Case,
	with judge.Person, line *Progress) (status int, err error) {
	var run judge.Run
	what := "interactor of " + p.ID + " on " + on.Name
	if s == nil {
		line.Clear()
		run = j.Interact(ctx, on, p, with)
	} else {
		what = s.Name
		if err := j.Infer(ctx, p); err != nil {
			return 0, JudgeFailed(ctx, err)
		}
		x, r := j.Begin(ctx, s)
		line.Clear()
		switch {
		case r.Err != nil:
			return 0, JudgeFailed(ctx, r.Err)
		case r.Skipped != "":
			return 0, WithStatus(StatusJudge, errors.New(r.Skipped))
		case x == nil:
			PrintLines(e, "", strings.TrimRight(r.Compile.Message, "\n"))
			return StatusUnexpected, nil
		}
		run = x.Talk(ctx, on, with)
		x.End()
	}
	if ctx.Err() != nil {
		return 0, nil
	}
	if run.Err != nil {
		return 0, JudgeFailed(ctx, run.Err)
	}
	verdict := "ended"
	if s == nil || run.Verdict != problem.Accepted {
		verdict = e.Palette.Verdict(run.Verdict, string(run.Verdict))
	}
	ending := strings.TrimSpace(report.Figures(&run) + "  " + report.Why(&run))
	fmt.Fprintf(e.Stderr, "%s  %s  %s\n", terminal.Clean(what), verdict, ending)
	if run.Verdict != problem.Accepted {
		return StatusUnexpected, nil
	}
	return StatusExpected, nil
}

// partner returns the program that a person talks to. It needs no samples.
func (f *testFlags) partner(file string) (t test, err error) {
	h, err := Open(f.languages, []string{file, f.problem})
	if err == nil {
		f.closers = append(f.closers, h.Close)
		var of *Choice
		if of, err = h.SolvedBy(f.problem, file); err == nil {
			s, err := of.SubmissionOf(file)
			return test{file: file, submission: s}, err
		}
	}
	if f.problem != "" || !errors.Is(err, ErrNoProblem) {
		return t, err
	}
	l, err := f.settings().LooseInput(fstest.MapFS{"none": {}}, "samples", "none")
	if err != nil {
		return t, err
	}
	return newTest(file, l, "")
}

// interactive returns the problem of --problem.
func (f *testFlags) interactive() (*problem.Problem, error) {
	h, err := Choose(f.languages, "", []string{f.problem}, "; expected a problem")
	if err != nil {
		return nil, err
	}
	f.closers = append(f.closers, h.Close)
	one, err := h.One("judge test --interactive", []string{f.problem})
	if err != nil {
		return nil, err
	}
	if !one.Problem.Is(problem.Interactive) {
		return nil, fmt.Errorf("--interactive: %s is not interactive; name a program to talk to", one.Problem.ID)
	}
	return one.Problem, nil
}

// caseNamed returns a case of a problem; the first one if no name is given.
func caseNamed(p *problem.Problem, name string) (*problem.Case, error) {
	if name == "" && len(p.Cases) > 0 {
		return p.Cases[0], nil
	}
	i := slices.IndexFunc(p.Cases, func(c *problem.Case) bool { return c.Name == name })
	if i < 0 {
		names := terminal.Texts(p.Cases, func(c *problem.Case) string { return c.Name })
		meant := name
		if i := slices.IndexFunc(names, func(full string) bool { return path.Base(full) == name }); i >= 0 {
			meant = names[i]
		}
		return nil, fmt.Errorf("--case %s: %s has no such case%s", name, p.ID, terminal.DidYouMean(meant, names))
	}
	return p.Cases[i], nil
}

// completeCases completes --case with the cases of the problem.
func (f *testFlags) completeCases(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	none := cobra.ShellCompDirectiveNoFileComp
	args = slices.DeleteFunc(append(slices.Clone(args), f.problem), func(s string) bool { return s == "" })
	h, err := Open(f.languages, args)
	if err != nil {
		return nil, none
	}
	defer h.Close()
	of, err := h.SolvedBy(f.problem, append(args, "")[0])
	if err != nil {
		return nil, none
	}
	return terminal.Texts(of.Problem.Cases, func(c *problem.Case) string { return c.Name }), none
}

// A talkWriter passes on what a program writes, at once. For a terminal it removes
// control characters, and begins each line with a prefix.
type talkWriter struct {
	w      io.Writer
	tty    bool
	before string

	mu     sync.Mutex
	inside bool // a line has begun
}

func (t *talkWriter) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.tty {
		return t.w.Write(p)
	}
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		if !t.inside {
			b.WriteString(t.before)
		}
		rest, ended := strings.CutSuffix(line, "\n")
		b.WriteString(terminal.Clean(strings.ReplaceAll(rest, "\t", "    ")))
		if t.inside = !ended; ended {
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(t.w, b.String())
	return len(p), err
}
