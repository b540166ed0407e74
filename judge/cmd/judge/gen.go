package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/gen"
)

func genCommand(e *env) *cobra.Command {
	var l ladder
	c := &cobra.Command{
		Use:   "gen PROBLEM...",
		Short: "make test data from generators.yaml",
		Long: `Make the cases that generators/generators.yaml declares: inputs from generators,
answers from the solution, and their SHA-256 in generators/data.sha256. Files
that are as they should be are left alone.`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeNames(false),
		RunE:              func(c *cobra.Command, args []string) error { return generate(c.Context(), e, &l, args) },
	}
	l.flag(c)
	return c
}

func generate(ctx context.Context, e *env, l *ladder, args []string) error {
	root, _, err := judge.Find(".")
	if err != nil {
		return err
	}
	sources, err := judge.Sources(root)
	if err != nil {
		return err
	}
	var chosen []*judge.Source
	for _, s := range sources {
		defer s.Close()
	}
	for _, arg := range args {
		n := len(chosen)
		for _, s := range sources {
			if name, ok := s.Within(arg); judge.GlobCovers(arg, s.ID) || ok && name == "." {
				chosen = append(chosen, s)
			}
		}
		if len(chosen) == n {
			return fmt.Errorf("%q names no problem", arg)
		}
	}
	j, err := l.judge(new(judge.Judge))
	if err != nil {
		return err
	}
	for _, s := range chosen {
		if err := generateOne(ctx, e, j, s); err != nil {
			return errors.Join(err, j.Close())
		}
	}
	return errors.Join(j.Close(), context.Cause(ctx))
}

func generateOne(ctx context.Context, e *env, j *judge.Judge, s *judge.Source) error {
	plan, err := judge.Plan(s)
	if err != nil {
		return err
	}
	if plan == nil {
		return fmt.Errorf("%s: has no generators/generators.yaml", s.Path)
	}
	for _, w := range plan.Warnings {
		warn(e, w)
	}
	pins := make(gen.Pins)
	written := 0
	err = j.Generate(ctx, s, plan, func(g judge.Generated) error {
		for ext, data := range g.Files {
			pins[g.Name+ext] = sha256.Sum256(data)
			fresh, err := update(s, "data/"+g.Name+ext, data)
			if err != nil {
				return err
			}
			if fresh {
				written++
				fmt.Fprintf(e.stdout, "%s  %s%s  %s\n", s.ID, g.Name, ext, judge.Bytes(int64(len(data))))
			}
		}
		return nil
	})
	var defect *judge.Defect
	switch {
	case errors.As(err, &defect), err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return &statusError{statusJudge, err}
	}
	if _, err := update(s, judge.PinsFile, pins.Format()); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s: %d cases, %d files written\n", s.ID, len(plan.Cases), written)
	return nil
}

// update writes a file of the package unless it holds the data already.
func update(s *judge.Source, name string, data []byte) (fresh bool, err error) {
	if have, err := fs.ReadFile(s, name); err == nil && bytes.Equal(have, data) {
		return false, nil
	}
	return true, s.WriteFile(name, data)
}
