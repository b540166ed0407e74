package calibration

import (
	"context"
	"errors"
	"sync"
	"time"

	"crucible/judge/sandbox"
)

// A Slowdown has the CPU times of a program in seconds, by round.
type Slowdown struct {
	Program  string    // "computing", "memory" or "system calls"
	Alone    []float64 // while nothing else of the judge runs
	Together []float64 // the means of several copies that run at the same time
}

// work are the programs of [Parallel]. The amounts are for about 0.2 s.
var work = []struct {
	name   string
	kind   kind
	amount int64
}{
	{"computing", compute, 150e6},
	{"memory", walk, 3e6},
	{"system calls", calls, 1e6},
}

// Parallel runs each of three programs alone and then n copies of it at once, in
// turns, rounds times. Cores are as in the judge: copy i runs on cores[i]; nil
// leaves the choice to the system. done is called after each round.
func Parallel(ctx context.Context, r sandbox.Runner, n, rounds int, cores []int,
	done func(n, of int)) ([]Slowdown, error) {
	m, err := newMeasurer(r)
	if err != nil {
		return nil, err
	}
	slowdowns := make([]Slowdown, len(work))
	for round := range rounds {
		for i, w := range work {
			one, err := m.atOnce(ctx, w.kind, w.amount, 1, cores)
			if err != nil {
				return nil, err
			}
			all, err := m.atOnce(ctx, w.kind, w.amount, n, cores)
			if err != nil {
				return nil, err
			}
			s := &slowdowns[i]
			s.Program, s.Alone, s.Together = w.name, append(s.Alone, one), append(s.Together, all)
		}
		if done != nil {
			done(round+1, rounds)
		}
	}
	return slowdowns, nil
}

// atOnce runs n copies of a program at once and returns the mean of their CPU times in
// seconds.
func (m *measurer) atOnce(ctx context.Context, k kind, amount int64, n int, cores []int) (float64, error) {
	var wg sync.WaitGroup
	times, errs := make([]time.Duration, n), make([]error, n)
	for i := range n {
		wg.Go(func() {
			var on []int
			if len(cores) > 0 {
				on = []int{cores[i%len(cores)]}
			}
			o, err := m.run(ctx, k, amount, on)
			times[i], errs[i] = o.CPU, err
		})
	}
	wg.Wait()
	var sum time.Duration
	for _, t := range times {
		sum += t
	}
	return sum.Seconds() / float64(n), errors.Join(errs...)
}
