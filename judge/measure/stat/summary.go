package stat

import (
	"math"
	"slices"
)

// Summarize describes a sample. The values are in the order in which they were
// measured. NaN is ignored. If a value is below 0, the sample is not one of times
// or sizes, and "few" is the only possible doubt.
func Summarize(xs []float64, confidence float64) Summary {
	xs = slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
	if len(xs) == 0 {
		return Summary{}
	}
	m, i := Median(xs, confidence)
	s := Summary{N: len(xs), Median: m, Interval: i, Min: slices.Min(xs), Max: slices.Max(xs)}
	s.Doubts = few(s.N, "runs", confidence, Needed(confidence))
	if s.Min >= 0 {
		s.Doubts = append(s.Doubts, doubtsOf(logsOf(xs), stepOf(xs), "runs")...)
	}
	return s
}
