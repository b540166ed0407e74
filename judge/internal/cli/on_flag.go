package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/problem"
)

// OnFlag is the value of --on: the server that makes the runs; "" means this process.
type OnFlag struct {
	URL       string // those of the servers of a cluster have commas between them
	TokenFile string
	Class     string
	workers   Workers // set by Dial; nil if the runs are made in this process
}

// Workers are those of a server, and make the runs of a call.
type Workers interface {
	// Executor returns [judge.Judge.Executor].
	Executor() func(*problem.Submission) judge.Executor
	// Choose chooses the machine class for programs in these languages. It waits until workers
	// have been calibrated. Jobs is set to what the class can do at once, unless it was given.
	Choose(ctx context.Context, e *Env, languages []string, jobs *int) error
	// Each returns the workers of that class, by their names.
	Each(ctx context.Context) ([]Worker, error)
}

// A Worker is one of the workers of a server.
type Worker struct {
	Name, Class string
	Executor    judge.Executor // executes items there only
}

// Flags adds --on and --token-file.
func (f *OnFlag) Flags(c *cobra.Command) {
	c.Flags().StringVar(&f.URL, "on", os.Getenv("CRUCIBLE_SERVER"),
		"make the runs on the server at `URL`, see judge help servers; $CRUCIBLE_SERVER does the same, and --on '' makes "+
			"them here")
	hideDefault(c.Flags(), "on")
	c.Flags().StringVar(&f.TokenFile, "token-file", "",
		"read the token for --on from `FILE` (default: $CRUCIBLE_TOKEN, or that of a server of this user on this machine)")
	c.RegisterFlagCompletionFunc("on", cobra.NoFileCompletions)
}

// ClassFlag adds --class.
func (f *OnFlag) ClassFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.Class, "class", "",
		"with --on: make the runs on workers of the machine class `NAME`, see judge workers; any mixes classes, whose "+
			"times cannot be compared (default: the class with the most slots)")
	c.RegisterFlagCompletionFunc("class", cobra.NoFileCompletions)
}

// Check checks that a machine class and a token are given with a server only.
func (f *OnFlag) Check() error {
	if f.TokenFile != "" && f.URL == "" {
		return fmt.Errorf("--token-file %s without --on: expected both", f.TokenFile)
	}
	if f.Class != "" && f.URL == "" {
		return fmt.Errorf("--class %s without --on: expected both", f.Class)
	}
	return nil
}

// Dial asks the server, if there is one, whether it can make the runs. Jobs is how many
// items are to be under way; 0 means as many as suit the server.
func (f *OnFlag) Dial(ctx context.Context, e *Env, jobs *int) (err error) {
	if f.URL == "" {
		return nil
	}
	if err := e.needLab(); err != nil {
		return err
	}
	f.workers, err = e.Lab.Dial(ctx, e, f, jobs)
	return err
}

// Executor returns [judge.Judge.Executor], after Dial.
func (f *OnFlag) Executor() func(*problem.Submission) judge.Executor {
	if f.workers == nil {
		return nil
	}
	return f.workers.Executor()
}

// Each returns the workers of the chosen class, after Choose; none if the runs are made in
// this process.
func (f *OnFlag) Each(ctx context.Context) ([]Worker, error) {
	if f.workers == nil {
		return nil, nil
	}
	return f.workers.Each(ctx)
}
