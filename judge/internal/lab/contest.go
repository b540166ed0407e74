package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/export"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// exportContest makes a zip of a contest, or uploads its problems.
func exportContest(ctx context.Context, e *cli.Env, f *exportFlags, format *export.Format,
	sources []*problem.Source) error {
	listed, err := f.listed(sources)
	if err != nil {
		return err
	}
	var c *export.DOMjudge
	if f.upload != "" {
		if c, err = f.client(format); err != nil {
			return err
		}
	} else {
		if f.contest.Start, err = time.Parse(time.RFC3339, f.start); err != nil {
			return fmt.Errorf("--start %q: expected a time such as 2027-05-01T10:00:00+02:00", f.start)
		}
		if err := f.contest.Check(); err != nil {
			return err
		}
	}
	var packages []*export.Package
	var errs []error
	done := []exportItem{}
	for i, s := range sources {
		p, err := makeExport(ctx, e, f, s, format, listed[i])
		errs = append(errs, err)
		if p != nil {
			packages = append(packages, p)
			done = append(done, exportItem{ID: s.ID, Format: format.Name, states: statesOf(p.Parts)})
		}
	}
	if err := errors.Join(errs...); err != nil { // a contest has all of its problems
		if f.json {
			err = errors.Join(err, cli.PrintJSON(e, done))
		}
		return err
	}
	if c != nil {
		err = uploadAll(ctx, e, f, c, packages)
	} else {
		err = f.writeContest(ctx, e, packages, done)
	}
	if f.json {
		err = errors.Join(err, cli.PrintJSON(e, done))
	}
	return err
}

// listed returns the labels and colors of the problems, which must be distinct and valid.
func (f *exportFlags) listed(sources []*problem.Source) ([]export.ContestEntry, error) {
	var all []export.ContestEntry
	known := make(map[string]string)  // paths by id
	labels := make(map[string]string) // ids by label
	for i, s := range sources {
		if other, ok := known[s.ID]; ok {
			return nil, fmt.Errorf("%s and %s have the same id: expected distinct problems", other, s.Path)
		}
		known[s.ID] = s.Path
		l := export.ContestEntry{Label: export.LabelOf(i), Color: f.colors[s.ID]}
		if given, ok := f.labels[s.ID]; ok {
			l.Label = given
		}
		if err := l.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.ID, err)
		}
		if other, ok := labels[l.Label]; ok {
			return nil, fmt.Errorf("label %s: of both %s and %s: expected distinct labels", l.Label, other, s.ID)
		}
		labels[l.Label] = s.ID
		all = append(all, l)
	}
	for _, given := range []map[string]string{f.labels, f.colors} {
		for id := range given {
			if known[id] == "" {
				return nil, fmt.Errorf("--label and --color: %q is not a problem of the contest", id)
			}
		}
	}
	return all, nil
}

// writeContest writes the zip of a contest: contest.yaml, problems.yaml and the folders of
// the problems.
func (f *exportFlags) writeContest(ctx context.Context, e *cli.Env, packages []*export.Package,
	done []exportItem) error {
	to := osfile.Output(f.output, f.contest.ID+"-"+f.to+".zip")
	contest, err := f.contest.File()
	if err != nil {
		return err
	}
	problems, err := export.ProblemsFile(packages)
	if err != nil {
		return err
	}
	files := map[string]archive.File{"contest.yaml": {Data: contest}, "problems.yaml": {Data: problems}}
	packed, err := export.WriteContest(ctx, f.contest.ID, export.FormatOf(f.to), files, packages, to, f.force)
	if err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	for i := range done {
		done[i].Path, done[i].Files = packed.Path, len(packages[i].Files)
	}
	if !f.json {
		fmt.Fprintf(e.Stdout, "%s: %s, %s, %s\n", terminal.Clean(packed.Path), terminal.Count(len(packages), "problem"),
			terminal.Count(packed.Files, "file"), terminal.Bytes(packed.Bytes))
	}
	return nil
}

// client returns the client for --upload.
func (f *exportFlags) client(format *export.Format) (*export.DOMjudge, error) {
	if f.contest.ID == "" {
		return nil, errors.New("--upload: expected --contest with the id of a contest of the server")
	}
	if format.Name != "domjudge" {
		return nil, fmt.Errorf("--upload with --to %s: expected domjudge", format.Name)
	}
	u, err := export.CheckURL(f.upload)
	if err != nil {
		return nil, fmt.Errorf("--upload: %w", err)
	}
	user, password, err := export.Credentials(u.Hostname(), os.Getenv)
	if err != nil {
		return nil, err
	}
	return &export.DOMjudge{URL: u.String(), User: user, Password: password}, nil
}

// uploadAll uploads the problems. Those that the contest lacks are added to it first.
func uploadAll(ctx context.Context, e *cli.Env, f *exportFlags, c *export.DOMjudge, packages []*export.Package) error {
	have, err := c.Check(ctx, f.contest.ID)
	if err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	missing := slices.DeleteFunc(slices.Clone(packages),
		func(p *export.Package) bool { return slices.Contains(have, p.Source.ID) })
	if len(missing) > 0 {
		problems, err := export.ProblemsFile(missing)
		if err != nil {
			return err
		}
		if _, err := c.AddData(ctx, f.contest.ID, problems); err != nil {
			return cli.JudgeFailed(ctx, err)
		}
	}
	for _, p := range packages {
		answer, err := c.AddProblem(ctx, f.contest.ID, p.Source.ID,
			func(w io.Writer) error { return export.EncodeZip(ctx, w, p) })
		if err != nil {
			return cli.JudgeFailed(ctx, fmt.Errorf("%s: %w", p.Source.ID, err))
		}
		for _, m := range answer.Warnings() {
			cli.Warn(e, fmt.Errorf("%s: DOMjudge: %s", p.Source.ID, m))
		}
		if !f.json {
			fmt.Fprintf(e.Stdout, "%s: uploaded to contest %s of %s\n", p.Source.ID, terminal.Clean(f.contest.ID),
				terminal.Clean(c.URL))
		}
	}
	return nil
}
