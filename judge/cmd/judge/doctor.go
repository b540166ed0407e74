package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/report"
)

func doctorCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "tell what this machine can do, and what is not enforced on it",
		Long: `Tell what this machine is, how programs are confined on it and what is not
enforced, which languages are usable, and where compiled programs are kept.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return doctor(c.Context(), e) },
	}
}

func doctor(ctx context.Context, e *env) error {
	p := report.Palette{On: e.color}
	say := func(what, format string, args ...any) {
		fmt.Fprintf(e.stdout, "%s  %s\n", p.Bold(fmt.Sprintf("%-12s", what)), report.Clean(fmt.Sprintf(format, args...)))
	}
	m := report.ThisMachine()
	say("machine", "%s/%s, %d cores%s%s", m.OS, m.Arch, m.Cores, prefixed(", ", m.CPU), prefixed(", kernel ", m.Kernel))
	if load := loadAverage(); load != "" {
		say("load", "%s over one minute; anything running beside the judge makes times longer", load)
	}
	var j judge.Judge
	protection := j.Protection()
	say("sandbox", "%v", protection.Rung)
	for _, s := range protection.Enforced {
		say("", "enforced: %s", s)
	}
	for _, s := range protection.NotEnforced {
		say("", "not enforced: %s", s)
	}
	var usable, missing []string
	all := judge.Languages()
	for i := range all {
		if _, err := j.Toolchain(ctx, &all[i]); err != nil {
			missing = append(missing, fmt.Sprintf("%s (%v)", all[i].Name, err))
		} else {
			usable = append(usable, all[i].Name)
		}
	}
	say("languages", "usable: %s", orNone(usable))
	if missing != nil {
		say("", "not usable: %s", strings.Join(missing, "; "))
	}
	dir, err := j.CacheDir()
	if err != nil {
		return errors.Join(&statusError{statusJudge, fmt.Errorf("cache of compiled programs: %w", err)}, j.Close())
	}
	n, size := below(dir)
	say("cache", "%s, %d files, %s; remove it at any time", dir, n, judge.Bytes(size))
	say("temporary", "%s", os.TempDir())
	return errors.Join(j.Close(), context.Cause(ctx))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// loadAverage is the kernel's own figure, where it has one.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
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
