package lab

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/api"
	"crucible/judge/terminal"
)

// submission are the flags of judge submit.
type submission struct {
	problem, language string
	json              bool
	on                cli.OnFlag
}

func Submit(e *cli.Env) *cobra.Command {
	var f submission
	c := &cobra.Command{
		Use:   "submit FILE|FOLDER",
		Short: "send a program to a server, wait, and print its verdict",
		Long: `Send a program to the server of --on, wait until it is judged, and print the verdict:
the first test that failed and why, as far as the server shows it to you, or the
message of the compiler. A folder is a program of several files.

The problem is that of --problem. Without it, it is the name of the file or folder
without its extension: judge submit poj3074.cpp sends a program for poj3074.

If the connection breaks, the call connects again; the program is sent only once. Ctrl-C
cancels the judgement.

Exit status: 0 accepted, 1 another verdict, 2 the server does not accept the program,
3 there is no verdict, 130 interrupted.`,
		Example: `  judge submit poj3074.cpp --on https://judges:8520
  judge submit mine.py --problem poj3074`,
		Args: cli.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), e, args[0]) },
	}
	set := c.Flags()
	set.StringVar(&f.problem, "problem", "", "the `ID` of the problem on the server")
	set.StringVar(&f.language, "lang", "", "the `CODE` of the language (default: as the names of the files say)")
	set.BoolVar(&f.json, "json", false, "print the judgement as JSON, see judge help servers")
	f.on.Flags(c)
	set.Lookup("on").Usage = "the server at `URL`; $CRUCIBLE_SERVER does the same"
	f.on.ClassFlag(c)
	return c
}

func (f *submission) run(ctx context.Context, e *cli.Env, name string) error {
	on, err := clientOf(e, &f.on)
	if err != nil {
		return err
	}
	r := &api.Request{Problem: f.problem, Language: f.language, Class: f.on.Class}
	if r.Sources, err = sourcesOf(name); err != nil {
		return err
	}
	if r.Problem == "" {
		base := filepath.Base(filepath.Clean(name))
		r.Problem = strings.TrimSuffix(base, filepath.Ext(base))
	}
	g, err := on.Judge(ctx, r, rand.Text())
	if err != nil {
		return serverFailed(ctx, err)
	}
	if g.Ended == nil {
		if d, err := on.Describe(ctx); err == nil && d.Calibrates && len(d.Classes) == 0 {
			sayNoWorker(e, &f.on)
		}
	}
	line, end := cli.Turning(&e.Stdout, &e.Stderr)
	defer end()
	if g.State == api.Queued || g.State == api.Running {
		line.Say("%s", g.State)
		runs := 0
		g, err = on.Follow(ctx, g.ID, func(json.RawMessage) error {
			runs++
			line.Say("running: %s", terminal.Count(runs, "test"))
			return nil
		})
		line.Clear()
		if err != nil {
			return cli.JudgeFailed(ctx, err)
		}
	}
	if f.json {
		err = cli.PrintJSON(e, g)
	} else {
		_, err = e.Stdout.Write([]byte(judgementText(g)))
	}
	switch {
	case err != nil:
		return err
	case g.Verdict == "":
		return cli.WithStatus(cli.StatusJudge, fmt.Errorf("no verdict: %s", cmp.Or(g.Error, string(g.State))))
	case g.Verdict != string(problem.Accepted):
		return cli.Ending(cli.StatusUnexpected)
	}
	return nil
}

// sourcesOf reads a file, or the files of a folder, by the names that the server sees.
func sourcesOf(name string) (map[string]string, error) {
	sources := make(map[string]string)
	add := func(as, from string) error {
		data, err := os.ReadFile(from)
		if err == nil && !utf8.Valid(data) {
			err = fmt.Errorf("%s: found bytes that are not UTF-8: expected the text of a program", from)
		}
		sources[as] = string(data)
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return sources, add(filepath.Base(name), name)
	}
	err = filepath.WalkDir(name, func(from string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		within, err := filepath.Rel(name, from)
		return errors.Join(err, add(filepath.ToSlash(within), from))
	})
	return sources, err
}

// judgementText describes a judgement for people, as far as it has a record.
func judgementText(g *api.Judgement) string {
	if g.Verdict == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(g.Verdict)
	var p record.Problem
	if record.Parse(g.Record, &p) != nil || len(p.Reports) != 1 {
		return b.String() + "\n"
	}
	r := p.Reports[0]
	passed := 0
	for i := range r.Runs {
		if r.Runs[i].Verdict == problem.Accepted {
			passed++
		}
	}
	if g.Score != nil {
		fmt.Fprintf(&b, "  score %g", *g.Score)
	}
	if len(r.Runs) > 0 {
		fmt.Fprintf(&b, "  %d of %s passed", passed, terminal.Count(len(p.Cases), "test"))
	}
	if slowest := r.Slowest(); slowest != nil {
		fmt.Fprintf(&b, "  slowest %s of CPU on %s", terminal.Duration(slowest.Outcome.CPU), terminal.Clean(slowest.Case))
	}
	b.WriteString("\n")
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Verdict != problem.Accepted {
			line := fmt.Sprintf("%s on %s", run.Verdict, run.Case)
			if why := cmp.Or(run.Why, terminal.FirstLine(run.Team)); why != "" {
				line += ": " + why
			}
			b.WriteString(terminal.Clean(line) + "\n")
			break
		}
	}
	if g.Verdict == string(problem.CompileError) || r.Compile.Message != "" {
		for line := range strings.Lines(r.Compile.Message) {
			fmt.Fprintln(&b, "  "+terminal.Clean(strings.TrimRight(line, "\n")))
		}
	}
	return b.String()
}
