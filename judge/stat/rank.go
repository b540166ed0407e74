package stat

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Median returns the median of xs and an interval of the true one, by order
// statistics: no assumption is made but that the numbers are independent and of
// one distribution. The interval's Confidence is what it reaches, which is a
// little more than what is asked for, since there is no half of a rank. Numbers
// that are NaN are left out; the median of none is NaN. xs is left as it is.
//
// The ranks are as far from one end as from the other. Those of benchmath need
// not be: with 8 numbers it takes the 1st and the 7th. That is shorter and as true, but
// a program could then be faster than another that is not slower.
func Median(xs []float64, confidence float64) (float64, Interval) {
	xs = slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
	sort.Float64s(xs)
	rank, reached := rankOf(len(xs), confidence)
	i := between(xs, rank)
	i.Confidence = reached
	return middle(xs), i
}

// middle is the median of sorted numbers.
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

// between is the interval from the number of that rank, counted from 1, to the
// one that is as far from the end.
func between(sorted []float64, rank int) Interval {
	if rank < 1 {
		return Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
	}
	return Interval{Lo: sorted[rank-1], Hi: sorted[len(sorted)-rank]}
}

// rankOf returns the rank, from 1 and from either end, at which an interval of
// the median of n numbers ends, and the confidence that it reaches. The rank is
// 0 if n is too small, and the interval is everything.
//
// How many of n numbers are below the true median is binomial with p = 1/2,
// whatever their distribution; where some are equal to it, the interval holds it
// the more often.
func rankOf(n int, confidence float64) (rank int, reached float64) {
	alpha := 1 - confidence
	if n < 1 || !(alpha > 0) {
		return 0, 1
	}
	below := distuv.Binomial{N: float64(n), P: 0.5}
	// rounding must not cost a rank where the two are equal
	rank = sort.Search(n/2, func(k int) bool { return 2*below.CDF(float64(k)) > alpha*(1+1e-9) })
	if rank == 0 {
		return 0, 1
	}
	return rank, 1 - 2*below.CDF(float64(rank-1))
}
