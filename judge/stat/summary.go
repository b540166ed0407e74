package stat

import (
	"math"
	"slices"
)

// Summarize describes a sample, in the order it was measured. What is NaN is
// left out. Values below 0 are no times and no sizes: of a sample that has any
// it is not doubted that they are of one kind.
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
