package stat

import (
	"math"
	"slices"

	gonum "gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Chance is a probability as far as it is known: that of one more run of a
// program, say, taking longer than a limit.
//
// The interval assumes nothing but that runs are independent and alike: it is
// that of Clopper and Pearson, from how many runs were on which side. With ten
// runs on one side it still reaches to 31 %, however far from the limit they
// were. P may use how far they were; see [ChanceAbove] for what that is worth.
type Chance struct {
	P        float64 // the best guess; within the interval
	Interval         // of it
	N        int     // runs it is known from
	By       Basis   // what P is from
}

// A Basis is what a best guess is from.
type Basis string

const (
	ByRuns   Basis = "runs"   // the share of the runs
	BySpread Basis = "spread" // all runs were on one side: how far from the limit they were, against how they vary
	ByOthers Basis = "others" // the same, against how runs of all programs vary together
)

// A Spread is how much numbers vary that were measured alike: the standard
// deviation of their logarithms, known with so many degrees of freedom. Its zero
// value is not known.
type Spread struct {
	Deviation float64
	Freedom   int
}

// SpreadOf pools the spreads of several samples of positive numbers.
func SpreadOf(samples [][]float64) Spread {
	squares, freedom := 0.0, 0
	for _, xs := range samples {
		if logs := logarithms(xs); len(logs) > 1 {
			squares += gonum.Variance(logs, nil) * float64(len(logs)-1)
			freedom += len(logs) - 1
		}
	}
	if freedom == 0 {
		return Spread{}
	}
	return Spread{math.Sqrt(squares / float64(freedom)), freedom}
}

// logarithms returns those of positive numbers; nil if some are not.
func logarithms(xs []float64) []float64 {
	if len(xs) == 0 || slices.Min(xs) <= 0 {
		return nil
	}
	logs := make([]float64, len(xs))
	for i, x := range xs {
		logs[i] = math.Log(x)
	}
	return logs
}

// ChanceAbove is the chance that one more number of the kind of xs, which are
// positive, is above the limit. Where stopped, some of the xs are only known to
// be at least so much, all of those above the limit.
//
// Where there are numbers on both sides, P is their share. Where all are on one
// side, P is Student's prediction for one more normal number on a logarithmic
// scale. Fewer than 5 numbers tell too little of how they vary, and stopped ones
// nothing: these are taken to vary as the others do, if that is known; a stopped
// one is taken for what it is at least, which makes P too large rather than too
// small.
//
// What that is worth (TestPredictionIsWorth, ten numbers): of limits for which
// it predicts 1 %, the next number is above in 1 % of lognormal numbers, 2 % of
// heavy-tailed ones (Student's t with 3 degrees of freedom), 4 % of skewed ones
// (a gamma of shape 2); predictions of 10 % come 0.9 to 1.3 times as often. It
// knows nothing of a second mode that was not seen yet, or of what happens once
// in a hundred runs; the interval does.
func ChanceAbove(xs []float64, limit float64, stopped bool, others Spread, confidence float64) Chance {
	above := 0
	for _, x := range xs {
		if x > limit {
			above++
		}
	}
	c := share(above, len(xs), confidence)
	if above > 0 && above < len(xs) {
		return c
	}
	own := SpreadOf([][]float64{xs})
	p, by := predicted(xs, limit, own), BySpread
	if stopped || len(xs) < fewestPredicted && others.Freedom > own.Freedom {
		p, by = predicted(xs, limit, others), ByOthers
	}
	if !math.IsNaN(p) {
		c.P, c.By = min(max(p, c.Lo), c.Hi), by
	}
	return c
}

// share is the chance of what happened k times in n, with the exact interval.
func share(k, n int, confidence float64) Chance {
	c := Chance{P: float64(k) / float64(max(n, 1)), Interval: Interval{0, 1, confidence}, N: n, By: ByRuns}
	tail := (1 - confidence) / 2
	if k > 0 {
		c.Lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		c.Hi = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return c
}

// fewestPredicted is the fewest numbers to predict from by their own spread, if
// there is another.
const fewestPredicted = 5

// predicted is the chance that one more number is above the limit if logarithms
// are normal, by Student's predictive distribution; NaN if it has none: fewer
// than 2 degrees of freedom tell next to nothing, and no spread at all is a clock
// too coarse to tell.
func predicted(xs []float64, limit float64, spread Spread) float64 {
	logs := logarithms(xs)
	if logs == nil || spread.Freedom < 2 || spread.Deviation == 0 {
		return math.NaN()
	}
	t := distuv.StudentsT{Mu: gonum.Mean(logs, nil), Sigma: spread.Deviation * math.Sqrt(1+1/float64(len(logs))), Nu: float64(spread.Freedom)}
	return t.Survival(math.Log(limit))
}

// Not is the chance that it does not happen.
func (c Chance) Not() Chance {
	c.P, c.Lo, c.Hi = 1-c.P, 1-c.Hi, 1-c.Lo
	return c
}
