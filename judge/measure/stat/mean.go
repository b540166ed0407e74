package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how often Mean draws samples: the error of an end of the interval is then
// about 1 % of its width.
const resamples = 10_000

// Mean returns the mean of xs and a confidence interval of the mean of the population, by
// the percentile bootstrap (Efron 1979). It assumes that the numbers are independent and
// have the same distribution. The interval is too short for few numbers, and unbounded
// for fewer than two. The seed decides the samples. The mean of no numbers is NaN.
func Mean(xs []float64, confidence float64, seed uint64) (float64, Interval) {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	n := len(xs)
	if n < 2 {
		return sum / float64(n), Interval{math.Inf(-1), math.Inf(1), 1}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, resamples)
	for i := range means {
		for range xs {
			means[i] += xs[random.IntN(n)]
		}
		means[i] /= float64(n)
	}
	slices.Sort(means)
	tail := int((1 - confidence) / 2 * resamples)
	return sum / float64(n), Interval{means[tail], means[resamples-1-tail], confidence}
}

// PassAt estimates the probability that at least one of k samples is right, if c of n are:
// the unbiased estimator of Chen et al. 2021, "Evaluating Large Language Models Trained on
// Code". It is NaN if n is less than k.
func PassAt(n, c, k int) float64 {
	if n < k {
		return math.NaN()
	}
	none := 1.0 // the probability that k of the n samples are all wrong
	for i := n - c + 1; i <= n; i++ {
		none *= max(0, 1-float64(k)/float64(i))
	}
	return 1 - none
}
