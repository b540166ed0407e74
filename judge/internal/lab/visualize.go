package lab

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Visualize returns the command that runs visualizers.
func Visualize(e *cli.Env) *cobra.Command {
	f := cli.RunFlags{Whole: true}
	var output string
	c := &cobra.Command{
		Use:   "visualize PROBLEM [CASE...] [SUBMISSION]",
		Short: "draw test cases and outputs with the visualizers of a problem",
		Long:  helpText("visualize"),
		Example: `  judge visualize poj2676 sample/1 --output pictures
  judge visualize poj2676 accepted/dlx.go -o pictures`,
		Args:              cli.Arguments(1, math.MaxInt),
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE: func(c *cobra.Command, args []string) error {
			return visualize(c.Context(), e, &f, output, args)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", ".", "write the pictures below this `FOLDER`")
	c.Flags().IntVarP(&f.Jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	f.Levels.Flag(c)
	return c
}

func visualize(ctx context.Context, e *cli.Env, f *cli.RunFlags, output string, args []string) (err error) {
	h, err := f.Gather(e, args)
	if err != nil {
		return err
	}
	defer h.Close()
	c, err := h.One("visualize", args)
	if err != nil {
		return err
	}
	submissions := h.Named(c, args)
	p := c.Problem
	switch {
	case len(submissions) != len(c.Submissions):
		submissions = nil // only the problem or cases are named
	case len(submissions) > 1:
		return fmt.Errorf("visualize expects at most one submission; the arguments match %d", len(submissions))
	}
	visualizer, err := generate.Visualizers(p)
	if err != nil {
		return err
	}
	var drawn []*problem.Case
	var by []*judge.Visualizer
	for _, one := range c.Cases {
		if v := visualizer(one); v != nil {
			drawn, by = append(drawn, one), append(by, v)
		}
	}
	if len(drawn) == 0 && (p.OutputVisualizer == nil || submissions == nil) {
		return fmt.Errorf("%s has no visualizer for this: expected input_visualizer/ or the key visualizer in "+
			"generators.yaml, or output_visualizer/ and a submission", p.ID)
	}
	d := &drawing{e: e, dir: output}
	j, err := f.Levels.Judge(&judge.Judge{Settings: judge.Settings{KeepImages: true}, Languages: e.Languages,
		Jobs: f.Jobs, OnEvent: d.ran})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cli.Closed(j)) }()
	if err := j.Start(); err != nil {
		return cli.WithStatus(cli.StatusJudge, err)
	}
	err = j.Each(ctx, len(drawn), func(i int) error {
		images, err := j.Visualize(ctx, p, by[i], drawn[i])
		var defect *problem.Defect
		if err != nil && !errors.As(err, &defect) {
			return err
		}
		d.add(drawn[i], images, err)
		return nil
	})
	if err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	if p.OutputVisualizer != nil && submissions != nil {
		if err := d.run(ctx, j, c, submissions[0]); err != nil {
			return err
		}
	}
	return d.end()
}

// A drawing writes pictures.
type drawing struct {
	e   *cli.Env
	dir string

	mu     sync.Mutex
	failed bool
	err    error // of writing
}

// run judges a submission for the pictures of its outputs.
func (d *drawing) run(ctx context.Context, j *judge.Judge, c *cli.Choice, s *problem.Submission) error {
	r := j.Run(ctx, s, c.Cases)
	err := r.Err
	if err == nil && r.Skipped != "" {
		err = fmt.Errorf("%s: %s", s.Name, r.Skipped)
	}
	return cli.JudgeFailed(ctx, err)
}

// ran writes the pictures of a run.
func (d *drawing) ran(e judge.Event) {
	if e.Kind != judge.Ran || e.Run.Images == nil && e.Run.Undrawn == nil {
		return
	}
	var err error
	if e.Run.Undrawn != nil {
		err = e.Run.Undrawn
	}
	d.add(e.Case, e.Run.Images, err)
	e.Run.Images = nil
}

// add writes the pictures of a case and prints their names.
func (d *drawing) add(c *problem.Case, images []judge.Image, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = d.failed || err != nil
	cli.Complain(d.e, err)
	for _, image := range images {
		name := path.Join(c.Name, image.Name)
		at := terminal.Clean(filepath.Join(d.dir, filepath.FromSlash(name)))
		if path.Ext(image.Name) == ".svg" {
			if err := passive(image.Data); err != nil {
				d.failed = true
				cli.Complain(d.e, fmt.Errorf("%s: is not written: %w", at, err))
				continue
			}
		}
		folder := filepath.Join(d.dir, filepath.FromSlash(c.Name))
		if err := errors.Join(os.MkdirAll(folder, 0o755), osfile.WriteAtomic(filepath.Join(folder, image.Name),
			image.Data)); err != nil {
			d.err = errors.Join(d.err, err)
			continue
		}
		fmt.Fprintf(d.e.Stdout, "%s  %s\n", at, terminal.Bytes(int64(len(image.Data))))
	}
}

// end returns how the call ended.
func (d *drawing) end() error {
	if d.err != nil {
		return cli.WithStatus(cli.StatusJudge, d.err)
	}
	if d.failed {
		return cli.Ending(cli.StatusUnexpected)
	}
	return nil
}

// passive returns an error unless an SVG only shows something: a browser that opens it
// as a document runs its scripts and follows its links.
func passive(svg []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		switch t := token.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("the SVG is not XML: %w", err)
		case xml.Directive, xml.ProcInst:
			if p, ok := t.(xml.ProcInst); ok && p.Target == "xml" {
				continue
			}
			return errors.New("the SVG has a document type or a processing instruction")
		case xml.StartElement:
			switch name := strings.ToLower(t.Name.Local); name {
			case "script", "foreignobject", "iframe", "style", "set", "animate", "a", "image", "use", "feimage", "handler":
				return fmt.Errorf("the SVG has the element <%s>", name)
			}
			for _, a := range t.Attr {
				name, value := strings.ToLower(a.Name.Local), strings.ToLower(a.Value)
				if strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(value, "#") ||
					strings.Contains(value, "url(") && !strings.Contains(value, "url(#") {
					return fmt.Errorf("the SVG has the attribute %s", name)
				}
			}
		}
	}
}
