package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/display"
	"crucible/judge/internal/selection"
	"crucible/judge/internal/text"
	"crucible/judge/report"
	"crucible/judge/terminal"
	"crucible/judge/verify"
)

func verifyCommand(e *env) *cobra.Command {
	f := runFlags{whole: true}
	var werror bool
	c := &cobra.Command{
		Use:               "verify [PROBLEM...]",
		Short:             "check what packages promise: validators, data, expectations, limits",
		Long:              helpText("verify"),
		ValidArgsFunction: completeNames(false),
		RunE: func(c *cobra.Command, args []string) error {
			return f.record.end(verifyPackages(e, c, &f, werror, args))
		},
	}
	c.Flags().BoolVar(&werror, "werror", false, "count doubts as broken promises")
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	requireFlag(c, &f.require)
	verboseFlag(c, &f.verbose)
	f.levels.flag(c)
	f.record.flag(c)
	return c
}

func verifyPackages(e *env, command *cobra.Command, f *runFlags, werror bool, args []string) error {
	ctx := command.Context()
	line, end := display.Turning(&e.stdout, &e.stderr)
	defer end()
	line.Say("opening packages")
	h, err := f.gather(args)
	if err != nil {
		return err
	}
	defer h.Close()
	unopened(e, h)
	status := statusOf(h.Err())
	j, err := f.levels.judge(&judge.Judge{Jobs: f.jobs, OnEvent: func(e judge.Event) { f.record.Event(e); line.Event(e) }})
	if err != nil {
		return err
	}
	var stderr failures
	if f.verbose {
		j.OnStderr = stderr.add
	}
	f.record.judge = j
	f.record.begin(e, command, args, machineOf(j), h.Choices)
	for _, c := range h.Choices {
		status = max(status, f.verifyOne(ctx, e, j, c, &stderr, werror))
		if ctx.Err() != nil {
			break
		}
	}
	if err := errors.Join(closed(j), context.Cause(ctx)); err != nil {
		return err
	}
	return ending(status)
}

// verifyOne verifies one package and returns the exit status.
func (f *runFlags) verifyOne(ctx context.Context, e *env, j *judge.Judge, c *selection.Choice, stderr *failures, werror bool) int {
	f.record.Judging(problemOf(j, c))
	fmt.Fprintf(e.stdout, "%s\n", e.palette.Bold(terminal.Clean(c.Problem.ID)))
	v, err := verify.Verify(ctx, j, c.Problem, false, func(p verify.Promise) {
		printPromise(e, p)
		stderr.print(e, "")
	})
	if ctx.Err() != nil {
		return statusInterrupted
	}
	p := problemOf(j, c)
	if v.Reports == nil {
		p.Err = err
	}
	// Store the problem again: its time limit may have been inferred, and times measured
	// again.
	f.record.Judging(p)
	for i, r := range v.Reports {
		f.record.Judged(c.Problem.Submissions[i], r)
	}
	complain(e, err)
	status := statusOf(judgeFailed(ctx, err))
	if !v.Holds() || werror && v.Doubtful() {
		status = max(status, statusUnexpected)
	}
	if printSkipped(e, v) && f.require {
		status = max(status, statusJudge)
	}
	return status
}

// printSkipped prints the submissions that could not run here, and reports whether
// there are any.
func printSkipped(e *env, v *verify.Verification) (any bool) {
	for _, r := range v.Reports {
		if r.Skipped != "" {
			fmt.Fprintf(e.stdout, "  skip  %s  %s\n", terminal.Clean(r.Submission), terminal.Clean(r.Skipped))
			any = true
		}
	}
	return any
}

// maxBroken is the maximum number of printed violations of one promise.
const maxBroken = 20

func printPromise(e *env, p verify.Promise) {
	switch {
	case p.Skipped != "":
		fmt.Fprintf(e.stdout, "  skip  %s: %s\n", p.Name, terminal.Clean(p.Skipped))
		return
	case p.Err != nil && p.Broken == nil:
		fmt.Fprintf(e.stdout, "  %s    %s: the judge failed\n", e.palette.Standing(report.JudgeError, "JE"), p.Name)
		return
	case p.Broken == nil:
		fmt.Fprintf(e.stdout, "  %s    %s (%d checked)\n", e.palette.Standing(report.AsExpected, "ok"), p.Name, p.Checked)
		printSome(e, "doubt: ", p.Doubts)
		return
	}
	fmt.Fprintf(e.stdout, "  %s  %s: %d of %d do not\n", e.palette.Standing(report.Unexpected, "FAIL"), p.Name, len(p.Broken), max(p.Checked, len(p.Broken)))
	printSome(e, "", p.Broken)
	printSome(e, "doubt: ", p.Doubts)
}

// printSome prints at most maxBroken errors.
func printSome(e *env, what string, errs []error) {
	lines := text.Map(errs, func(err error) string { return what + terminal.Clean(err.Error()) })
	for _, line := range atMost(maxBroken, lines) {
		fmt.Fprintf(e.stdout, "        %s\n", line)
	}
}
