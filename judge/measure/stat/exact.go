package stat

import (
	"math"
	"slices"
)

// Exact reports whether the interval is one number that is known without doubt, such
// as a count that repeats exactly.
func (i Interval) Exact() bool { return i.Lo == i.Hi && i.Confidence == 1 }

// Repeats reports whether there are at least two numbers, and all are equal. Counts of a
// deterministic program repeat. Numbers of a clock may do so by chance.
func Repeats(xs []float64) bool {
	return len(xs) > 1 && !slices.ContainsFunc(xs, func(x float64) bool { return x != xs[0] })
}

// ExactSummary describes numbers that repeat, each of which is exact.
func ExactSummary(xs []float64) Summary {
	return Summary{N: len(xs), Median: xs[0], Interval: Interval{xs[0], xs[0], 1}, Min: xs[0], Max: xs[0]}
}

// Exact compares programs on several cases by counts that repeat exactly: program[c]
// and reference[c] are the counts on case c. The ratio is the geometric mean of the
// cases' ratios. It has no error, so any difference is a claim, and the smallest
// detectable difference is one.
func Exact(program, reference [][]float64) Ratio {
	r := Ratio{N: math.MaxInt, Claim: Equal}
	sum := 0.0
	for c := range program {
		r.N = min(r.N, len(program[c]), len(reference[c]))
		sum += math.Log(program[c][0] / reference[c][0])
		r.Least = max(r.Least, 1/reference[c][0]/float64(len(program)))
	}
	if sum /= float64(len(program)); math.Abs(sum) < 1e-13 {
		sum = 0 // a rounding error
	}
	r.Ratio = math.Exp(sum)
	r.Interval = Interval{r.Ratio, r.Ratio, 1}
	switch {
	case sum < 0:
		r.Claim = Faster
	case sum > 0:
		r.Claim = Slower
	}
	return r
}

// MedianOf returns the median; NaN of no numbers.
func MedianOf(xs []float64) float64 { return middle(slices.Sorted(slices.Values(xs))) }
