package stat

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Paired compares times of which those of one index were measured together. The
// ratio is the median of the pairs' ratios: half of all pairs have a higher
// one. Where the noise of both programs has one shape, that is the ratio of
// their medians, too.
//
// The interval is that of [Median]: exact if the pairs are independent and
// alike, whatever their distribution, and what happens to both of a pair
// cancels. Against Student's t on the runs as if they were not paired, with 20
// pairs, it is 1.3 times as wide where noise is normal and as wide where it is a
// floor and an exponential delay: the logarithms of ratios are then Laplace's,
// and their median is the best there is of them. It is 0.6 times as wide where
// both programs drift by a fifth, and less than a tenth where something else
// disturbs one run in twenty. The interval of Hodges and Lehmann (1963) needs as
// many pairs at least, and is of another number where two shapes differ.
//
// Pairs that depend on each other in time, each program in its own way, are
// beyond it: with a correlation of 0.6 between neighbours, one interval of 95 %
// in five misses, and half of these have the doubt "drift".
//
// Pairs of which one is no measurement (NaN, infinite, below 0, or missing
// because one list is shorter) are left out. A time of 0 is one that the clock
// cannot tell from 0: two of them say nothing of their ratio, and widen the
// interval as if it were the least possible and the largest at once. There is
// no ratio (NaN) if no pair has one.
func Paired(program, reference []float64, confidence float64) Ratio {
	return Together([][]float64{program}, [][]float64{reference}, confidence)
}

// Together compares programs on several cases, by the geometric mean of the
// cases' ratios: program[c][i] and reference[c][i] were measured together, in
// round i. Its ratio is the median of the rounds' geometric means. All else is
// as [Paired] says; a round of which one case is no measurement is left out.
func Together(program, reference [][]float64, confidence float64) Ratio {
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
		text := fmt.Sprintf("%d of %d pairs have no ratio, as both are 0: what measures them is too coarse", unknown, r.N)
		r.Doubts = append(r.Doubts, Doubt{"coarse", text})
		return r
	}
	r.Doubts = append(r.Doubts, doubtsOf(logs, step, "ratios")...)
	return r
}

func isTime(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// ratioOf makes a ratio, without doubts, from the logarithms of independent
// ones and the number of those that may be anything.
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

// claim makes a ratio from logarithms: that of the ratio, its interval, and the
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
		// all numbers are the same: how far apart others would be is unknown
		r.Least = math.Inf(1)
	}
	return r
}

// power is the probability with which the least difference would be seen.
const power = 0.8

// foreseen says how far apart programs must be for the interval that ends at a
// rank to exclude that they are not, with the probability power.
//
// It does if enough of n numbers are on one side of 0, so each must be there
// with a probability, must, that is known exactly: that of noise below the
// difference, which is thereby a quantile of the noise. That can be read off the
// numbers, and where noise is Laplace's it is shape times the interval's half
// width. The first is too short where numbers are few, the second where they are
// of two kinds. The larger of both is seen with a probability of 0.7 to 0.95 in
// simulations of all that timings do.
func foreseen(n, rank int) (must, shape float64) {
	noise := distuv.Laplace{Scale: 1}
	must = distuv.Beta{Alpha: float64(n + 1 - rank), Beta: float64(rank)}.Quantile(power)
	return must, noise.Quantile(must) / noise.Quantile(1-float64(rank)/float64(n+1))
}
