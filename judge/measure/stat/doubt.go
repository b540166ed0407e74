package stat

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// falseAlarmRate is the largest probability with which a detector reports a doubt
// about a sample without the defect. It is small because a report contains hundreds
// of samples. The detector of modes has ten times this rate for the worst
// distribution with one peak, and less than a tenth of it for usual ones.
const falseAlarmRate = 0.001

// visible is the relative step above which numbers are coarse.
const visible = 0.01

// slight is a relative difference that is never a doubt, even if it is
// significant: instruction counts are precise to a millionth.
const slight = 0.005

// few reports that there are too few numbers for a bounded interval.
func few(n int, what string, confidence float64, needed int) []Doubt {
	switch {
	case needed == 0:
		return []Doubt{Doubtf("few", "%d %s: no number of %s gives a confidence of 100 %%", n, what, what)}
	case n < needed:
		if n == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		return []Doubt{Doubtf("few", "%d %s: an interval of %s %% needs %d", n, what, percent(confidence), needed)}
	}
	return nil
}

// percent writes a confidence with two significant digits of its complement.
func percent(confidence float64) string {
	digits := max(0, 1-math.Floor(math.Log10(100*(1-confidence))))
	unit := math.Pow(10, digits)
	return strconv.FormatFloat(math.Round(100*confidence*unit)/unit, 'f', -1, 64)
}

// doubtsOf returns the doubts about logarithms of numbers, in the order in which
// they were measured. The error of each is at most half a step.
func doubtsOf(logs []float64, step float64, what string) []Doubt {
	if len(logs) == 0 {
		return nil
	}
	d := drift(logs, what)
	sorted := slices.Sorted(slices.Values(logs))
	switch {
	case math.IsInf(sorted[0], 0) || math.IsInf(sorted[len(sorted)-1], 0) || step > visible:
		// steps would be reported as modes or outliers
		return append(d, coarse(logs, step, what)...)
	case sorted[0] == sorted[len(sorted)-1]:
		return d
	}
	if m := modes(sorted, step, what); m != nil {
		return append(d, m...)
	}
	return append(d, outliers(sorted, step, what)...)
}

// coarse reports numbers with visible steps.
func coarse(logs []float64, step float64, what string) []Doubt {
	none := 0
	for _, x := range logs {
		if math.IsInf(x, 0) {
			none++
		}
	}
	if none > 0 {
		return []Doubt{Doubtf("coarse", "%d of %d %s are 0 or infinite: the measurement is too coarse", none, len(logs),
			what)}
	}
	return []Doubt{Doubtf("coarse", "%s come in steps of %.2g %%: the measurement is too coarse", what, 100*step)}
}

// stepOf returns the resolution of the times, relative to their median. If some
// times are equal, it is the smallest difference between two others. If none
// are, the clock is fine and the step is 0. The step of a constant is 0, too.
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
