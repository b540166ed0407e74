package lab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/prepare/statement"
	"crucible/judge/prepare/verify"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

func Verify(e *cli.Env) *cobra.Command {
	f := cli.RunFlags{Whole: true}
	var werror bool
	var github string
	c := &cobra.Command{
		Use:               "verify [PROBLEM...]",
		Short:             "check what packages promise: validators, data, expectations, limits",
		Long:              helpText("verify"),
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE: func(c *cobra.Command, args []string) error {
			return f.Record.End(verifyPackages(e, c, &f, werror, github, args))
		},
	}
	c.Flags().BoolVar(&werror, "werror", false, "count doubts as broken promises")
	c.Flags().StringVar(&github, "github", "",
		"write broken promises and doubts to `FILE` as workflow commands of GitHub Actions, which shows them beside the "+
			"lines; - is standard output")
	c.Flags().IntVarP(&f.Jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	cli.RequireFlag(c, &f.Require)
	cli.VerboseFlag(c, &f.Verbose)
	f.Levels.Flag(c)
	f.Record.Flag(c)
	return c
}

func verifyPackages(e *cli.Env, c *cobra.Command, f *cli.RunFlags, werror bool, github string, args []string) error {
	ctx := c.Context()
	line, end := cli.Turning(&e.Stdout, &e.Stderr)
	defer end()
	var write func(data []byte) error
	if github != "" {
		var err error
		if write, err = e.OpenFile("--github", github); err != nil {
			return err
		}
	}
	began := time.Now()
	line.Say("opening packages")
	h, err := f.Gather(e, args)
	if err != nil {
		return err
	}
	defer h.Close()
	cli.Unopened(e, h)
	status := cli.StatusOf(h.Err())
	j, err := f.Levels.Judge(&judge.Judge{Languages: e.Languages, Jobs: f.Jobs,
		OnEvent: func(e judge.Event) { f.Record.Event(e); line.Event(e) }})
	if err != nil {
		return err
	}
	var stderr cli.Failures
	if f.Verbose {
		j.OnStderr = stderr.Add
	}
	f.Record.Judge = j
	f.Record.Begin(e, c, args, cli.MachineOf(j), h.Choices)
	var annotations strings.Builder
	for _, b := range h.Broken {
		for _, line := range report.ErrorLines(b.Err) {
			annotations.WriteString(report.GithubAnnotation("error", b.Source.ID+" cannot be opened", line))
		}
	}
	broken, doubts, failed := 0, 0, 0
	for _, one := range h.Choices {
		s, v := verifyOne(ctx, e, f, j, one, &stderr, werror, &annotations)
		status = max(status, s)
		if ctx.Err() != nil {
			break
		}
		if s == cli.StatusJudge {
			failed++
		}
		for i := range v.Promises {
			broken, doubts = broken+len(v.Promises[i].Broken), doubts+len(v.Promises[i].Doubts)
		}
	}
	if ctx.Err() == nil {
		line.Clear()
		found := []string{terminal.Count(broken, "error"), terminal.Count(doubts, "doubt")}
		if n := len(h.Broken); n > 0 {
			found = append(found, fmt.Sprintf("%d cannot be opened", n))
		}
		if failed > 0 {
			found = append(found, fmt.Sprintf("%d not verified completely", failed))
		}
		packages := terminal.Count(len(h.Choices)+len(h.Broken), "package")
		fmt.Fprintf(e.Stdout, "%s in %s: %s\n", packages, terminal.Duration(time.Since(began)), strings.Join(found, ", "))
	}
	if github != "" {
		err = write([]byte(annotations.String()))
	}
	if err := errors.Join(err, cli.Closed(j), context.Cause(ctx)); err != nil {
		return err
	}
	return cli.Ending(status)
}

// verifyOne verifies one package and returns the exit status and what was found.
func verifyOne(ctx context.Context, e *cli.Env, f *cli.RunFlags, j *judge.Judge, c *cli.Choice, stderr *cli.Failures,
	werror bool, annotations *strings.Builder) (int, *verify.Verification) {
	f.Record.Judging(cli.ProblemOf(j, c))
	fmt.Fprintf(e.Stdout, "%s\n", e.Palette.Bold(terminal.Clean(c.Problem.ID)))
	key := ""
	if f.Record.Recording != nil {
		key = record.PackageDigest(c.Source)
	}
	v, err := verify.Verify(ctx, j, c.Problem, verify.Options{Render: statement.Check, Done: func(p verify.Promise) {
		printPromise(e, p)
		annotate(annotations, c.Problem.ID, &p)
		if f.Verbose && p.Probed != nil && len(p.Probed.Bounds) > 0 {
			printBounds(e, p.Probed)
		} else if p.Probed != nil {
			printUnmatched(e, p.Probed.Unmatched)
		}
		stderr.Print(e, "")
	}})
	if ctx.Err() != nil {
		return cli.StatusInterrupted, v
	}
	p := cli.ProblemOf(j, c)
	if v.Reports == nil {
		p.Err = err
	}
	// Store the problem again: its time limit may have been inferred, and times measured
	// again.
	f.Record.Judging(p)
	for i, r := range v.Reports {
		f.Record.Judged(c.Problem.Submissions[i], r)
	}
	cli.Complain(e, err)
	if err == nil {
		broken, doubtful, skipped := 0, 0, 0
		for i := range v.Promises {
			switch one := &v.Promises[i]; {
			case one.Broken != nil:
				broken++
			case one.Doubts != nil:
				doubtful++
			case one.Skipped != "":
				skipped++
			}
		}
		f.Record.Section(p, record.PromisesKey, key, &record.PromiseCounts{Checked: len(v.Promises) - skipped, Broken: broken,
			Doubtful: doubtful})
	}
	status := cli.StatusOf(cli.JudgeFailed(ctx, err))
	if !v.Holds() || werror && v.Doubtful() {
		status = max(status, cli.StatusUnexpected)
	}
	if printSkipped(e, v) && f.Require {
		status = max(status, cli.StatusJudge)
	}
	return status, v
}

// annotate adds the violations and doubts of a promise as workflow commands.
func annotate(to *strings.Builder, id string, p *verify.Promise) {
	title := terminal.Clean(id) + ": " + p.Name
	for _, err := range p.Broken {
		to.WriteString(report.GithubAnnotation("error", title, err.Error()))
	}
	for _, err := range p.Doubts {
		to.WriteString(report.GithubAnnotation("warning", title, err.Error()))
	}
}

// printSkipped prints the submissions that could not run here, and reports whether
// there are any.
func printSkipped(e *cli.Env, v *verify.Verification) (any bool) {
	for _, r := range v.Reports {
		if r.Skipped != "" {
			fmt.Fprintf(e.Stdout, "  skip  %s  %s\n", terminal.Clean(r.Submission), terminal.Clean(r.Skipped))
			any = true
		}
	}
	return any
}

// maxBroken is the maximum number of printed violations of one promise.
const maxBroken = 20

func printPromise(e *cli.Env, p verify.Promise) {
	switch {
	case p.Skipped != "":
		fmt.Fprintf(e.Stdout, "  skip  %s: %s\n", p.Name, terminal.Clean(p.Skipped))
		return
	case p.Err != nil && p.Broken == nil:
		fmt.Fprintf(e.Stdout, "  %s    %s: the judge failed\n", e.Palette.Standing(report.JudgeError, "JE"), p.Name)
		return
	case p.Broken == nil:
		checked := fmt.Sprintf("%d checked", p.Checked)
		if p.Checked == 0 {
			checked = "nothing to check"
		}
		fmt.Fprintf(e.Stdout, "  %s    %s (%s)\n", e.Palette.Standing(report.AsExpected, "ok"), p.Name, checked)
		printSome(e, "doubt: ", p.Doubts)
		return
	}
	checked := "" // one thing that was checked can have several errors, and what is missing was not checked
	if p.Checked > 0 {
		checked = fmt.Sprintf(" (%d checked)", p.Checked)
	}
	fmt.Fprintf(e.Stdout, "  %s  %s: %s%s\n",
		e.Palette.Standing(report.Unexpected, "FAIL"), p.Name, terminal.Count(len(p.Broken), "error"), checked)
	printSome(e, "", p.Broken)
	printSome(e, "doubt: ", p.Doubts)
}

// printBounds prints the table of the bounds of the input.
func printBounds(e *cli.Env, f *verify.Findings) {
	s := f.BoundsSheet()
	var b strings.Builder
	report.Text{Palette: e.Palette}.Sheet(&b, &s)
	fmt.Fprint(e.Stdout, b.String())
}

// printUnmatched prints in one line the statement's bounds that were not compared.
func printUnmatched(e *cli.Env, bounds []string) {
	if len(bounds) == 0 {
		return
	}
	more := ""
	if n := len(bounds) - 1; n > 0 {
		more = " (and " + terminal.Count(n, "more bound") + ")"
	}
	fmt.Fprintf(e.Stdout, "        not compared: %s%s in the statement: no quantity of the input is recognized as "+
		"that; list names and bounds in the order of the input\n", terminal.Clean(bounds[0]), more)
}

// printSome prints at most maxBroken errors.
func printSome(e *cli.Env, what string, errs []error) {
	lines := terminal.Texts(errs, func(err error) string {
		return strings.ReplaceAll(what+terminal.CleanText(strings.TrimSpace(err.Error())), "\n", "\n          ")
	})
	for _, line := range cli.AtMost(maxBroken, lines) {
		fmt.Fprintf(e.Stdout, "        %s\n", line)
	}
}
