package stat

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Paired compares programs on several cases by times that were measured in pairs:
// program[c][i] and reference[c][i] were measured together on case c, in round i.
// The ratio of a round is the geometric mean of the cases' ratios. The ratio is the
// median of the rounds. If the noise of both programs has the same shape, it is
// also the ratio of their medians.
//
// The interval is that of [Median]: exact for any distribution if the rounds are
// independent and have the same one. A disturbance that affects both times of a
// pair cancels. Compared with Student's t on the same 20 pairs as unpaired runs,
// the interval is 1.3 times as wide for normal noise; as wide for a minimum time
// plus an exponential delay, where the logarithms of ratios have a Laplace
// distribution, for which the median is the best estimator; 0.6 times as wide if
// both programs drift by a fifth; and less than a tenth as wide if another
// program disturbs one run in twenty. The interval of Hodges and Lehmann (1963)
// needs at least as many pairs, and estimates another quantity if the shapes
// differ.
//
// The interval is too narrow for pairs that are correlated in time, each program
// independently: with a correlation of 0.6 between consecutive pairs, one interval
// of 95 % in five misses the true ratio, and half of these have the doubt "drift".
//
// Paired ignores a round with a value that is not a time (NaN, infinite, below 0,
// or missing because one list is shorter). A time of 0 is too short for the clock:
// a pair of two has an unknown ratio, and widens the interval on both sides. The
// ratio is NaN if no round has one.
func Paired(program, reference [][]float64, confidence float64) Ratio {
	cases := min(len(program), len(reference))
	rounds := math.MaxInt
	for c := range cases {
		rounds = min(rounds, len(program[c]), len(reference[c]))
	}
	if cases == 0 {
		rounds = 0
	}
	logs := make([]float64, 0, rounds)
	unknown := 0
	for i := range rounds {
		sum, measured := 0.0, true
		for c := range cases {
			p, r := program[c][i], reference[c][i]
			measured = measured && isTime(p) && isTime(r)
			sum += math.Log(p / r) // NaN of 0/0, and of a ratio of 0 and another by 0
		}
		switch {
		case !measured:
		case math.IsNaN(sum):
			unknown++
		default:
			logs = append(logs, sum/float64(cases))
		}
	}
	step := 0.0
	for c := range cases {
		step += (stepOf(program[c]) + stepOf(reference[c])) / float64(cases)
	}
	r := ratioOf(logs, unknown, confidence)
	if r.Least < step {
		r.Least = step
	}
	r.Doubts = append(r.Doubts, few(r.N, "pairs", confidence, Needed(confidence))...)
	if unknown > 0 {
		r.Doubts = append(r.Doubts,
			Doubtf("coarse", "%d of %d pairs have no ratio because both times are 0: the measurement is too coarse", unknown,
				r.N))
		return r
	}
	r.Doubts = append(r.Doubts, doubtsOf(logs, step, "ratios")...)
	return r
}

func isTime(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// ratioOf returns the ratio, without doubts, from the logarithms of independent
// ratios and the number of unknown ones.
func ratioOf(logs []float64, unknown int, confidence float64) Ratio {
	sorted := slices.Clone(logs)
	sort.Float64s(sorted)
	n := len(sorted) + unknown
	rank, reached := rankOf(n, confidence)
	i := between(sorted, rank-unknown)
	if rank <= unknown {
		reached = 1
	}
	least := math.Inf(1)
	if i.Bounded() {
		must, shape := foreseen(n, rank)
		far := between(sorted, n+1-int(math.Ceil(must*float64(n)))-unknown)
		least = max(shape*(i.Hi-i.Lo), far.Hi-far.Lo) / 2
	}
	return claim(n, middle(sorted), Interval{i.Lo, i.Hi, reached}, least)
}

// claim returns a ratio from the logarithms of its estimate, its interval and the
// least difference.
func claim(n int, center float64, i Interval, least float64) Ratio {
	r := Ratio{
		N: n, Ratio: math.Exp(center), Interval: Interval{math.Exp(i.Lo), math.Exp(i.Hi), i.Confidence},
		Claim: CannotTell, Least: math.Expm1(least),
	}
	switch {
	case i.Hi < 0:
		r.Claim = Faster
	case i.Lo > 0:
		r.Claim = Slower
	}
	if !(r.Least > 0) {
		// all numbers are equal: their spread is unknown
		r.Least = math.Inf(1)
	}
	return r
}

// power is the probability with which the least difference is detected.
const power = 0.8

// foreseen returns two measures of the least difference between programs that an
// interval ending at the rank detects with the probability power.
//
// The interval excludes 0 if enough of n numbers are on one side of it. So each
// number must be on that side with the probability must, which is known exactly,
// and the difference is the quantile must of the noise. The first measure is that
// quantile of the numbers. The second assumes Laplace noise: the difference is
// shape times half the interval's width. The first is too small if the numbers
// are few, the second if they have two modes. The larger one is detected with a
// probability of 0.7 to 0.95 in simulations of running times.
func foreseen(n, rank int) (must, shape float64) {
	noise := distuv.Laplace{Scale: 1}
	must = distuv.Beta{Alpha: float64(n + 1 - rank), Beta: float64(rank)}.Quantile(power)
	return must, noise.Quantile(must) / noise.Quantile(1-float64(rank)/float64(n+1))
}
