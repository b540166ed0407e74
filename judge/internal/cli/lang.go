package cli

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
	"crucible/judge/language"
	"crucible/judge/terminal"
)

func Lang(e *Env) *cobra.Command {
	var prove, debian, used, verbose, asJSON bool
	c := &cobra.Command{
		Use:               "lang [CODE...]",
		Short:             "list the languages, and which are usable on this machine",
		Long:              helpText("lang"),
		ValidArgsFunction: CompleteLanguages,
		RunE: func(c *cobra.Command, args []string) error {
			show := writeTable
			switch {
			case debian:
				show = listPackages
			case asJSON:
				show = writeLanguages
			case verbose:
				show = describeLanguages
			}
			chosen, err := languagesNamed(e, args)
			if used && err == nil {
				chosen, err = usedLanguages(e, args)
			}
			if err != nil {
				return err
			}
			return listLanguages(c.Context(), e, chosen, prove && !debian, verbose || asJSON, show)
		},
	}
	c.Flags().BoolVar(&prove, "prove", false, "build and run each language's hello program")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the commands that compile and run programs")
	c.Flags().BoolVar(&debian, "debian", false, "list the Debian packages that the unusable languages need")
	c.Flags().BoolVar(&used, "used", false,
		"only the languages of the programs in the problems here: submissions, validators, generators")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of objects")
	c.MarkFlagsMutuallyExclusive("debian", "json", "verbose")
	return c
}

// A foundLanguage is a language and its state on this machine.
type foundLanguage struct {
	*language.Language
	tc       build.Toolchain
	unusable error // why the language cannot be used
	broken   error // why its hello program does not build or run; nil if it was not tried

	// If they were looked for: flags that link programs statically, and else why there are none.
	static  []string
	dynamic string
}

// listLanguages finds the chosen languages and shows them.
func listLanguages(ctx context.Context, e *Env, chosen []language.Language, prove, link bool,
	show func(io.Writer, []foundLanguage) error) error {
	j := judge.Judge{Languages: e.Languages}
	if err := j.Start(); err != nil {
		return WithStatus(StatusJudge, err)
	}
	all := findLanguages(ctx, &j, chosen, prove, link)
	if err := context.Cause(ctx); err != nil {
		return errors.Join(Closed(&j), err)
	}
	err := show(e.Stdout, all)
	if slices.ContainsFunc(all, func(f foundLanguage) bool { return f.broken != nil }) {
		err = errors.Join(err, WithStatus(StatusJudge, nil))
	}
	return errors.Join(Closed(&j), err)
}

// writeTable prints a line for each language.
func writeTable(w io.Writer, all []foundLanguage) error {
	var table terminal.Table
	for i := range all {
		f := &all[i]
		usable, with := "yes", f.tc.Version
		switch {
		case f.unusable != nil:
			usable, with = "no", f.unusable.Error()
		case f.broken != nil:
			usable, with = "broken", f.broken.Error()
		}
		exts := strings.Join(f.Exts, " ")
		if f.Shared != nil {
			exts = strings.TrimSpace(exts + " (" + strings.Join(f.Shared, " ") + ")")
		}
		table.Add(f.Code, f.Name, exts, usable, with)
	}
	_, err := io.WriteString(w, table.String())
	return err
}

// findLanguages finds the toolchains of the chosen languages concurrently, because it
// mostly waits for tools that print their versions.
// With link, it also finds how programs are linked, which may compile hello programs.
func findLanguages(ctx context.Context, j *judge.Judge, chosen []language.Language, prove, link bool) []foundLanguage {
	all := make([]foundLanguage, len(chosen))
	free := make(chan struct{}, runtime.NumCPU())
	var wg sync.WaitGroup
	for i := range chosen {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			f, l := &all[i], &chosen[i]
			f.Language = l
			if f.tc, f.unusable = j.Toolchain(ctx, l.Code); f.unusable == nil && prove {
				f.broken = j.Prove(ctx, l.Code)
			}
			if link && f.unusable == nil && f.broken == nil {
				f.static, f.dynamic, f.broken = j.Static(ctx, l.Code)
			}
		})
	}
	wg.Wait()
	return all
}

// listPackages prints the Debian packages of unusable languages, each once.
func listPackages(w io.Writer, all []foundLanguage) error {
	var packages []string
	for _, f := range all {
		if f.unusable != nil {
			packages = append(packages, strings.Fields(f.Debian)...)
		}
	}
	slices.Sort(packages)
	for _, name := range slices.Compact(packages) {
		fmt.Fprintln(w, name)
	}
	return nil
}

// usedLanguages returns the languages of the programs in the problems of the working
// folder. Codes are an error.
func usedLanguages(e *Env, codes []string) ([]language.Language, error) {
	if len(codes) > 0 {
		return nil, fmt.Errorf("--used: expected no languages beside it, found %q", codes[0])
	}
	f := RunFlags{Whole: true}
	h, err := f.Gather(e, nil)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	used := make(map[string]bool)
	for _, c := range h.Choices {
		for _, code := range c.Problem.UsedLanguages() {
			used[code] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(e.Languages.All()), func(l language.Language) bool { return !used[l.Code] }),
		h.Err()
}

func languagesNamed(e *Env, codes []string) ([]language.Language, error) {
	if len(codes) == 0 {
		return e.Languages.All(), nil
	}
	var chosen []language.Language
	for _, code := range codes {
		l := e.Languages.ByCode(code)
		if l == nil {
			return nil, fmt.Errorf("%q: unknown language%s; judge lang lists them", code,
				terminal.DidYouMean(code, e.Languages.Codes()))
		}
		chosen = append(chosen, *l)
	}
	return chosen, nil
}
