// Command stress measures how many inputs a second judge stress tries, against a loop in
// C that runs the same generator, input validator, two programs and checker by fork and
// exec, once each for every input. Both use one processor, and take turns. The search runs
// fewer programs: a checker only if the outputs differ, and input validators only on some
// inputs if the programs do not differ. So their number is printed, too.
//
//	scripts/bench stress [-inputs N] [-rounds N] [-for DURATION] [-profile FILE]
//
// With -for, it instead searches for so long for a difference of two equal programs, and
// checks that there is no false alarm and that memory, processes and files do not grow.
// The exit status is 0 if the bar is met, 1 if it is not, and 2 if it could not be measured.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/strength/stress"
)

//go:embed testdata/loop.c
var loopSource string

// bar is the least rate, as a share of that of the loop.
const bar = 0.7

func main() {
	inputs := flag.Int("inputs", 300, "try `N` inputs in each round")
	rounds := flag.Int("rounds", 7, "take `N` turns")
	long := flag.Duration("for", 0, "search for a difference of two equal programs for `DURATION`")
	profile := flag.String("profile", "", "write a CPU profile of the judge to `FILE`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	met, err := run(ctx, *inputs, *rounds, *long, *profile)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "scripts/bench stress:", err)
		os.Exit(2)
	case !met:
		os.Exit(1)
	}
}

func run(ctx context.Context, inputs, rounds int, long time.Duration, profile string) (met bool, err error) {
	dir, err := os.MkdirTemp("", "stress-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := write(filepath.Join(dir, "sum")); err != nil {
		return false, err
	}
	p, err := problem.OpenDir(filepath.Join(dir, "sum"))
	if err != nil {
		return false, err
	}
	defer p.Close()
	j := &judge.Judge{Jobs: 1}
	defer func() { err = errors.Join(err, j.Close()) }()
	search := stress.Search{
		Problem: p, Reference: p.SubmissionNamed("accepted/a.c"),
		Targets:   []*problem.Submission{p.SubmissionNamed("wrong_answer/b.c")},
		Generated: true, Inputs: inputs, Seed: 1,
	}
	if long > 0 {
		return equal(ctx, j, search, long)
	}
	programs, err := compile(ctx, dir)
	if err != nil {
		return false, err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return false, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return false, err
		}
		defer pprof.StopCPUProfile()
	}
	var rates, works, floors, each []float64
	for round := range rounds {
		search.Seed = uint64(round)
		var began time.Duration // without compiling
		search.OnEvent = func(p stress.Progress) {
			if p.Valid == 1 {
				began = work()
			}
		}
		r, err := search.Run(ctx, j)
		if err != nil {
			return false, err
		}
		if r.Valid != inputs || len(r.Counterexamples) > 0 {
			return false, fmt.Errorf("%d valid inputs and %d differences: expected %d and 0: %s", r.Valid,
				len(r.Counterexamples), inputs, strings.Join(r.Notes, "; "))
		}
		tried := float64(r.Valid + r.Unchecked)
		worked := (work() - began).Seconds() / tried
		own := r.Elapsed.Seconds() / tried
		started := (3*tried + float64(r.Valid+r.Repeated)) / tried // a generator and two programs; a validator if checked
		plain, plainWork, err := loop(ctx, dir, inputs, programs)
		if err != nil {
			return false, err
		}
		empty, _, err := loop(ctx, dir, inputs, append(slices.Repeat([]string{"/bin/true"}, 5), "plain"))
		if err != nil {
			return false, err
		}
		rates, works, floors, each = append(rates, plain/own), append(works, plainWork/worked), append(floors, plain/empty),
			append(each, plain/own*started/5)
		fmt.Printf("%.0f inputs a second, the loop %.0f, the loop of true %.0f: %.2f of the loop; programs started for an "+
			"input %.2f, the loop 5; CPU time for an input %.2f ms, the loop %.2f ms\n", 1/own, 1/plain, 1/empty, plain/own,
			started, 1000*worked, 1000*plainWork)
	}
	slices.Sort(rates)
	slices.Sort(works)
	slices.Sort(floors)
	slices.Sort(each)
	middle := rates[len(rates)/2]
	fmt.Printf("inputs a second over those of a C loop: %.2f [%.2f to %.2f], bar at least %.1f; the loop takes %.2f of "+
		"the time of five times true\n", middle, rates[0], rates[len(rates)-1], bar, floors[len(floors)/2])
	fmt.Printf("programs started a second over those of the loop: %.2f [%.2f to %.2f]\n", each[len(each)/2], each[0],
		each[len(each)-1])
	fmt.Printf("inputs by CPU time, of the judge and all programs: %.2f [%.2f to %.2f]\n", works[len(works)/2], works[0],
		works[len(works)-1])
	return middle >= bar, nil
}

// compile compiles the programs of the package as the judge does, and the loop.
func compile(ctx context.Context, dir string) (programs []string, err error) {
	if err := os.WriteFile(filepath.Join(dir, "loop.c"), []byte(loopSource), 0o644); err != nil {
		return nil, err
	}
	if err := os.Mkdir(filepath.Join(dir, "feedback"), 0o755); err != nil {
		return nil, err
	}
	for _, name := range []string{"loop.c", "sum/generators/gen.c", "sum/input_validators/validator.c",
		"sum/submissions/accepted/a.c", "sum/submissions/wrong_answer/b.c", "sum/output_validator/checker.c"} {
		to := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".c"))
		if out, err := exec.CommandContext(ctx, "gcc", "-O2", "-std=gnu17", "-o", to,
			filepath.Join(dir, name)).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		programs = append(programs, to)
	}
	return programs[1:], nil
}

// loop returns the wall-clock and CPU seconds for one input.
func loop(ctx context.Context, dir string, inputs int, programs []string) (wall, cpu float64, err error) {
	c := exec.CommandContext(ctx, filepath.Join(dir, "loop"), append([]string{strconv.Itoa(inputs)}, programs...)...)
	c.Dir, c.Stderr = dir, os.Stderr
	out, err := c.Output()
	if err != nil {
		return 0, 0, err
	}
	wall, err = strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	return wall / float64(inputs), cpu / float64(inputs), err
}
