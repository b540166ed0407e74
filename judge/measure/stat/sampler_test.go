package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A noise returns the logarithm of the factor by which noise changes the time of
// run i of n. Its median need not be 0.
type noise func(r *rand.Rand, i, n int) float64

func normal(r *rand.Rand, _, _ int) float64 { return 0.03 * r.NormFloat64() }

func wide(r *rand.Rand, _, _ int) float64 { return 0.5 * r.NormFloat64() }

// skewed is the noise of a constant time plus an exponential delay.
func skewed(r *rand.Rand, _, _ int) float64 { return math.Log(1 + 0.05*r.ExpFloat64()) }

// tailed is the noise of a constant time plus a delay whose tail is longer than
// exponential.
func tailed(r *rand.Rand, _, _ int) float64 { return math.Log(1 + 0.01*math.Exp(1.5*r.NormFloat64())) }

// bimodal makes 3 of 10 runs 1.45 times as slow.
func bimodal(r *rand.Rand, _, _ int) float64 { return two(r, 0.3, 0.01) }

func two(r *rand.Rand, share, deviation float64) float64 {
	x := deviation * r.NormFloat64()
	if r.Float64() < share {
		x += math.Log(1.45)
	}
	return x
}

// disturbed makes one run in twenty more than twice as slow.
func disturbed(r *rand.Rand, _, _ int) float64 {
	x := 0.01 * r.NormFloat64()
	if r.Float64() < 0.05 {
		x += math.Log(2 + r.ExpFloat64())
	}
	return x
}

// drifting makes runs slower by a fifth from the first to the last.
func drifting(r *rand.Rand, i, n int) float64 {
	return normal(r, i, n) + math.Log(1+0.2*float64(i)/float64(n))
}

// noises are pairs of noises for a program and a reference.
var noises = []struct {
	name               string
	program, reference noise
}{
	{"normal", normal, normal},
	{"skewed", skewed, skewed},
	{"long tail", tailed, tailed},
	{"bimodal", bimodal, bimodal},
	{"disturbed", disturbed, disturbed},
	{"drifting", drifting, drifting},
	{"skewed to normal", skewed, normal},
	{"disturbed to bimodal", disturbed, bimodal},
}

// times returns n times in seconds that are factor multiplied by the noise f.
func times(r *rand.Rand, f noise, n int, factor float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = factor * math.Exp(f(r, i, n))
	}
	return xs
}

// medianOf estimates the median of the distribution of f to within a few
// thousandths of its spread.
func medianOf(f func() float64) float64 {
	xs := make([]float64, 40001)
	for i := range xs {
		xs[i] = f()
	}
	m, _ := Median(xs, 0.5)
	return m
}

// rounds returns the number of trials of a simulation: n, or fewer with -short and
// under the race detector, where n would take too long.
func rounds(n int) int {
	switch {
	case raced:
		return n / 40
	case testing.Short():
		return n / 8
	}
	return n
}

// inOneGoroutine skips a simulation under the race detector, which can find nothing there.
func inOneGoroutine(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("the code under test is run by one goroutine")
	}
}

// often reports whether k events in n trials are too many for a probability of at
// most p. It is wrong by chance at most once in 10 000 calls.
func often(k, n int, p float64) bool {
	return k > 0 && 1-(distuv.Binomial{N: float64(n), P: p}).CDF(float64(k-1)) < 1e-4
}

func part(k, n int) float64 { return float64(k) / float64(max(n, 1)) }

// pairedOnOne compares two programs on one case.
func pairedOnOne(program, reference []float64, confidence float64) Ratio {
	return Paired([][]float64{program}, [][]float64{reference}, confidence)
}
