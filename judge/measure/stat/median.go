package stat

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Median returns the median of xs and a confidence interval of the true median,
// by order statistics. It assumes only that the numbers are independent and have
// the same distribution. The interval's Confidence is the one reached, a little
// more than requested because ranks are integers. NaN is ignored; the median of no
// numbers is NaN. Median does not modify xs.
//
// The ranks are symmetric. Those of benchmath need not be: of 8 numbers it takes
// the 1st and the 7th. Its interval is shorter and has the same confidence, but
// then A could be faster than B although B is not slower than A.
func Median(xs []float64, confidence float64) (float64, Interval) {
	xs = slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
	sort.Float64s(xs)
	rank, reached := rankOf(len(xs), confidence)
	i := between(xs, rank)
	i.Confidence = reached
	return middle(xs), i
}

// middle returns the median of sorted numbers; NaN if there are none.
func middle(sorted []float64) float64 {
	n := len(sorted)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return sorted[n/2]
	}
	a, b := sorted[n/2-1], sorted[n/2]
	if a == b {
		return a // both may be infinite
	}
	return a + (b-a)/2
}

// between returns the interval from the number of that rank, counted from 1, to
// the number of the same rank counted from the end.
func between(sorted []float64, rank int) Interval {
	if rank < 1 {
		return Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
	}
	return Interval{Lo: sorted[rank-1], Hi: sorted[len(sorted)-rank]}
}

// rankOf returns the rank, from 1 and from either end, of the ends of an interval
// of the median of n numbers, and the confidence reached. The rank is 0 if n is
// too small, and the interval is unbounded.
//
// The count of numbers below the true median is binomial with p = 1/2 for any
// continuous distribution. If some numbers equal the median, the confidence is
// higher.
func rankOf(n int, confidence float64) (rank int, reached float64) {
	alpha := 1 - confidence
	if n < 1 || !(alpha > 0) {
		return 0, 1
	}
	below := distuv.Binomial{N: float64(n), P: 0.5}
	// a rounding error must not cost a rank if the two are equal
	rank = sort.Search(n/2, func(k int) bool { return 2*below.CDF(float64(k)) > alpha*(1+1e-9) })
	if rank == 0 {
		return 0, 1
	}
	return rank, 1 - 2*below.CDF(float64(rank-1))
}
