package cli

import (
	"context"
	"errors"
	"fmt"

	"crucible/judge"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// Clock prints what counts the instructions of programs that r runs, and its version. With
// selfTest, it counts those of a loop of known cost.
func (s *LabelWriter) Clock(ctx context.Context, r sandbox.Runner, selfTest bool) (err error) {
	j := judge.Judge{Settings: judge.Settings{Instructions: true}, Runner: r}
	defer func() { err = errors.Join(err, j.Close()) }()
	var unavailable *sandbox.NoCountingError
	switch err := j.Start(); {
	case errors.As(err, &unavailable):
		s.Print("clock", "CPU time; %v", err)
		return nil
	case err != nil:
		return WithStatus(StatusJudge, err)
	}
	slowdown := ""
	if j.Counter() != sandbox.HardwareCounters {
		cache, err := j.CacheDir()
		if err != nil {
			return err
		}
		c, err := sandbox.NewInstructionCounter(ctx, cache)
		if err != nil {
			return s.Failed(ctx, err)
		}
		r, slowdown = c.Runner(r), fmt.Sprintf("; programs that it counts may take %.0f times as long", c.Slowdown)
	}
	s.Print("clock", "CPU time, or with --clock instructions those counted by %s%s", j.Counter(), slowdown)
	if !selfTest {
		return nil
	}
	const runs = 5
	check, err := sandbox.CountingSelfTest(ctx, r, runs)
	switch {
	case errors.As(err, &unavailable):
		s.Print("", "%v", err)
		return nil
	case err != nil:
		return s.Failed(ctx, err)
	}
	spread := "all counts equal"
	if check.Spread > 0 {
		spread = "counts differ by " + terminal.Share(check.Spread)
	}
	s.Print("", "%.4f instructions for each step of a loop; %s; %s of each of two loops", check.PerStep, spread,
		terminal.Count(check.Runs, "run"))
	return nil
}

// Failed returns the error of a measurement, or why it was interrupted.
func (s *LabelWriter) Failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return WithStatus(StatusJudge, err)
}
