package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge"
	"crucible/judge/record"
)

// A Recorder stores a call of the judge in the history while it runs, unless the user
// or the environment forbids it. If a call cannot be stored, it warns once and has no
// other effect.
type Recorder struct {
	off      bool
	Judge    *judge.Judge  // finds toolchains; nil if they are not stored
	took     time.Duration // duration that the report shows; 0 if it shows none
	complete bool          // all results were known before any interruption

	e   *Env
	ctx context.Context

	*record.Recording // nil while nothing is stored
}

// Flag adds --no-history.
func (r *Recorder) Flag(c *cobra.Command) {
	c.Flags().BoolVar(&r.off, "no-history", false, "do not store this run (see judge history)")
}

// Begin creates the file of this call. It warns if the file cannot be written.
func (r *Recorder) Begin(e *Env, c *cobra.Command, args []string, m record.Machine, choices []*Choice) {
	if r.off {
		return
	}
	folder, err := record.HistoryFolder()
	if errors.Is(err, record.ErrOff) {
		return
	}
	r.e, r.ctx = e, c.Context()
	if err == nil {
		problems := make([]record.Selection, len(choices))
		for i, one := range choices {
			problems[i] = record.Selection{Source: one.Source, Problem: one.Problem, Submissions: one.Submissions,
				Cases: one.Cases}
		}
		r.Recording, err = record.NewRecording(folder, headOf(c, args, m), problems, args, r.Judge)
	}
	if err != nil {
		Warn(e, fmt.Errorf("this run is not stored: %w", err))
	}
}

// finish records that all results are known, and the duration to report.
func (r *Recorder) finish(took time.Duration) {
	r.took = took
	r.complete = r.Recording != nil && r.ctx.Err() == nil
}

// End stores the exit status of err, closes the file, and returns err.
func (r *Recorder) End(err error) error {
	if r.Recording == nil {
		return err
	}
	status := StatusOf(err)
	cause, unread := context.Cause(r.ctx), r.e.Unread()
	switch {
	case status == StatusInterrupted:
	case unread != nil && cause != nil && !r.complete:
		status = StatusInterrupted
	case unread != nil:
		status = StatusOf(Without(err, unread)) // the results are complete
	case cause != nil:
		status = StatusJudge // the results cannot be written
	}
	if err := r.Close(status, r.took); err != nil {
		Warn(r.e, fmt.Errorf("this run is only partly stored: %w", err))
	}
	r.Recording = nil
	return err
}

// headOf returns the head of a call without its problems.
func headOf(c *cobra.Command, args []string, m record.Machine) *record.Head {
	h := &record.Head{Judge: Version(), Command: c.Name(), Args: append([]string{}, args...), Flags: []string{},
		Env: []string{}, Machine: m}
	h.Folder, _ = os.Getwd()
	h.Host, _ = os.Hostname()
	c.Flags().Visit(func(f *pflag.Flag) { h.Flags = append(h.Flags, "--"+f.Name+"="+f.Value.String()) })
	for _, setting := range os.Environ() {
		if strings.HasPrefix(setting, "CRUCIBLE_") && !strings.HasPrefix(setting, "CRUCIBLE_TOKEN=") {
			// A secret is not stored.
			h.Env = append(h.Env, setting)
		}
	}
	slices.Sort(h.Env)
	return h
}

// Version returns the version and revision of the judge, as far as the build
// information contains them.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value
		}
	}
	return strings.TrimSpace(text)
}
