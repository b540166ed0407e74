package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Unpaired compares times that were measured apart: the ratio is that of the
// medians. N is the smaller number of runs.
//
// The interval assumes no distribution and no common shape. How many runs are
// below a true median is binomial with p = 1/2, so a set of pairs of such
// numbers, one of the program and one of the reference, can be chosen that has
// the true pair in it with the probability wanted; the interval is of all ratios
// that one of the set allows. The set is nearly a circle, as Scheffé's is for
// contrasts: with many runs the interval is 1.2 times as wide as one that knew
// the noise, be it alike or not, where two intervals with half of the error each
// make it 1.14 to 1.61 times.
//
// Two ways to a narrower one are wrong. Mann and Whitney's is of medians only
// where both distributions have one shape. To add the halves of two intervals as
// standard deviations are added (Zou and Donner 2008) makes it three quarters as
// wide with 20 runs, and misses one time in four where a program is slow in 52 %
// of its runs and the reference in 48 %.
//
// It speaks of the runs as they were measured: what two sittings differ in
// besides the program is in the ratio, and no number of runs takes it out.
func Unpaired(program, reference []float64, confidence float64) Ratio {
	p, r := logsOf(program), logsOf(reference)
	a, b := slices.Sorted(slices.Values(p)), slices.Sorted(slices.Values(r))
	i := Interval{math.Inf(-1), math.Inf(1), 1}
	g := regionOf(len(a), len(b), confidence)
	if g.bounds() {
		i = Interval{-g.turned().upper(b, a), g.upper(a, b), g.reached}
	}
	ofProgram, ofReference := stepOf(program), stepOf(reference)
	c := claim(min(len(a), len(b)), middle(a)-middle(b), i, g.foreseen()*(i.Hi-i.Lo)/2)
	c.Least = max(c.Least, ofProgram+ofReference)
	if !g.bounds() {
		c.Doubts = few(c.N, "runs", confidence, neededApart(confidence))
	}
	c.Doubts = append(c.Doubts, doubtsOf(p, ofProgram, "times")...)
	c.Doubts = append(c.Doubts, doubtsOf(r, ofReference, "times of the reference")...)
	return c
}

// logsOf returns the logarithms of times; what is no time is left out.
func logsOf(times []float64) []float64 {
	logs := make([]float64, 0, len(times))
	for _, t := range times {
		if isTime(t) {
			logs = append(logs, math.Log(t))
		}
	}
	return logs
}

// A region is a set of pairs: how many of n numbers and how many of m others
// may be below their medians. Where one has many and the other few, the pairs
// are within a circle of that radius, in standard deviations. Elsewhere, where a
// pair bounds no ratio that others do not, either may be as far as the radius.
type region struct {
	n, m    int
	radius  float64
	reached float64 // the probability of the region
}

// regionOf returns the smallest region of at least that probability.
func regionOf(n, m int, confidence float64) region {
	if n == 0 || m == 0 {
		return region{n, m, math.Inf(1), 1}
	}
	below, other := distuv.Binomial{N: float64(n), P: 0.5}, distuv.Binomial{N: float64(m), P: 0.5}
	mass, upTo := make([]float64, n+1), make([]float64, m+2)
	for k := range mass {
		mass[k] = below.Prob(float64(k))
	}
	for k := range m + 1 {
		upTo[k+1] = other.CDF(float64(k))
	}
	g := region{n: n, m: m}
	low, high := 0.0, math.Sqrt(float64(n))+math.Sqrt(float64(m))
	for high-low > 1e-9 {
		g.radius = (low + high) / 2
		if g.probability(mass, upTo) >= confidence {
			high = g.radius
		} else {
			low = g.radius
		}
	}
	g.radius = high
	g.reached = g.probability(mass, upTo)
	return g
}

// bounds reports whether no pair of the region has all numbers, or none, below
// their median: otherwise nothing is known of the ratio.
func (g region) bounds() bool { return g.radius*g.radius < float64(min(g.n, g.m)) }

// probability is that of the region, from the probabilities of each number that
// may be below its median, and of fewer than each of the others.
func (g region) probability(mass, upTo []float64) float64 {
	sum := 0.0
	for k, p := range mass {
		if from, to := g.with(k); from <= to {
			sum += p * (upTo[to+1] - upTo[from])
		}
	}
	return min(sum, 1)
}

// with returns how many of the others may be below their median when k of the
// numbers are. There are none if from is above to.
func (g region) with(k int) (from, to int) {
	z := (2*float64(k) - float64(g.n)) / math.Sqrt(float64(g.n))
	if math.Abs(z) > g.radius {
		return 1, 0
	}
	down, up := g.radius, g.radius
	if rest := math.Sqrt(g.radius*g.radius - z*z); z > 0 {
		down = rest
	} else {
		up = rest
	}
	mean, deviation := float64(g.m)/2, math.Sqrt(float64(g.m))/2
	return max(0, int(math.Ceil(mean-down*deviation))), min(g.m, int(math.Floor(mean+up*deviation)))
}

func (g region) turned() region { return region{g.m, g.n, g.radius, g.reached} }

// upper is the most by which the median of xs can be above that of ys, both
// sorted, of as many numbers as the region is for, which must be one that bounds.
func (g region) upper(xs, ys []float64) float64 {
	most := math.Inf(-1)
	for k := range g.n + 1 {
		from, to := g.with(k)
		if from > to {
			continue
		}
		d := xs[k] - ys[from-1]
		if math.IsNaN(d) {
			return math.Inf(1) // both are 0 by the clock
		}
		most = max(most, d)
	}
	return most
}

// foreseen is the difference, in half widths of the interval, that is seen with
// the probability power: the interval is as wide as the radius in standard
// deviations of the difference. In simulations it is with 0.65 to 0.95, least
// where tails are long.
func (g region) foreseen() float64 {
	return 1 + distuv.UnitNormal.Quantile(power)/g.radius
}

// neededApart is as Needed, of each of two samples of one size.
func neededApart(confidence float64) int {
	for n := Needed(confidence); n > 0 && n < 1000; n++ {
		if regionOf(n, n, confidence).bounds() {
			return n
		}
	}
	return 0
}
