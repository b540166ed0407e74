package stat

import (
	"math"
	"slices"

	gonum "gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Chance is an estimate of a probability, such as that of one more run of a
// program exceeding a limit.
//
// The interval is that of Clopper and Pearson. It uses only the number of runs on
// each side of the limit, and assumes only that the runs are independent and have
// the same distribution. With ten runs on one side it still extends to 31 %,
// however far from the limit they are. P may use the distances from the limit;
// [ChanceAbove] documents its accuracy.
type Chance struct {
	P        float64 `json:"p"` // the estimate, in the interval
	Interval         // of the true probability
	N        int     `json:"n"`  // the number of runs
	By       Basis   `json:"by"` // the method that gave P
}

// A Basis is the method of an estimate.
type Basis string

const (
	ByRuns   Basis = "runs"   // the share of the runs
	BySpread Basis = "spread" // predicted from the spread of these runs, all of them on one side of the limit
	ByOthers Basis = "others" // predicted from the pooled spread of all programs
)

// A Spread is the variation of repeated measurements. The zero value is an unknown
// spread.
type Spread struct {
	Deviation float64 // the standard deviation of the logarithms
	Freedom   int     // its degrees of freedom
}

// SpreadOf pools the spreads of several samples. It ignores samples with a value
// that is not positive.
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

// logarithms returns the logarithms of xs; nil if a number is not positive.
func logarithms(xs []float64) []float64 {
	if len(xs) == 0 || slices.Min(xs) <= 0 {
		return nil
	}
	return logsOf(xs)
}

// ChanceAbove estimates the probability that one more number from the
// distribution of xs, which are positive, is above the limit. If stopped is true,
// some of the xs are lower bounds, and all of these are above the limit.
//
// If there are numbers on both sides of the limit, P is the share of those above.
// Otherwise P is Student's prediction for one more number, if logarithms are
// normal. The spread is that of xs, or others if that has more degrees of freedom and
// there are fewer than 5 numbers. If stopped is true, the spread is always others, and
// lower bounds count as numbers. If the spread is unknown, P is 0 or 1.
//
// The accuracy with ten numbers (TestPredictionIsWorth): if the prediction is
// 1 %, the next number is above the limit in 1 % of the cases for lognormal
// numbers, 2 % for heavy-tailed ones (Student's t with 3 degrees of freedom) and
// 4 % for skewed ones (gamma with shape 2). If the prediction is 10 %, the
// frequency is 0.9 to 1.3 times that. P cannot account for a mode that has not
// occurred yet, nor for an event that occurs once in a hundred runs; the interval
// does.
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

// share estimates the probability of an event that occurred k times in n, with the
// exact interval.
func share(k, n int, confidence float64) Chance {
	c := Chance{P: float64(k) / float64(max(n, 1)), N: n, By: ByRuns}
	c.Interval = exact(float64(k), float64(n), confidence)
	return c
}

// exact returns the interval of Clopper and Pearson. Numbers that are no integers
// come from weights.
func exact(k, n, confidence float64) Interval {
	i := Interval{0, 1, confidence}
	tail := (1 - confidence) / 2
	if k > 0 {
		i.Lo = distuv.Beta{Alpha: k, Beta: n - k + 1}.Quantile(tail)
	}
	if k < n {
		i.Hi = distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(1 - tail)
	}
	return i
}

// ShareOf estimates the share of a population for which something is true, from a
// sample in which item i stands for weights[i] > 0 of the population. nil weights are
// equal.
//
// The interval is that of Korn and Graubard (1998): Clopper and Pearson's for the
// number of equally weighted items with the same variance. It contains the true share
// with the confidence or more, near 0 and 1 too, where Wilson's does not always.
func ShareOf(is []bool, weights []float64, confidence float64) Chance {
	sum, squares, hits := 0.0, 0.0, 0.0
	for i, yes := range is {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		sum, squares = sum+w, squares+w*w
		if yes {
			hits += w
		}
	}
	c := Chance{N: len(is), By: ByRuns, Interval: Interval{0, 1, confidence}}
	if sum > 0 {
		n := sum * sum / squares
		c.P = hits / sum
		c.Interval = exact(min(c.P*n, n), n, confidence)
	}
	return c
}

// fewestPredicted is the smallest number of values whose own spread is preferred
// to the pooled one.
const fewestPredicted = 5

// predicted returns the probability that one more number is above the limit if
// logarithms are normal, by Student's predictive distribution. It is NaN if the
// spread has fewer than 2 degrees of freedom, or is 0 because the clock is too
// coarse.
func predicted(xs []float64, limit float64, spread Spread) float64 {
	logs := logarithms(xs)
	if logs == nil || spread.Freedom < 2 || spread.Deviation == 0 {
		return math.NaN()
	}
	t := distuv.StudentsT{Mu: gonum.Mean(logs, nil), Sigma: spread.Deviation * math.Sqrt(1+1/float64(len(logs))),
		Nu: float64(spread.Freedom)}
	return t.Survival(math.Log(limit))
}

// Not returns the chance of the opposite event.
func (c Chance) Not() Chance {
	c.P, c.Lo, c.Hi = 1-c.P, 1-c.Hi, 1-c.Lo
	return c
}
