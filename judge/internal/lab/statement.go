package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/prepare/statement"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// statementFlags are the flags of judge statement.
type statementFlags struct {
	format   string // "html" or "pdf"; "" follows from the output and the statement
	language string
	output   string
	watch    bool
}

// Statement returns the command that renders statements.
func Statement(e *cli.Env) *cobra.Command {
	var f statementFlags
	c := &cobra.Command{
		Use:   "statement PROBLEM",
		Short: "render the statement of a problem as HTML or PDF",
		Long:  helpText("statement"),
		Example: `  judge statement poj3074                            # poj3074.en.html, here
  judge statement poj3074 --format pdf --output -    # to standard output
  judge statement poj3074 --lang sv --watch      # again after each change`,
		Args:              cli.Arguments(1, 1),
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE: func(c *cobra.Command, args []string) error {
			return writeStatement(c.Context(), e, &f, args)
		},
	}
	c.Flags().StringVar(&f.format, "format", "",
		"`FORMAT` of the file: html or pdf (default: that of --output, or html; pdf if the statement is a PDF)")
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"html", "pdf"},
		cobra.ShellCompDirectiveNoFileComp))
	c.Flags().StringVar(&f.language, "lang", "",
		"natural `LANGUAGE` of the statement, such as en or pt-BR (default: en, or else the first)")
	c.Flags().StringVarP(&f.output, "output", "o", "",
		"write to this `FILE`; - is standard output (default: ID.LANGUAGE.html or .pdf)")
	c.Flags().BoolVar(&f.watch, "watch", false,
		"render again whenever a file of the statement or a sample changes, until Ctrl-C")
	return c
}

func writeStatement(ctx context.Context, e *cli.Env, f *statementFlags, args []string) error {
	if f.format != "" && f.format != "html" && f.format != "pdf" {
		return fmt.Errorf("--format %q: expected html or pdf", f.format)
	}
	if f.watch && f.output == "-" {
		return errors.New("--watch: expected --output FILE, not standard output")
	}
	sources, closeAll, err := cli.Sources(args)
	if err != nil {
		return err
	}
	defer closeAll()
	if len(sources) != 1 {
		return fmt.Errorf("statement expects one problem; %q matches %d", args[0], len(sources))
	}
	if !f.watch {
		return renderOnce(ctx, e, f, sources[0])
	}
	return watchStatement(ctx, e, f, sources[0])
}

// renderOnce renders the statement, writes the file and prints its name.
func renderOnce(ctx context.Context, e *cli.Env, f *statementFlags, s *problem.Source) error {
	p, err := problem.Open(s)
	if err != nil {
		// Broken test data does not prevent a statement.
		p, _ = problem.OpenWithoutData(s)
	}
	file, err := statement.Choose(p, f.language)
	if err != nil {
		return err
	}
	format := f.format
	if ext := filepath.Ext(f.output); format == "" && (ext == ".pdf" || file.Kind() == ".pdf") {
		format = "pdf"
	} else if format == "" {
		format = "html"
	}
	output := f.output
	if output == "" {
		output = fmt.Sprintf("%s.%s.%s", s.ID, file.Language, format)
	}
	write, err := e.OpenFile("--output", output)
	if err != nil {
		return err
	}
	data, warnings, err := render(ctx, p, file, format)
	cli.Warn(e, warnings...)
	if err != nil {
		return explain(err, format, file)
	}
	if err := write(data); err != nil {
		return cli.WithStatus(cli.StatusJudge, err)
	}
	if output != "-" {
		fmt.Fprintf(e.Stdout, "%s  %s of %s\n", terminal.Clean(output), terminal.Bytes(int64(len(data))),
			terminal.Clean(p.Where(file.Name)))
	}
	return nil
}

// render returns the statement in a format.
func render(ctx context.Context, p *problem.Problem, file statement.File,
	format string) (data []byte, warnings []error, err error) {
	if format == "pdf" {
		return statement.PDF(ctx, p, file)
	}
	page, err := statement.Render(p, file)
	if page == nil {
		return nil, nil, err
	}
	data, htmlErr := page.HTML()
	return data, page.Warnings, errors.Join(err, htmlErr)
}

// explain adds what the user can do about an error of a statement.
func explain(err error, format string, file statement.File) error {
	switch {
	case format == "html" && file.Kind() == ".pdf":
		return fmt.Errorf("%w; --format pdf copies it", err)
	case format == "html" && errors.Is(err, statement.ErrNeedsTeX):
		return errors.Join(err, errors.New("the statement needs TeX; --format pdf sets it with latexmk or tectonic"))
	}
	return err
}

// watchStatement renders the statement after each change.
func watchStatement(ctx context.Context, e *cli.Env, f *statementFlags, s *problem.Source) error {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return cli.WithStatus(cli.StatusJudge, fmt.Errorf("watching files: %w", err))
	}
	defer files.Close()
	for {
		for _, dir := range watched(s) {
			if err := files.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				cli.Warn(e, fmt.Errorf("changes in %s are not seen: %w", terminal.Clean(dir), err))
			}
		}
		err := renderOnce(ctx, e, f, s)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		cli.Complain(e, err)
		if err := change(ctx, files, s); err != nil {
			return err
		}
		fmt.Fprintf(e.Stdout, "%s ", e.Palette.Faint(time.Now().Format(time.TimeOnly)))
	}
}

// watched returns the folders of a package whose files a statement shows.
func watched(s *problem.Source) []string {
	if s.Zip != nil {
		return []string{filepath.Dir(s.Path)}
	}
	all := []string{filepath.Dir(s.Where(problem.ProblemFile)), s.Where("statement"), s.Where("problem_statement"),
		s.Where("data/sample")}
	slices.Sort(all)
	return slices.Compact(all)
}

// change waits for a change of a file of the package.
func change(ctx context.Context, files *fsnotify.Watcher, s *problem.Source) error {
	settled := (<-chan time.Time)(nil)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case event, open := <-files.Events:
			if !open {
				return nil
			}
			within, ok := s.Within(event.Name)
			if name := filepath.Base(event.Name); event.Op == fsnotify.Chmod || strings.HasPrefix(name, ".") ||
				strings.HasSuffix(name, "~") {
				continue
			}
			// The folder of problem.yaml may have other files, such as the output.
			if ok && (s.Zip != nil || within == problem.ProblemFile || strings.Contains(within, "/")) {
				settled = time.After(cli.SettleTime)
			}
		case <-files.Errors:
		case <-settled:
			return nil
		}
	}
}
