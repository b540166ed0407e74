package stat

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// Unpaired compares times that were measured separately. The ratio is that of
// the medians. N is the smaller number of runs.
//
// The interval assumes no distribution and no common shape. The number of runs
// below the true median is binomial with p = 1/2, so a set of pairs of such
// numbers, one of the program and one of the reference, can contain the true
// pair with the requested probability. The interval contains all ratios that a pair
// of the set allows. The set is nearly a circle, like Scheffé's for contrasts:
// with many runs the interval is 1.2 times as wide as one for known noise. Two
// intervals with half of the error each would make it 1.14 to 1.61 times as wide.
//
// Two narrower intervals are wrong. That of Mann and Whitney is one of medians
// only if both distributions have the same shape. Adding the halves of two
// intervals like standard deviations (Zou and Donner 2008) gives three quarters of
// the width with 20 runs, and misses the true ratio one time in four if the
// program is slow in 52 % of its runs and the reference in 48 %.
//
// The ratio includes every difference between the two measurements, such as
// another load on the machine. More runs do not remove it.
func Unpaired(program, reference []float64, confidence float64) Ratio {
	p, r := logsOf(program), logsOf(reference)
	a, b := slices.Sorted(slices.Values(p)), slices.Sorted(slices.Values(r))
	g := regionOf(len(a), len(b), confidence)
	i := g.interval(a, b)
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

// MedianRatio is the ratio and the interval of [Unpaired], without the rest.
func MedianRatio(program, reference []float64, confidence float64) (ratio float64, i Interval) {
	a, b := logsOf(program), logsOf(reference)
	slices.Sort(a)
	slices.Sort(b)
	i = regionOf(len(a), len(b), confidence).interval(a, b)
	return math.Exp(middle(a) - middle(b)), Interval{math.Exp(i.Lo), math.Exp(i.Hi), i.Confidence}
}

// logsOf returns the logarithms of times. It ignores values that are not times.
func logsOf(times []float64) []float64 {
	logs := make([]float64, 0, len(times))
	for _, t := range times {
		if isTime(t) {
			logs = append(logs, math.Log(t))
		}
	}
	return logs
}

// A region is a set of pairs: the possible counts of n numbers and of m others
// that are below their medians. If one count is high and the other low, the
// pair is within a circle of that radius. Otherwise each count may be as far from
// its mean as the radius, since such a pair does not change the interval.
type region struct {
	n, m    int
	radius  float64 // in standard deviations
	reached float64 // the probability of the region
}

// regionKey are the arguments of regionOf.
type regionKey struct {
	n, m       int
	confidence float64
}

// regions has the regions of small samples, which servers ask for again and again.
var regions sync.Map // region by regionKey

// regionOf returns the smallest region with at least the probability confidence.
func regionOf(n, m int, confidence float64) region {
	key := regionKey{n, m, confidence}
	if g, ok := regions.Load(key); ok {
		return g.(region)
	}
	g := newRegion(n, m, confidence)
	if n < 100 && m < 1000 {
		regions.Store(key, g)
	}
	return g
}

func newRegion(n, m int, confidence float64) region {
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
	g.radius, _ = bisect(math.Sqrt(float64(n))+math.Sqrt(float64(m)), 0, 1e-9, func(radius float64) bool {
		g.radius = radius
		return g.probability(mass, upTo) >= confidence
	})
	g.reached = g.probability(mass, upTo)
	return g
}

// interval returns the interval of the difference of the medians. Both are sorted.
func (g region) interval(xs, ys []float64) Interval {
	if !g.bounds() {
		return Interval{math.Inf(-1), math.Inf(1), 1}
	}
	return Interval{-g.turned().upper(ys, xs), g.upper(xs, ys), g.reached}
}

// bounds reports whether the region bounds the ratio: no pair of it has all
// numbers, or none, below their median.
func (g region) bounds() bool { return g.radius*g.radius < float64(min(g.n, g.m)) }

// probability returns the probability of the region: mass[k] is that of k of the
// n numbers being below their median, upTo[k] that of fewer than k of the m others.
func (g region) probability(mass, upTo []float64) float64 {
	sum := 0.0
	for k, p := range mass {
		if from, to := g.with(k); from <= to {
			sum += p * (upTo[to+1] - upTo[from])
		}
	}
	return min(sum, 1)
}

// with returns how many of the others may be below their median if k of the
// numbers are. The range is empty if from is above to.
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

// upper returns the largest possible difference of the median of xs to that of ys.
// Both are sorted and have the region's lengths. The region must be one that
// bounds the ratio.
func (g region) upper(xs, ys []float64) float64 {
	most := math.Inf(-1)
	for k := range g.n + 1 {
		from, to := g.with(k)
		if from > to {
			continue
		}
		d := xs[k] - ys[from-1]
		if math.IsNaN(d) {
			return math.Inf(1) // both times are 0
		}
		most = max(most, d)
	}
	return most
}

// foreseen returns the difference, in half widths of the interval, that is
// detected with the probability power. The half width is the radius, in standard
// deviations of the difference. In simulations the probability is 0.65 to 0.95,
// lowest for long tails.
func (g region) foreseen() float64 {
	return 1 + distuv.UnitNormal.Quantile(power)/g.radius
}

// neededApart is like Needed, for each of two samples of the same size.
func neededApart(confidence float64) int {
	for n := Needed(confidence); n > 0 && n < 1000; n++ {
		if regionOf(n, n, confidence).bounds() {
			return n
		}
	}
	return 0
}
