package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/measure/machine"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

func Doctor(e *Env) *cobra.Command {
	var quick, selfTest, parallel bool
	var repeat, jobs int
	c := &cobra.Command{
		Use:   "doctor",
		Short: "report what this machine can do, and how far its times can be trusted",
		Long:  helpText("doctor"),
		Args:  Arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			w, line := &LabelWriter{e.Stdout, e.Palette}, NewProgress(e.Stderr)
			if selfTest || parallel {
				if err := e.needLab(); err != nil {
					return err
				}
				return e.Lab.Calibrate(c.Context(), w, line, selfTest, parallel, jobs, repeat)
			}
			if quick {
				repeat = 0
			}
			return doctor(c.Context(), e, w, line, repeat)
		},
	}
	c.Flags().BoolVar(&quick, "quick", false, "skip the measurement")
	c.Flags().IntVar(&repeat, "repeat", 10, "run each loop, or each program of --parallel, `N` times")
	c.Flags().BoolVar(&selfTest, "self-test", false, "measure the error of the judge's own clocks and memory measurement")
	c.Flags().BoolVar(&parallel, "parallel", false, "measure how much longer programs take that run at once")
	c.Flags().IntVar(&jobs, "jobs", runtime.NumCPU(), "run `N` programs at once with --parallel")
	Positives(c, "repeat", "jobs")
	return c
}

// doctor prints all properties, and measures how times repeat if times is not 0.
func doctor(ctx context.Context, e *Env, s *LabelWriter, line *Progress, times int) error {
	m := record.ThisMachine()
	text := m.OS + "/" + m.Arch + ", " + terminal.Count(m.Cores, "core")
	if m.CPU != "" {
		text += ", " + m.CPU
	}
	if m.Kernel != "" {
		text += ", kernel " + m.Kernel
	}
	s.Print("machine", "%s", text)
	for _, f := range machine.Findings() {
		paint := s.p.Bold
		if f.Harm {
			paint = s.p.Bad
		}
		s.line(paint, f.About, f.Text)
		s.change(f.Change)
	}
	j := judge.Judge{Languages: e.Languages}
	err := errors.Join(s.judge(ctx, &j), Closed(&j))
	if err == nil && ctx.Err() == nil {
		var r sandbox.Sandbox
		err = errors.Join(s.Clock(ctx, &r, false), r.Close())
	}
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	if times > 0 {
		s.measure(ctx, line, times)
	}
	return context.Cause(ctx)
}

// judge prints how programs are confined, which languages are usable, and where
// the judge keeps files.
func (s *LabelWriter) judge(ctx context.Context, j *judge.Judge) error {
	protection := j.Protection()
	s.Print("sandbox", "%v", protection.Level)
	for _, what := range protection.Enforced {
		s.Print("", "enforced: %s", what)
	}
	for _, what := range protection.NotEnforced {
		s.Print("", "not enforced: %s", what)
	}
	if protection.Why != "" {
		s.Print("", "%s", protection.Why)
		s.change(protection.Raise)
	}
	var usable, missing, dynamic, packages []string
	all := j.Languages.All()
	for i := range all {
		if _, err := j.Toolchain(ctx, all[i].Code); err != nil {
			missing = append(missing, fmt.Sprintf("%s (%v)", all[i].Name, err))
		} else {
			usable = append(usable, all[i].Name)
			_, why, err := j.Static(ctx, all[i].Code)
			if err != nil {
				why = err.Error()
			}
			if why != "" {
				dynamic = append(dynamic, fmt.Sprintf("%s (%s)", all[i].Name, terminal.Clean(why)))
				packages = append(packages, strings.Fields(all[i].Debian)...)
			}
		}
	}
	s.Print("languages", "usable: %s", cmp.Or(strings.Join(usable, ", "), "none"))
	if missing != nil {
		s.Print("", "not usable: %s", strings.Join(missing, "; "))
	}
	if dynamic != nil {
		s.Print("", "linked dynamically, so programs start more slowly than on other judges: %s", strings.Join(dynamic, "; "))
		slices.Sort(packages)
		s.change("install the static libraries (Debian: " + strings.Join(slices.Compact(packages), " ") + ")")
	}
	dir, err := j.CacheDir()
	if err != nil {
		return WithStatus(StatusJudge, fmt.Errorf("cache of compiled programs: %w", err))
	}
	n, size := below(dir)
	s.Print("cache", "%s, %s, %s; remove it at any time", dir, terminal.Count(n, "file"), terminal.Bytes(size))
	s.Print("temporary", "%s", os.TempDir())
	return nil
}

// measure prints how well times repeat, and shows its progress.
func (s *LabelWriter) measure(ctx context.Context, line *Progress, times int) {
	progress := func(n, of int) { line.Say("measuring times, %d of %d", n, of) }
	progress(0, times)
	m := machine.Measuring{Times: times, OnTimes: progress}.Measure(ctx)
	line.Clear()
	s.Print("times", "%s", m.Verdict())
	s.spread("arithmetic", m.Arithmetic)
	s.spread("memory", m.Memory)
}

func (s *LabelWriter) spread(loop string, spread machine.Spread) {
	if spread.N > 0 {
		s.Print("", "%-10s  %s, ±%.2f %%; slowest %.1f %% above fastest, %.1f %% of the time waiting; %s",
			loop, terminal.Duration(spread.Median), 100*spread.Half, 100*spread.Range, 100*spread.Wait,
			terminal.Count(spread.N, "run"))
	}
}

// below counts the files under a folder and adds up their sizes.
func below(dir string) (n int, size int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			n++
			size += info.Size()
		}
		return nil
	})
	return n, size
}
