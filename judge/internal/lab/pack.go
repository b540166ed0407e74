package lab

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/statement"
	"crucible/judge/prepare/verify"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// packFlags are the flags of judge pack.
type packFlags struct {
	output  string
	verify  bool
	noCheck bool
	force   bool
	jobs    int
	levels  cli.Levels
}

func Pack(e *cli.Env) *cobra.Command {
	var f packFlags
	c := &cobra.Command{
		Use:   "pack [PROBLEM...]",
		Short: "make a zip of a problem for other judges",
		Long:  helpText("pack"),
		Example: `  judge pack poj3074                 # poj3074.zip, here
  judge pack --verify -o out/ 'poj*' # out/poj3074.zip and the others`,
		Args:              cli.Arguments(0, math.MaxInt),
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE:              func(c *cobra.Command, args []string) error { return pack(c.Context(), e, &f, args) },
	}
	c.Flags().StringVarP(&f.output, "output", "o", "",
		"write to this `FILE or FOLDER`: ID.zip, ID.kpp or a folder for ID.zip (default: the working folder)")
	c.Flags().BoolVar(&f.verify, "verify", false, "first check everything that judge verify checks")
	c.Flags().BoolVar(&f.noCheck, "no-check", false, "pack without any checks")
	c.Flags().BoolVar(&f.force, "force", false, "replace a file that judge pack did not make of the same problem")
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	c.MarkFlagsMutuallyExclusive("verify", "no-check")
	f.levels.Flag(c)
	return c
}

func pack(ctx context.Context, e *cli.Env, f *packFlags, args []string) error {
	sources, closeAll, err := cli.Sources(args)
	if err != nil {
		return err
	}
	defer closeAll()
	if err := cli.CheckOutput(f.output, len(sources)); err != nil {
		return err
	}
	var j *judge.Judge
	if !f.noCheck {
		if j, err = f.levels.Judge(&judge.Judge{Languages: e.Languages, Jobs: f.jobs}); err != nil {
			return err
		}
		defer j.Close()
	}
	var errs []error
	for _, s := range sources {
		errs = append(errs, packOne(ctx, e, f, j, s))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return errors.Join(errs...)
}

func packOne(ctx context.Context, e *cli.Env, f *packFlags, j *judge.Judge, s *problem.Source) error {
	to := osfile.Output(f.output, s.ID+".zip")
	k, err := archive.BeginPack(s, to, f.force)
	if err != nil {
		return err
	}
	defer k.Abandon()
	if !f.noCheck {
		if err := checkPackage(ctx, e, f, j, s); err != nil {
			return err
		}
	}
	packed, err := k.Finish(ctx)
	if err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	cli.WarnLeft(e, s, packed.Left)
	for _, name := range packed.Large {
		cli.Warn(e, fmt.Errorf("%s: more than 100 MiB; the format advises against such large files", s.Where(name)))
	}
	unchanged := ""
	if packed.Unchanged {
		unchanged = ", unchanged"
	}
	fmt.Fprintf(e.Stdout, "%s: %s, %s%s\n", terminal.Clean(packed.Path), terminal.Count(packed.Files, "file"),
		terminal.Bytes(packed.Bytes), unchanged)
	return nil
}

// checkPackage returns an error if the package must not be packed.
func checkPackage(ctx context.Context, e *cli.Env, f *packFlags, j *judge.Judge, s *problem.Source) error {
	p, err := problem.Open(s, problem.WithLanguages(e.Languages))
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s\n", e.Palette.Bold(terminal.Clean(p.ID)))
	v, err := verify.Verify(ctx, j, p, verify.Options{DataOnly: !f.verify, Render: statement.Check,
		Done: func(p verify.Promise) { printPromise(e, p) }})
	if err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	printSkipped(e, v)
	if !v.Holds() {
		return cli.WithStatus(cli.StatusUnexpected,
			fmt.Errorf("%s: not packed because of the errors above; --no-check packs it anyway", s.Path))
	}
	return nil
}
