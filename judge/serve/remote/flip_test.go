package remote

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A fleet draws the times of programs on the machines of a class. The truth is known:
// the speed of each machine, the noise of each run and the distortion by others.
type fleet struct {
	name            string
	machines, noise float64 // standard deviations of logarithms
	heavy           bool    // the noise has Student's distribution with 3 degrees of freedom
	distortion      float64 // the first run is lengthened by up to that
	stop            float64 // the first run is stopped at this multiple of the limit; 0 is never
	least, most     float64 // observed flips as a share of the predicted ones, near the threshold
	missed, again   float64 // at most: share of the flips that the threshold does not find, and of the runs that are made again
}

func (f *fleet) run(r *rand.Rand) float64 {
	noise := r.NormFloat64()
	if f.heavy {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		noise /= math.Sqrt(a*a + b*b + c*c) // variance 1: Student's t with 3 degrees of freedom, divided by the root of 3
	}
	return f.machines*r.NormFloat64() + f.noise*noise
}

// spread is the deviation of the logarithm of the ratio of the times on two machines.
func (f *fleet) spread() float64 { return math.Sqrt2 * math.Hypot(f.machines, f.noise) }

// TestFlips compares the probability with the frequency at which another machine finds
// a program on the other side of the limit. The times of the programs are from a fifth of
// the limit to ten times the limit, uniform in the logarithm.
func TestFlips(t *testing.T) {
	const trials = 100_000
	for _, f := range []fleet{
		{name: "equal machines", noise: 0.02, least: 0.8, most: 1.2, missed: 0.04, again: 0.05},
		{name: "machines differ", machines: 0.02, noise: 0.01, least: 0.8, most: 1.2, missed: 0.04, again: 0.06},
		{name: "beside others", machines: 0.02, noise: 0.01, distortion: 0.05, least: 0.8, most: 1.2, missed: 0.04, again: 0.07},
		{name: "stopped beyond the limit", machines: 0.02, noise: 0.01, stop: 1.06, least: 0.8, most: 1.2, missed: 0.04, again: 0.06},
		{name: "beside others, stopped beyond the limit", machines: 0.02, noise: 0.01, distortion: 0.05, stop: 1.11, least: 0.8, most: 1.2, missed: 0.04, again: 0.07},
		{name: "heavy tails", noise: 0.02, heavy: true, least: 0.5, most: 3, missed: 0.1, again: 0.05},
	} {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			type bin struct{ n, flips, predicted float64 }
			bins := make([]bin, 5) // below 1 %, from there, from 5 %, from 20 %, from 40 %
			for range trials {
				program := math.Log(0.2) + r.Float64()*math.Log(50)
				first := program + f.run(r)
				if f.distortion > 0 {
					first += r.Float64() * math.Log1p(f.distortion)
				}
				m := margin{log: -first, distortion: f.distortion, spread: f.spread()}
				if f.stop > 0 && first > math.Log(f.stop) {
					m.log, m.stopped = -math.Log(f.stop), true
				}
				p := m.flips()
				b := 0
				for _, from := range []float64{judge.DefaultDoubt, 0.05, 0.2, 0.4} {
					if p >= from {
						b++
					}
				}
				bins[b].n++
				bins[b].predicted += p
				if (first > 0) != (program+f.run(r) > 0) {
					bins[b].flips++
				}
			}
			all, text := bin{}, ""
			for i, b := range bins {
				all.n, all.flips, all.predicted = all.n+b.n, all.flips+b.flips, all.predicted+b.predicted
				text += fmt.Sprintf(" %.0f/%.0f", b.flips, b.predicted)
				if ratio := b.flips / b.predicted; i > 0 && b.predicted > 100 && (ratio < f.least || ratio > f.most) {
					t.Errorf("bin %d: %.0f flips, %.0f predicted: expected %v to %v times as many", i, b.flips, b.predicted, f.least, f.most)
				}
			}
			missed, again := bins[0].flips/all.flips, 1-bins[0].n/all.n
			t.Logf("flips/predicted by bin:%s; %.2f %% of the runs are made again, %.1f %% of the flips are missed", text, 100*again, 100*missed)
			if missed > f.missed || again > f.again {
				t.Errorf("%.2f %% of the runs are made again: expected at most %.0f %%; %.1f %% of the flips are missed: expected at most %.0f %%", 100*again, 100*f.again, 100*missed, 100*f.missed)
			}
		})
	}
}

// A stored run near the limit is doubtful as a new one is, since the other workers have not
// seen it; one that was stopped was made again when it was new.
func TestStoredRunsMayFlip(t *testing.T) {
	settings, at := &judge.Settings{TimeLimit: time.Second}, time.Now()
	for _, c := range []struct {
		verdict problem.Verdict
		cpu     time.Duration
		doubted bool
	}{
		{problem.Accepted, 990 * time.Millisecond, true},
		{problem.Accepted, 500 * time.Millisecond, false},
		{problem.TimeLimit, 1010 * time.Millisecond, false},
	} {
		run := &judge.Run{Verdict: c.verdict, Outcome: sandbox.Outcome{CPU: c.cpu}, Worker: "a", StoredAt: &at}
		if why := doubtOf(settings, run); (why != "") != c.doubted {
			t.Errorf("stored %s after %v: doubt %q, expected one: %t", c.verdict, c.cpu, why, c.doubted)
		}
	}
}
