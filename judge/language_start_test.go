package judge

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// listening runs programs in a sandbox and keeps their output.
type listening struct {
	sandbox.Sandbox
	last  sandbox.Cmd
	heard bytes.Buffer
}

func (r *listening) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	if c.Stdout != nil {
		return r.Sandbox.Run(ctx, c)
	}
	r.last = c
	c.Stdout = &r.heard
	return r.Sandbox.Run(ctx, c)
}

// TestStartup checks each language that this machine has: it builds the empty
// program, which prints nothing. Another test builds the hello programs.
func TestStartup(t *testing.T) {
	if testkit.Raced {
		t.Skip("runs every compiler")
	}
	dir := testkit.Cache(t)
	p := &problem.Problem{Limits: problem.Limits{Time: 20 * time.Second, Wall: 41 * time.Second, Memory: 1 << 30}}
	for l := range language.Builtin.Each {
		if l.Empty == "" {
			continue
		}
		t.Run(l.Code, func(t *testing.T) {
			if !slices.Contains(common, l.Code) {
				testkit.InMatrix(t)
			}
			t.Parallel()
			var runner listening
			t.Cleanup(func() { runner.Close() })
			j := &Judge{Runner: &runner, Cache: dir, Jobs: 1}
			t.Cleanup(func() { j.Close() })
			if _, err := j.Toolchain(t.Context(), l.Code); err != nil {
				t.Skip(err)
			}
			outcomes, err := j.Startup(t.Context(), p, l.Code, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(outcomes) != 2 || runner.heard.Len() > 0 {
				t.Errorf("%d outcomes, printed %q; want 2 and nothing", len(outcomes), runner.heard.String())
			}
			if got := runner.last.Limits.Memory; got != p.Limits.Memory {
				t.Errorf("ran with %d bytes of memory, want the problem's %d", got, p.Limits.Memory)
			}
		})
	}
}

func TestStartupOfWhatDoesNotRun(t *testing.T) {
	testkit.Needs(t, "bash")
	j := &Judge{Cache: t.TempDir(), Jobs: 1}
	defer j.Close()
	p := &problem.Problem{Limits: problem.Limits{Time: time.Nanosecond, Wall: time.Second}}
	if _, err := j.Startup(t.Context(), p, "bash", 1); err == nil || !strings.Contains(err.Error(), "the empty program of Bash does not run") {
		t.Errorf("under a limit of 1 ns: %v", err)
	}
	if _, err := j.Startup(t.Context(), p, "latin", 1); err == nil {
		t.Error("a language that nobody has runs")
	}
}
