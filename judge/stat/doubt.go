package stat

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// doubtful is the probability with which a detector of doubts may doubt a sample
// that is as it should be: small, since a report holds hundreds of samples. That
// of modes allows it ten times as much for the worst distribution with one peak,
// and needs less than a tenth for those one meets.
const doubtful = 0.001

// visible is the step, as a share, from which on numbers are coarse.
const visible = 0.01

// slight is a difference, as a share, that is no reason for doubt however sure
// it is: instructions can be counted to a millionth.
const slight = 0.005

// few doubts an interval that is everything.
func few(n int, what string, confidence float64, needed int) []Doubt {
	switch {
	case needed == 0:
		return []Doubt{{"few", fmt.Sprintf("%d %s: no number is enough to be certain", n, what)}}
	case n < needed:
		if n == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		return []Doubt{{"few", fmt.Sprintf("%d %s: an interval of %s %% needs %d", n, what, percent(confidence), needed)}}
	}
	return nil
}

// percent is a confidence with two digits of what it leaves to doubt.
func percent(confidence float64) string {
	digits := max(0, 1-math.Floor(math.Log10(100*(1-confidence))))
	unit := math.Pow(10, digits)
	return strconv.FormatFloat(math.Round(100*confidence*unit)/unit, 'f', -1, 64)
}

// doubtsOf doubts numbers in the order they were measured: logarithms, of which
// the distance is what matters. Each is known to half a step.
func doubtsOf(logs []float64, step float64, what string) []Doubt {
	if len(logs) == 0 {
		return nil
	}
	d := drift(logs, what)
	sorted := slices.Sorted(slices.Values(logs))
	switch {
	case math.IsInf(sorted[0], 0) || math.IsInf(sorted[len(sorted)-1], 0) || step > visible:
		// steps look like groups of numbers, and what is far from them unlike
		return append(d, coarse(logs, step, what)...)
	case sorted[0] == sorted[len(sorted)-1]:
		return d
	}
	if m := modes(sorted, step, what); m != nil {
		return append(d, m...)
	}
	return append(d, outliers(sorted, step, what)...)
}

// coarse doubts numbers that come in steps one can see.
func coarse(logs []float64, step float64, what string) []Doubt {
	none := 0
	for _, x := range logs {
		if math.IsInf(x, 0) {
			none++
		}
	}
	if none > 0 {
		return []Doubt{{"coarse", fmt.Sprintf("%d of %d %s are 0 or infinite: what measures them is too coarse", none, len(logs), what)}}
	}
	return []Doubt{{"coarse", fmt.Sprintf("%s come in steps of %.2g %%: what measures them is too coarse", what, 100*step)}}
}

// stepOf is how far apart times are that can just be told apart, as a share of
// their median: the smallest difference there is, if some are equal. Those of a
// fine clock never are, and their step is 0; so is that of a constant.
func stepOf(times []float64) float64 {
	xs := slices.DeleteFunc(slices.Clone(times), func(x float64) bool { return !isTime(x) })
	slices.Sort(xs)
	step, equal := math.Inf(1), false
	for i := 1; i < len(xs); i++ {
		if d := xs[i] - xs[i-1]; d > 0 {
			step = min(step, d)
		} else {
			equal = true
		}
	}
	switch m := middle(xs); {
	case !equal || math.IsInf(step, 1) && m > 0:
		return 0
	case m > 0:
		return step / m
	}
	return math.Inf(1)
}
