package calibration

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"crucible/judge/sandbox"
)

// A Check is what one clock, or the memory measurement, reports about a program of
// known cost.
type Check struct {
	Of     string    // what is measured: "CPU time", "wall time", "memory"
	True   float64   // the known cost, in seconds or bytes
	Errors []float64 // the difference of the report to True, by run
}

// programs are the programs of [SelfTest].
var programs = []struct {
	kind   kind
	amount int64
	times  int
}{
	{cpu, int64(100 * time.Millisecond), 9},
	{cpu, int64(time.Second), 6},
	{cpu, int64(10 * time.Second), 1},
	{sleep, int64(100 * time.Millisecond), 9},
	{memory, 1 << 20, 9},
	{memory, 64 << 20, 9},
	{memory, 512 << 20, 9},
}

// SelfTest runs programs of known cost in the sandbox, one at a time: 0.1, 1 and 10 s
// of CPU time, 0.1 s of sleep, and 1, 64 and 512 MiB of memory. It takes about 20
// seconds. A program knows its CPU time by its own clock, which starts when the program
// does; its memory is measured beyond that of the same program without any. done is
// called after each run.
func SelfTest(ctx context.Context, r sandbox.Runner, done func(n, of int)) ([]Check, error) {
	m, err := newMeasurer(r)
	if err != nil {
		return nil, err
	}
	of := memoryBase
	for _, p := range programs {
		of += p.times
	}
	n := 0
	count := func() {
		if n++; done != nil {
			done(n, of)
		}
	}
	var base []float64
	for range memoryBase {
		o, err := m.run(ctx, memory, 0, nil)
		if err != nil {
			return nil, err
		}
		base = append(base, float64(o.Memory))
		count()
	}
	slices.Sort(base)
	without := base[memoryBase/2]
	var checks []Check
	for _, p := range programs {
		var c Check
		for range p.times {
			o, err := m.run(ctx, p.kind, p.amount, nil)
			if err != nil {
				return nil, err
			}
			switch p.kind {
			case cpu:
				c.Of, c.True = "CPU time", time.Duration(p.amount).Seconds()
				c.Errors = append(c.Errors, o.CPU.Seconds()-c.True)
			case sleep:
				c.Of, c.True = "wall time", time.Duration(p.amount).Seconds()
				c.Errors = append(c.Errors, o.Wall.Seconds()-c.True)
			case memory:
				c.Of, c.True = "memory", float64(p.amount)
				c.Errors = append(c.Errors, float64(o.Memory)-without-c.True)
			}
			count()
		}
		checks = append(checks, c)
	}
	return checks, nil
}

// memoryBase is the number of runs of the program without memory of its own; odd, so that one
// is the median.
const memoryBase = 9

// A measurer runs programs of known cost.
type measurer struct {
	runner sandbox.Runner
	self   string // this executable
}

func newMeasurer(r sandbox.Runner) (*measurer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	self, err = filepath.EvalSymlinks(self)
	return &measurer{r, self}, err
}

// run runs one program; cores are as in [sandbox.Cmd].
func (m *measurer) run(ctx context.Context, k kind, amount int64, cores []int) (sandbox.Outcome, error) {
	o, err := m.runner.Run(ctx, sandbox.Cmd{
		Args:  []string{m.self},
		Env:   []string{programKey + "=" + string(k) + " " + strconv.FormatInt(amount, 10), "GOMAXPROCS=1", "GOGC=off"},
		Cores: cores, Reads: []string{m.self}, FixedAddresses: true,
		Limits: sandbox.Limits{CPU: time.Minute, Wall: 2 * time.Minute, Memory: 2 << 30, Output: 64 << 20, Processes: 64},
	})
	if err == nil && o.Exit != 0 {
		err = fmt.Errorf("the program %q of known cost exited with status %d, expected 0", k, o.Exit)
	}
	return o, err
}
