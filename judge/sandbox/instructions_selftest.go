package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"crucible/judge/internal/osfile"
)

// A CountingCheck is what [CountingSelfTest] found.
type CountingCheck struct {
	Runs    int     // the number of runs, of each of the lengths of the loop
	Spread  float64 // the largest difference of two counts of the same loop, as a share of the smaller
	PerStep float64 // instructions for one more step of the loop: an integer, unless the counts are wrong
}

// lengths are the numbers of steps of the loop of [CountingSelfTest]. The results of all have the
// same number of digits, so their printing costs nearly the same.
var lengths = []int64{1e6, 3e6}

// CountingSelfTest runs a loop in C of two lengths, each the given number of times, by a Runner
// that counts instructions. It needs the C compiler of the machine: the error is an
// [*NoCountingError] if there is none.
func CountingSelfTest(ctx context.Context, r Runner, runs int) (*CountingCheck, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil, &NoCountingError{"the program of the self-test is in C, and cc is not on the PATH"}
	}
	dir, err := os.MkdirTemp("", "instructions-")
	if err != nil {
		return nil, err
	}
	defer osfile.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // programs may run as another user
		return nil, err
	}
	program, err := compileWork(ctx, compiler, dir)
	if err != nil {
		return nil, err
	}
	c := &CountingCheck{Runs: runs}
	var first []int64
	for _, n := range lengths {
		least, most := int64(0), int64(0)
		for i := range runs {
			o, err := r.Run(ctx, Cmd{
				Args: []string{program, "integers", strconv.FormatInt(n, 10)}, Reads: []string{program}, Dir: filepath.Dir(program),
				FixedAddresses: true,
				Limits:         Limits{CPU: time.Minute, Wall: 2 * time.Minute, Memory: 1 << 30, Output: 1 << 10, Processes: 64},
			})
			switch {
			case err != nil:
				return nil, err
			case o.Exit != 0 || o.Instructions == 0:
				return nil, fmt.Errorf("the loop of the self-test: exit status %d and %d instructions; expected 0, and some",
					o.Exit, o.Instructions)
			case i == 0:
				least, most = o.Instructions, o.Instructions
				first = append(first, o.Instructions)
			}
			least, most = min(least, o.Instructions), max(most, o.Instructions)
		}
		c.Spread = max(c.Spread, float64(most-least)/float64(least))
	}
	c.PerStep = float64(first[1]-first[0]) / float64(lengths[1]-lengths[0])
	return c, nil
}
