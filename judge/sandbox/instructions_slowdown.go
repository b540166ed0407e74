package sandbox

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed plugin/slowdown.c
var slowdown []byte

// work are the kinds of work whose slowdown is measured, each of about 50 ms. On the
// machine where they were chosen they were 1.3, 6, 50, 3 and 4 times as slow.
var work = [][2]string{{"integers", "30000000"}, {"floats", "5000000"}, {"vectors", "20000000"}, {"memory", "8000000"},
	{"branches", "400000"}}

// margin is the factor between the measured slowdown and the assumed one, because
// other programs may be slowed down more, and the machine may be busy.
const margin = 2

// measure compiles the program of known work in a folder and returns how much slower the
// emulator runs it: the largest ratio of CPU times of its kinds of work, times margin.
func (c *InstructionCounter) measure(ctx context.Context, compiler, dir, plugin string) (float64, error) {
	program, err := compileWork(ctx, compiler, dir)
	if err != nil {
		return 0, err
	}
	out, err := newCountFile(dir)
	if err != nil {
		return 0, err
	}
	most := 1.0
	for _, w := range work {
		var times [2]float64
		for i, args := range [][]string{{program}, {c.emulator, "-plugin", plugin + ",out=" + out, program}} {
			cmd := exec.CommandContext(ctx, args[0], append(args[1:], w[:]...)...)
			if text, err := cmd.CombinedOutput(); err != nil {
				return 0, &NoCountingError{strings.TrimSpace(fmt.Sprintf("%s: %v: %s", strings.Join(cmd.Args, " "), err, text))}
			}
			times[i] = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		}
		if times[0] > 0 {
			most = max(most, times[1]/times[0])
		}
	}
	return margin * most, nil
}

// compileWork compiles the program of known work into a folder.
func compileWork(ctx context.Context, compiler, dir string) (program string, err error) {
	source, program := filepath.Join(dir, "slowdown.c"), filepath.Join(dir, "slowdown")
	if err := os.WriteFile(source, slowdown, 0o644); err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, compiler, "-O2", "-o", program, source, "-lm").CombinedOutput(); err != nil {
		return "", &NoCountingError{fmt.Sprintf("%s does not compile the program of known work: %v: %s", compiler, err, out)}
	}
	return program, nil
}

// readSlowdown returns the slowdown that a file of the cache has.
func readSlowdown(name string) (float64, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(string(data), 64)
	if err == nil && !(x >= 1 && x <= 1e4) {
		err = errors.New("expected 1 to 10000")
	}
	return x, err
}
