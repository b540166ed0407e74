package calibration

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/measure/stat"
	"crucible/judge/sandbox"
)

func TestMain(m *testing.M) {
	Main()
	m.Run()
}

// An exitsAtOnce is a sandbox in which programs that are built with the race detector
// do not sleep for a second at exit.
type exitsAtOnce struct{ sandbox.Sandbox }

func (s *exitsAtOnce) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	c.AddEnv = append(c.AddEnv, "GORACE=atexit_sleep_ms=0")
	return s.Sandbox.Run(ctx, c)
}

func newTestMeasurer(t *testing.T) *measurer {
	var s exitsAtOnce
	t.Cleanup(func() { s.Close() })
	m, err := newMeasurer(&s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The clocks and the memory measurement must be about right even on a busy machine:
// a program cannot use less than its known cost.
func TestPrograms(t *testing.T) {
	m := newTestMeasurer(t)
	base, err := m.run(t.Context(), memory, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	const length = 100 * time.Millisecond
	if o, err := m.run(t.Context(), cpu, int64(length), nil); err != nil || runtime.GOOS != "windows" && (o.CPU < length*9/10 || o.CPU > 3*length) {
		t.Errorf("CPU time %v, %v; want about %v", o.CPU, err, length)
	}
	// The start is not counted: it takes 100 ms with the race detector on a busy machine.
	if o, err := m.run(t.Context(), sleep, int64(length), nil); err != nil || o.Wall < length || o.CPU-base.CPU > length/2 {
		t.Errorf("wall time %v, CPU time %v, %v; want at least %v, of which the program computes little", o.Wall, o.CPU, err, length)
	}
	if o, err := m.run(t.Context(), memory, 64<<20, nil); err != nil || o.Memory-base.Memory < 60<<20 || o.Memory-base.Memory > 80<<20 {
		t.Errorf("%d bytes above those of the program without memory, %v; want about 64 MiB", o.Memory-base.Memory, err)
	}
	if _, err := m.run(t.Context(), "cpu x", 1, nil); err == nil {
		t.Error("a wrong amount is accepted")
	}
}

func TestParallel(t *testing.T) {
	testkit.InMatrix(t)
	rounds := 0
	slowdowns, err := Parallel(t.Context(), newTestMeasurer(t).runner, 2, 2, nil, func(n, of int) { rounds++ })
	if err != nil || len(slowdowns) != 3 || rounds != 2 {
		t.Fatalf("%+v, %d rounds, %v", slowdowns, rounds, err)
	}
	for _, s := range slowdowns {
		if len(s.Alone) != 2 || len(s.Together) != 2 || slices.Min(s.Alone) <= 0 || slices.Min(s.Together) <= 0 {
			t.Errorf("%s: alone %v s, together %v s", s.Program, s.Alone, s.Together)
		}
	}
}

// Each program of a profile runs in the sandbox and uses about as much time as it should.
func TestMeasure(t *testing.T) {
	testkit.InMatrix(t)
	p, err := Measure(t.Context(), newTestMeasurer(t).runner)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range profiled {
		times := p.Times[w.name]
		if len(times) != rounds {
			t.Errorf("%s: %d times, expected %d", w.name, len(times), rounds)
			continue
		}
		median, i := stat.Median(times, 0.95)
		t.Logf("%-16s %.1f ms [%.1f to %.1f]", w.name, 1000*median, 1000*i.Lo, 1000*i.Hi)
		if runtime.GOOS != "windows" && median < 0.001 {
			t.Errorf("%s: %.2f ms, expected several: does it run?", w.name, 1000*median)
		}
	}
}
