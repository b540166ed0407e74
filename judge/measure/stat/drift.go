package stat

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// drift reports numbers that depend on the order in which they were measured: they
// rise or fall, or consecutive ones are correlated. Both tests use Spearman's
// rank correlation and Student's t distribution.
func drift(logs []float64, what string) []Doubt {
	n := len(logs)
	if n < 10 {
		return nil // the t approximation needs more numbers
	}
	ranks, order := ranksOf(logs), make([]float64, n)
	for i := range order {
		order[i] = float64(i)
	}
	first, second := slices.Sorted(slices.Values(logs[:n/2])), slices.Sorted(slices.Values(logs[n/2:]))
	change := middle(second) - middle(first)
	r := stat.Correlation(order, ranks, nil)
	if math.Abs(change) > slight && unrelated(math.Abs(r), n) < falseAlarmRate/4 {
		return []Doubt{Doubtf("drift", "%s drift: the median of the second half is %.3g times that of the first", what,
			math.Exp(change))}
	}
	all := slices.Sorted(slices.Values(logs))
	r = stat.Correlation(ranks[:n-1], ranks[1:], nil)
	if all[n-1-n/4]-all[n/4] > slight && unrelated(r, n-1) < falseAlarmRate/2 {
		return []Doubt{Doubtf("drift", "consecutive %s are correlated (rank correlation %.2f): the interval is too narrow",
			what, r)}
	}
	return nil
}

// unrelated returns the probability that n independent pairs have a rank correlation
// of r or more.
func unrelated(r float64, n int) float64 {
	free := float64(n - 2)
	return distuv.StudentsT{Sigma: 1, Nu: free}.Survival(r * math.Sqrt(free/(1-r*r)))
}

// ranksOf returns the ranks of numbers. Equal numbers share their mean rank.
func ranksOf(xs []float64) []float64 {
	sorted := slices.Sorted(slices.Values(xs))
	ranks := make([]float64, len(xs))
	for i, x := range xs {
		first := sort.SearchFloat64s(sorted, x)
		after := sort.Search(len(sorted), func(k int) bool { return sorted[k] > x })
		ranks[i] = float64(first+after-1) / 2
	}
	return ranks
}
