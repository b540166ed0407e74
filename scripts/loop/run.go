package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
)

// metric runs a benchmark of the judge and returns the values of one of its metrics,
// sorted.
func (l *loop) metric(pkg, benchmark, time, unit string) ([]float64, error) {
	out, err := l.command("", "go", "test", "-run", "^$", "-bench", "^"+benchmark+"$", "-benchtime", time, "-count", "3",
		pkg).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	var all []float64
	for _, m := range regexp.MustCompile(`([0-9.e+-]+) `+regexp.QuoteMeta(unit)+`(?:\s|$)`).FindAllSubmatch(out, -1) {
		v, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, skipped("the benchmark " + benchmark + " does not run here")
	}
	slices.Sort(all)
	return all, nil
}

// atLeast describes sorted values whose median must be at least a bound.
func atLeast(values []float64, least float64) figure {
	f := ratio(values, 0)
	f.met = values[len(values)/2] >= least
	return f
}

func (l *loop) cases() (figure, error) {
	times, err := l.metric("./judge", "BenchmarkCases", "2s", "judged-x")
	if err != nil {
		return figure{}, err
	}
	for i, x := range times {
		times[i] = 1 / x
	}
	slices.Sort(times)
	return atLeast(times, 0.85), nil
}

func (l *loop) throughput() (figure, error) {
	each, err := l.metric("./judge/sandbox", "BenchmarkThroughput", "10x", "x-of-each")
	if err != nil {
		return figure{}, err
	}
	return atLeast(each, 0.9), nil
}

// instructions counts the same runs several times, and compares their wall-clock time with
// that of the same runs without an emulator.
func (l *loop) instructions() (figure, error) {
	measure := func(args ...string) (counts, walls []int64, err error) {
		d, _, err := l.runJudge(l.judge, l.repo,
			append([]string{"bench", "poj3074", "accepted/masks.cpp", "secret/11-thousands", "--rounds", "5"}, args...)...)
		if err != nil {
			return nil, nil, err
		}
		for _, t := range record.Of[*bench.Measurement](&d.Problems[0]).Trials {
			counts, walls = append(counts, t.Outcome.Instructions), append(walls, int64(t.Outcome.Wall))
		}
		slices.Sort(counts)
		slices.Sort(walls)
		return counts, walls, nil
	}
	if _, err := exec.LookPath("qemu-x86_64"); err != nil {
		return figure{}, skipped("no qemu-user")
	}
	counts, slow, err := measure("--clock", "instructions")
	if err != nil {
		return figure{}, err
	}
	_, plain, err := measure()
	if err != nil {
		return figure{}, err
	}
	n := len(counts)
	slowdown := float64(slow[len(slow)/2]) / float64(plain[len(plain)/2])
	spread := counts[n-1] - counts[0]
	return figure{fmt.Sprintf("%d of %d, at %.1f times the time", spread, counts[n/2], slowdown), spread == 0 &&
		counts[0] > 0}, nil
}
