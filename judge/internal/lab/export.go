// Package packages has the commands judge import and judge export, which convert packages
// from and for other judges.
package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/prepare/archive/export"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// exportFlags are the flags of judge export.
type exportFlags struct {
	to     string
	output string
	accept bool
	force  bool
	json   bool

	contest export.Contest
	start   string
	labels  map[string]string // by id of the problem
	colors  map[string]string
	upload  string
}

// Export returns the command that exports problems.
func Export(e *cli.Env) *cobra.Command {
	var f exportFlags
	names := terminal.Texts(export.Formats, func(f export.Format) string { return f.Name })
	c := &cobra.Command{
		Use:   "export PROBLEM... --to FORMAT",
		Short: "make a package of a problem in another format",
		Long:  helpText("export"),
		Example: `  judge export poj3074 --to domjudge         # poj3074-domjudge.zip, here
  judge export 'poj*' --to kattis-legacy -o out/
  judge export 'poj*' --to domjudge --contest final --start 2027-05-01T10:00:00Z
  judge export 'poj*' --contest final --upload https://judge.example.org`,
		Args:              cli.Arguments(1, math.MaxInt),
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE:              func(c *cobra.Command, args []string) error { return exportAll(c.Context(), e, &f, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.to, "to", "", "the `FORMAT`: "+strings.Join(names, ", "))
	flags.StringVarP(&f.output, "output", "o", "",
		"write to this `FILE or FOLDER` (default: ID-FORMAT.zip in the working folder)")
	flags.BoolVar(&f.accept, "accept-losses", false, "export a problem even if submissions can get other verdicts")
	flags.BoolVar(&f.accept, "lossy", false, "")
	c.Flags().MarkDeprecated("lossy", "use --accept-losses") // the flag exists
	flags.BoolVar(&f.force, "force", false, "replace a file that the same command did not make")
	flags.BoolVar(&f.json, "json", false, "print a JSON array of objects, one for each problem")
	flags.StringVar(&f.contest.ID, "contest", "",
		"make a zip of the contest with this `ID`, with all problems; with --upload, the contest to upload to")
	flags.StringVar(&f.contest.Name, "name", "", "the `NAME` of the contest (default: its id)")
	flags.StringVar(&f.start, "start", "", "the `TIME` at which the contest starts: 2027-05-01T10:00:00+02:00")
	flags.DurationVar(&f.contest.Duration, "duration", 5*time.Hour, "how long the contest lasts")
	flags.DurationVar(&f.contest.Freeze, "freeze", 0,
		"how long before the end the scoreboard freezes: 1h (default: never)")
	flags.IntVar(&f.contest.Penalty, "penalty", 20, "penalty of a rejected submission in `MINUTES`")
	flags.StringToStringVar(&f.labels, "label", nil,
		"labels of problems: `ID=LABEL`,... (default: A, B, ... in the order of the ids)")
	flags.StringToStringVar(&f.colors, "color", nil, "colors of problems: `ID=COLOR`,...: #ff7109 or the name of a color")
	flags.StringVar(&f.upload, "upload", "", "upload the problems to the contest --contest of the DOMjudge at this `URL`")
	c.MarkFlagsMutuallyExclusive("upload", "output")
	return c
}

// An exportItem is a problem in the JSON of judge export.
type exportItem struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	Path   string `json:"path,omitempty"` // absent if nothing was written
	Files  int    `json:"files,omitempty"`
	Bytes  int64  `json:"bytes,omitempty"`
	states
}

func exportAll(ctx context.Context, e *cli.Env, f *exportFlags, args []string) error {
	if f.upload != "" && f.to == "" {
		f.to = "domjudge"
	}
	format := export.FormatOf(f.to)
	if format == nil {
		names := terminal.Texts(export.Formats, func(f export.Format) string { return f.Name })
		return fmt.Errorf("--to %q: expected %s%s", f.to, strings.Join(names, ", "), terminal.DidYouMean(f.to, names))
	}
	sources, closeAll, err := cli.Sources(args)
	if err != nil {
		return err
	}
	defer closeAll()
	if f.contest.ID != "" || f.upload != "" {
		return exportContest(ctx, e, f, format, sources)
	}
	if len(f.labels)+len(f.colors) > 0 {
		return errors.New("--label and --color: only with --contest")
	}
	if err := cli.CheckOutput(f.output, len(sources)); err != nil {
		return err
	}
	var errs []error
	done := []exportItem{}
	for _, s := range sources {
		p, err := makeExport(ctx, e, f, s, format, export.ContestEntry{})
		if p != nil {
			one := exportItem{ID: s.ID, Format: format.Name, states: statesOf(p.Parts)}
			if err == nil {
				err = writeExport(ctx, e, f, p, &one)
			}
			done = append(done, one)
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if f.json {
		errs = append(errs, cli.PrintJSON(e, done))
	}
	return errors.Join(errs...)
}

// makeExport converts one problem and warns of what is lost. The package is not nil if
// only the loss is the error.
func makeExport(ctx context.Context, e *cli.Env, f *exportFlags, s *problem.Source, format *export.Format,
	in export.ContestEntry) (*export.Package, error) {
	if !problem.PackageName.MatchString(s.ID) {
		return nil, &problem.Defect{File: s.Path,
			Msg: fmt.Sprintf("problem id %s: expected lowercase letters and digits only", terminal.QuoteName(s.ID))}
	}
	opened, err := problem.Open(s, problem.WithLanguages(e.Languages))
	if err != nil {
		return nil, err
	}
	p, err := export.Make(ctx, s, opened, format, in)
	if err != nil {
		return nil, cli.JudgeFailed(ctx, err)
	}
	warnLost(e, p.Parts)
	return p, p.Parts.Check(s.Path, f.accept)
}

func writeExport(ctx context.Context, e *cli.Env, f *exportFlags, p *export.Package, one *exportItem) error {
	to := osfile.Output(f.output, p.Source.ID+"-"+p.Format.Name+".zip")
	if _, inside := p.Source.Within(to); inside && p.Source.Zip == nil {
		return fmt.Errorf("%s: in the package itself: expected another folder", to)
	}
	packed, err := export.WriteZip(ctx, p, to, f.force)
	if err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	one.Path, one.Files, one.Bytes = packed.Path, packed.Files, packed.Bytes
	if !f.json {
		fmt.Fprintf(e.Stdout, "%s: %s, %s\n", terminal.Clean(packed.Path), terminal.Count(packed.Files, "file"),
			terminal.Bytes(packed.Bytes))
	}
	return nil
}
