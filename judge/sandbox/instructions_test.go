package sandbox

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newInstructionCounter returns a counter, or skips the test.
func newInstructionCounter(t *testing.T) *InstructionCounter {
	t.Helper()
	c, err := NewInstructionCounter(t.Context(), t.TempDir())
	var unavailable *NoCountingError
	if errors.As(err, &unavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// count runs a program and returns its instructions.
func countOf(t *testing.T, r Runner, args ...string) int64 {
	t.Helper()
	o, err := r.Run(t.Context(), Cmd{
		Args: args, Dir: filepath.Dir(args[0]),
		Limits: Limits{CPU: 20 * time.Second, Wall: time.Minute, Memory: 64 << 20, Output: 1 << 16, Processes: 64},
	})
	if err != nil || o.Exit != 0 || o.Instructions == 0 {
		t.Fatalf("%+v, %v; want exit status 0 and a count", o, err)
	}
	return o.Instructions
}

// wholeMatrix is testkit.Matrix, which imports this package: scripts/check sets the variable.
func wholeMatrix() bool { return raceEnabled || os.Getenv("CRUCIBLE_MATRIX") != "" }

func inMatrix(t *testing.T) {
	t.Helper()
	if !wholeMatrix() {
		t.Skip("one of a matrix, which scripts/check tries")
	}
}

func TestCountsRepeat(t *testing.T) {
	inMatrix(t)
	c := newInstructionCounter(t)
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "loop")
	make := exec.Command(cc, "-O1", "-x", "c", "-o", program, "-")
	make.Stdin = strings.NewReader("#include <stdlib.h>\nint main(int n, char **v) { volatile long s = 0; long turns = atol(v[1]); for (long i = 0; i < turns; i++) s += i; return 0; }\n")
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var s Sandbox
	t.Cleanup(func() { s.Close() })
	r := c.Runner(&s)
	small, large := countOf(t, r, program, "1000000"), countOf(t, r, program, "9000000")
	for range 3 {
		if again := countOf(t, r, program, "1000000"); again != small {
			t.Errorf("%d instructions, and then %d", small, again)
		}
	}
	// Each turn of the loop is the same code, of some instructions.
	if turn := float64(large-small) / 8e6; turn < 3 || turn > 60 || math.Abs(turn-math.Round(turn)) > 1e-3 {
		t.Errorf("a turn of the loop is %v instructions; want about a small integer", turn)
	}
}

func TestSelfTest(t *testing.T) {
	inMatrix(t)
	c := newInstructionCounter(t)
	var s Sandbox
	t.Cleanup(func() { s.Close() })
	check, err := CountingSelfTest(t.Context(), c.Runner(&s), 2)
	// The steps are xorshift: three shifts, three operations, and the loop.
	if err != nil || check.Spread != 0 || check.PerStep < 6 || check.PerStep > 15 || math.Abs(check.PerStep-math.Round(check.PerStep)) > 1e-3 {
		t.Errorf("%+v, %v; want counts that repeat, and about an integer for each step", check, err)
	}
	if c.Slowdown < 2 || c.Slowdown > 1000 {
		t.Errorf("a slowdown of %v", c.Slowdown)
	}
	if _, err := CountingSelfTest(t.Context(), &s, 1); err == nil && !countsNatively(t, &s) {
		t.Error("a runner without counts passes")
	}
}

// countsNatively reports whether the sandbox counts instructions without an emulator.
func countsNatively(t *testing.T, r Runner) bool {
	o, err := r.Run(t.Context(), Cmd{Args: []string{"true"}})
	return err == nil && o.Instructions > 0
}

// A runner calls a function.
type runnerFunc func(Cmd) error

func (f runnerFunc) Run(_ context.Context, c Cmd) (Outcome, error) {
	return Outcome{}, f(c)
}

// Whatever a program writes to the file with its count, the judge does not fail, and the
// count is unknown or not negative.
func TestCountsThatProgramsWrote(t *testing.T) {
	for _, c := range []struct {
		written string
		want    int64
	}{{"\x05\x00\x00\x00\x00\x00\x00\x00", 5}, {"", 0}, {"short", 0}, {strings.Repeat("long", 1<<20), 0}, {strings.Repeat("\xff", 8), 0}} {
		counter := &InstructionCounter{Folder: t.TempDir(), plugin: "plugin", emulator: "emulator"}
		r := counter.Runner(runnerFunc(func(cmd Cmd) error { return os.WriteFile(cmd.Writes[0], []byte(c.written), 0o666) }))
		if o, err := r.Run(t.Context(), Cmd{Args: []string{"/bin/true"}}); err != nil || o.Instructions != c.want {
			t.Errorf("%.10q: %d, %v; want %d", c.written, o.Instructions, err, c.want)
		}
		if left, err := os.ReadDir(counter.Folder); err != nil || len(left) > 0 {
			t.Errorf("%v, %v; want an empty folder", left, err)
		}
	}
}
