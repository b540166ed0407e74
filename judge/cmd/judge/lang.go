package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/report"
)

func langCommand(e *env) *cobra.Command {
	var prove bool
	c := &cobra.Command{
		Use:   "lang [CODE...]",
		Short: "list the languages, and which are usable on this machine",
		Long: `List the languages of this judge: code, file extensions, and the compiler or
interpreter found on this machine, or why the language is not usable here.

With --prove each usable language builds and runs its hello; one that cannot is
a judge error (exit status 3).`,
		ValidArgsFunction: completeLanguages,
		RunE:              func(c *cobra.Command, args []string) error { return listLanguages(c.Context(), e, args, prove) },
	}
	c.Flags().BoolVar(&prove, "prove", false, "build and run each language's hello")
	return c
}

func listLanguages(ctx context.Context, e *env, codes []string, prove bool) error {
	chosen, err := languagesNamed(codes)
	if err != nil {
		return err
	}
	var j judge.Judge
	if _, err := j.CacheDir(); err != nil {
		return &statusError{statusJudge, err}
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	var broken error
	for i := range chosen {
		l := &chosen[i]
		usable, with := "yes", ""
		tc, err := j.Toolchain(ctx, l)
		switch {
		case err != nil:
			usable, with = "no", err.Error()
		default:
			with = tc.Version
			if prove {
				if err := j.Prove(ctx, l); err != nil {
					usable, with = "broken", err.Error()
					broken = &statusError{status: statusJudge}
				}
			}
		}
		if ctx.Err() != nil {
			break
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", l.Code, l.Name, strings.Join(l.Exts, " "), usable, report.Clean(with))
	}
	return errors.Join(w.Flush(), j.Close(), broken, context.Cause(ctx))
}

func languagesNamed(codes []string) ([]judge.Language, error) {
	all := judge.Languages()
	if len(codes) == 0 {
		return all, nil
	}
	var chosen []judge.Language
	for _, code := range codes {
		found := false
		for _, l := range all {
			if l.Code == code {
				chosen, found = append(chosen, l), true
			}
		}
		if !found {
			return nil, fmt.Errorf("%q: unknown language; judge lang lists them", code)
		}
	}
	return chosen, nil
}
