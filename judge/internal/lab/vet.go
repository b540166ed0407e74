package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/strength/vet"
	"crucible/judge/terminal"
)

// vetFlags are the flags of judge vet.
type vetFlags struct {
	json, fix, list bool
	only, skip      []string
}

// Vet returns judge vet.
func Vet(e *cli.Env) *cobra.Command {
	var f vetFlags
	c := &cobra.Command{
		Use:   "vet FILE|PROBLEM...",
		Short: "find common faults of Go submissions in their source",
		Long:  strings.Replace(helpText("vet"), "ANALYZERS\n", listAnalyzers(), 1),
		Example: `  judge vet mine.go
  judge vet poj3074                        # all Go submissions of the problem
  judge vet --skip unbuffered interactive.go
  judge vet --fix mine.go`,
		ValidArgsFunction: cli.CompleteNames(cli.Submissions),
		RunE:              func(c *cobra.Command, args []string) error { return vetFiles(c.Context(), e, args, f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print the findings as JSON, as go vet -json does")
	c.Flags().BoolVar(&f.fix, "fix", false, "apply the safe fixes to the files")
	c.Flags().BoolVar(&f.list, "list", false, "describe the analyzers and check nothing")
	c.Flags().StringSliceVar(&f.only, "only", nil, "run only these analyzers: `NAME,...`")
	c.Flags().StringSliceVar(&f.skip, "skip", nil, "do not run these analyzers: `NAME,...`")
	return c
}

// listAnalyzers returns a line for each analyzer: its name and the first line of its
// documentation.
func listAnalyzers() string {
	var table terminal.Table
	for _, a := range vet.Analyzers {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		table.Add("  "+a.Name, summary)
	}
	return table.String()
}

// chosen returns the analyzers that the flags select.
func (f vetFlags) chosen() ([]*analysis.Analyzer, error) {
	names := terminal.Texts(vet.Analyzers, func(a *analysis.Analyzer) string { return a.Name })
	for _, name := range slices.Concat(f.only, f.skip) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%q: no such analyzer%s; judge vet --list describes them", name,
				terminal.DidYouMean(name, names))
		}
	}
	return slices.DeleteFunc(slices.Clone(vet.Analyzers), func(a *analysis.Analyzer) bool {
		return len(f.only) > 0 && !slices.Contains(f.only, a.Name) || slices.Contains(f.skip, a.Name)
	}), nil
}

func vetFiles(ctx context.Context, e *cli.Env, args []string, f vetFlags) error {
	analyzers, err := f.chosen()
	switch {
	case err != nil:
		return err
	case f.list:
		for _, a := range analyzers {
			fmt.Fprintf(e.Stdout, "%s: %s\n\n", a.Name, strings.TrimSpace(a.Doc))
		}
		return nil
	case len(args) == 0:
		return errors.New("vet: expected FILE or PROBLEM, got none")
	case f.fix && slices.Contains(args, "-"):
		return errors.New("--fix: standard input cannot be replaced; expected files")
	}
	names, failed := goFiles(e, args)
	programs, err := vet.Load(names, os.Stdin)
	if errors.Is(err, vet.ErrNoGo) {
		return cli.WithStatus(cli.StatusJudge, err)
	}
	failed, err = errors.Join(failed, err), nil
	all := make(map[*vet.Submission][]vet.Finding)
	total := 0
	for i, p := range programs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if f.fix {
			if programs[i], err = fixFiles(e, p, analyzers); err != nil {
				return errors.Join(failed, err)
			}
			p = programs[i]
		}
		if all[p], err = vet.Check(p, analyzers); err != nil {
			return cli.WithStatus(cli.StatusJudge, err)
		}
		total += len(all[p])
		if p.Incomplete() && len(analyzers) == len(vet.Analyzers) {
			cli.Warn(e, fmt.Errorf("%s: only the analyzer imports ran, because the types of imports are missing", p.Name()))
		}
	}
	if f.json {
		err = vet.WriteJSON(e.Stdout, programs, all)
	} else {
		for _, p := range programs {
			for _, found := range all[p] {
				fmt.Fprintf(e.Stdout, "%s: %s (%s)\n", terminal.Clean(found.Position.String()), terminal.Clean(found.Message),
					found.Analyzer.Name)
			}
		}
	}
	if err == nil && total > 0 {
		err = cli.Ending(cli.StatusUnexpected)
	}
	return errors.Join(failed, err)
}

// goFiles returns the files and folders that arguments name: a path names itself, and
// another argument, or a folder without Go files, names the Go submissions of a problem.
func goFiles(e *cli.Env, args []string) (names []string, failed error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		own, _ := filepath.Glob(filepath.Join(arg, "*.go"))
		if arg == "-" || err == nil && !info.IsDir() || len(own) > 0 {
			names = append(names, arg)
			continue
		}
		of, why := submissionsOf(e, arg)
		switch {
		case why == nil && len(of) == 0:
			cli.Warn(e, fmt.Errorf("%s: no Go submissions", arg))
		case why == nil:
			names = append(names, of...)
		case err == nil:
			failed = errors.Join(failed, fmt.Errorf("%s: no Go files are in this folder, and %w", arg, why))
		case filepath.Ext(arg) == ".go":
			names = append(names, arg) // vet.Load reports that it does not exist
		default:
			failed = errors.Join(failed, why)
		}
	}
	return names, failed
}

// submissionsOf returns the files and folders of the Go submissions that an argument
// names.
func submissionsOf(e *cli.Env, arg string) (names []string, err error) {
	h, err := cli.Choose(e.Languages, "", []string{arg}, "")
	if errors.Is(err, cli.ErrNoProblem) {
		return nil, fmt.Errorf("%s: expected a Go file, a folder of Go files, or a problem, found none of these", arg)
	}
	if err != nil {
		return nil, err
	}
	defer h.Close()
	for _, c := range h.Choices {
		for _, s := range c.Submissions {
			if s.Language == nil || s.Language.Code != "go" {
				continue
			}
			name := c.Problem.Where(s.Path)
			if _, err := os.Stat(name); err != nil {
				return nil, fmt.Errorf("%s: submissions in a zip cannot be checked; judge unpack makes folders of it", name)
			}
			names = append(names, name)
		}
	}
	return names, h.Err()
}

// fixFiles applies the fixes to the files of a program.
func fixFiles(e *cli.Env, p *vet.Submission, analyzers []*analysis.Analyzer) (*vet.Submission, error) {
	fixed, applied, err := vet.Fix(p, analyzers)
	if err != nil {
		return p, cli.WithStatus(cli.StatusJudge, err)
	}
	for name, data := range fixed.Changed(p) {
		if err := replaceFile(name, data); err != nil {
			return p, err
		}
	}
	if applied > 0 {
		fmt.Fprintf(e.Stderr, "%s: fixes applied: %d\n", terminal.Clean(p.Name()), applied)
	}
	return fixed, nil
}

// replaceFile replaces the file that a name stands for, and keeps its permissions.
func replaceFile(name string, data []byte) error {
	to, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	if err := osfile.WriteAtomic(to, data); err != nil {
		return err
	}
	return os.Chmod(to, info.Mode().Perm())
}
