package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/internal/command"
	"crucible/judge/internal/text"
	"crucible/judge/language"
	"crucible/judge/terminal"
)

func langCommand(e *command.Env) *cobra.Command {
	var prove, debian, verbose bool
	c := &cobra.Command{
		Use:               "lang [CODE...]",
		Short:             "list the languages, and which are usable on this machine",
		Long:              helpText("lang"),
		ValidArgsFunction: command.CompleteLanguages,
		RunE: func(c *cobra.Command, args []string) error {
			return listLanguages(c.Context(), e, args, prove && !debian, debian, verbose)
		},
	}
	c.Flags().BoolVar(&prove, "prove", false, "build and run each language's hello program")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the commands that compile and run programs")
	c.Flags().BoolVar(&debian, "debian", false, "list the Debian packages that the unusable languages need")
	return c
}

// A found is the state of a language on this machine.
type found struct {
	tc       build.Toolchain
	unusable error // why the language cannot be used
	broken   error // why its hello program does not build or run; nil if it was not tried
}

func listLanguages(ctx context.Context, e *command.Env, codes []string, prove, debian, verbose bool) error {
	chosen, err := languagesNamed(codes)
	if err != nil {
		return err
	}
	var j judge.Judge
	if err := j.Start(); err != nil {
		return command.WithStatus(command.StatusJudge, err)
	}
	all := findLanguages(ctx, &j, chosen, prove)
	if err := context.Cause(ctx); err != nil {
		return errors.Join(command.Closed(&j), err)
	}
	if debian {
		listPackages(e, chosen, all)
		return command.Closed(&j)
	}
	var table terminal.Table
	var broken error
	for i, l := range chosen {
		usable, with := "yes", all[i].tc.Version
		switch {
		case all[i].unusable != nil:
			usable, with = "no", all[i].unusable.Error()
		case all[i].broken != nil:
			usable, with = "broken", all[i].broken.Error()
			broken = command.WithStatus(command.StatusJudge, nil)
		}
		exts := strings.Join(l.Exts, " ")
		if l.Shared != nil {
			exts = strings.TrimSpace(exts + " (" + strings.Join(l.Shared, " ") + ")")
		}
		table.Add(l.Code, l.Name, exts, usable, with)
	}
	if verbose {
		for i := range chosen {
			describeLanguage(e.Stdout, &chosen[i], all[i])
		}
	} else {
		io.WriteString(e.Stdout, table.String())
	}
	return errors.Join(command.Closed(&j), broken)
}

// findLanguages finds the toolchains of the chosen languages concurrently, because it
// mostly waits for tools that print their versions.
func findLanguages(ctx context.Context, j *judge.Judge, chosen []language.Language, prove bool) []found {
	all := make([]found, len(chosen))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range chosen {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			f, l := &all[i], &chosen[i]
			if f.tc, f.unusable = j.Toolchain(ctx, l); f.unusable == nil && prove {
				f.broken = j.Prove(ctx, l)
			}
		})
	}
	wg.Wait()
	return all
}

// listPackages prints the Debian packages of unusable languages, each once.
func listPackages(e *command.Env, chosen []language.Language, all []found) {
	var packages []string
	for i, l := range chosen {
		if all[i].unusable != nil {
			packages = append(packages, strings.Fields(l.Debian)...)
		}
	}
	slices.Sort(packages)
	for _, name := range slices.Compact(packages) {
		fmt.Fprintln(e.Stdout, name)
	}
}

func languagesNamed(codes []string) ([]language.Language, error) {
	if len(codes) == 0 {
		return language.Languages, nil
	}
	var chosen []language.Language
	for _, code := range codes {
		l := language.ByCode(code)
		if l == nil {
			return nil, fmt.Errorf("%q: unknown language%s; judge lang lists them", code, text.DidYouMean(code, command.LanguageCodes()))
		}
		chosen = append(chosen, *l)
	}
	return chosen, nil
}
