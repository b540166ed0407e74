package judge

import (
	"context"
	"fmt"
	"strings"
	"time"

	"crucible/judge/instructions"
	"crucible/judge/problem"
)

// Counter describes what counts instructions, with its version: the emulator, or the
// processor. Only counts of the same counter are comparable. It is "" unless Instructions
// is set and Start has succeeded.
func (j *Judge) Counter() string {
	if j.machinery == nil {
		return ""
	}
	return j.counted
}

// Times that the emulator needs at most to translate the code of a runtime, which the
// slowdown does not include. Java and Node took 2 s where this was measured.
const (
	translating     = 20 * time.Second
	translatingWall = 2 * translating
)

// countInstructions sets the instructions of an accepted run. An emulator counts them in
// another run, which decides nothing else: neither its slowness nor its memory changes
// the verdict, the times and the memory of the run.
func (x *Session) countInstructions(ctx context.Context, c *problem.Case, run *Run) {
	if !x.j.Instructions || !run.accepted() || c.Static != nil || x.s.Problem.Is(problem.SubmitAnswer) {
		return
	}
	counter := x.j.counter
	if counter == nil {
		if run.Outcome.Instructions == 0 {
			run.Uncounted = "the counters of the processor were in use"
		}
		return
	}
	limits := x.limits
	limits.Time = time.Duration(float64(limits.Time)*counter.Slowdown) + translating
	limits.Wall = time.Duration(float64(limits.Wall)*counter.Slowdown) + translatingWall
	if limits.Memory > 0 {
		limits.Memory += instructions.Memory
	}
	a := &attempt{runner: counter.Runner(x.j.runner), limits: limits, emulated: true}
	switch again := a.once(ctx, x, c); {
	case again.Err != nil:
		run.Err = again.Err
	case !again.accepted():
		said, _, _ := strings.Cut(strings.TrimSpace(again.Stderr), "\n")
		run.Outcome.Instructions, run.Uncounted = 0, strings.TrimSuffix(fmt.Sprintf("under the emulator it is %s: %s: %s", again.Verdict, again.Why, said), ": ")
	case again.Outcome.Instructions == 0:
		run.Uncounted = "the emulator has no count"
	default:
		run.Outcome.Instructions = again.Outcome.Instructions
	}
}
