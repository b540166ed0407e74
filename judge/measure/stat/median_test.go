package stat

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat/distuv"
)

// TestRanks checks that rankOf returns the largest rank that reaches the
// confidence. The interval of benchmath may extend less far on one side; the
// interval here extends on both sides as far as the longer side of benchmath's.
func TestRanks(t *testing.T) {
	for _, confidence := range []float64{0.5, 0.9, 0.95, 0.99, 0.999, 0.9997, 0.999999} {
		for n := 1; n <= 300; n++ {
			rank, reached := rankOf(n, confidence)
			below := distuv.Binomial{N: float64(n), P: 0.5}
			if rank > 0 && math.Abs(1-2*below.CDF(float64(rank-1))-reached) > 1e-12 || reached < confidence {
				t.Errorf("rankOf(%d, %v) = %d, said to reach %v", n, confidence, rank, reached)
			}
			if rank < n/2 && 1-2*below.CDF(float64(rank)) > confidence+1e-9 {
				t.Errorf("rankOf(%d, %v) = %d, expected a higher one", n, confidence, rank)
			}
			places := make([]float64, n)
			for i := range places {
				places[i] = float64(i + 1)
			}
			theirs := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(places), &benchmath.DefaultThresholds), confidence)
			if n > 30 || rank == 0 {
				continue // benchmath approximates, or extends to infinity on one side
			}
			if want := int(min(theirs.Lo, float64(n+1)-theirs.Hi)); rank != max(want, 0) && n > 1 {
				t.Errorf("rankOf(%d, %v) = %d, expected the outer one of benchmath's %v to %v", n, confidence, rank, theirs.Lo, theirs.Hi)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name       string
		xs         []float64
		confidence float64
		median     float64
		want       Interval
	}{
		{"of none there is none", nil, 0.95, nan, Interval{-inf, inf, 1}},
		{"one says nothing of others", []float64{3}, 0.95, 3, Interval{-inf, inf, 1}},
		{"an even number has its middle", []float64{4, 1}, 0.95, 2.5, Interval{-inf, inf, 1}},
		{"five are too few", []float64{1, 2, 3, 4, 5}, 0.95, 3, Interval{-inf, inf, 1}},
		{"but not for less confidence", []float64{1, 2, 3, 4, 5}, 0.9, 3, Interval{1, 5, 0.9375}},
		{"nor if just so much is asked for", []float64{1, 2, 3, 4, 5}, 0.9375, 3, Interval{1, 5, 0.9375}},
		{"six reach from end to end", []float64{6, 5, 4, 3, 2, 1}, 0.95, 3.5, Interval{1, 6, 0.96875}},
		{"eight too: what is left out would be on both sides", []float64{8, 7, 6, 5, 4, 3, 2, 1}, 0.95, 4.5, Interval{1, 8, 0.9921875}},
		{"nine leave out two", []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, 0.95, 5, Interval{2, 8, 0.9609375}},
		{"what is no number is left out", []float64{nan, 6, 5, 4, nan, 3, 2, 1}, 0.95, 3.5, Interval{1, 6, 0.96875}},
		{"nothing is certain", []float64{1, 2, 3, 4, 5, 6}, 1, 3.5, Interval{-inf, inf, 1}},
		{"infinite ones are far away", []float64{-inf, 1, 2, 3, 4, inf}, 0.95, 2.5, Interval{-inf, inf, 0.96875}},
	} {
		m, i := Median(c.xs, c.confidence)
		if !same(m, c.median) || !same(i.Lo, c.want.Lo) || !same(i.Hi, c.want.Hi) || !same(i.Confidence, c.want.Confidence) {
			t.Errorf("%s: Median(%v, %v) = %v, %v, expected %v, %v", c.name, c.xs, c.confidence, m, i, c.median, c.want)
		}
	}
}

// same reports whether a and b are equal up to rounding, or both NaN.
func same(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*math.Abs(a)
}

func TestSummarize(t *testing.T) {
	if got := Summarize(nil, 0.95); got.N != 0 || got.Doubts != nil {
		t.Errorf("Summarize(nil) = %+v, expected nothing", got)
	}
	got := Summarize([]float64{3, math.NaN(), 1, 2, 2.5, 1.5, 4}, 0.95)
	if got.N != 6 || got.Median != 2.25 || got.Min != 1 || got.Max != 4 || got.Lo != 1 || got.Hi != 4 || got.Doubts != nil {
		t.Errorf("Summarize = %+v", got)
	}
	if got := Summarize([]float64{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.95); got.Median != 4 || got.Min != -1 || got.Doubts != nil {
		t.Errorf("Summarize of what may be below 0 = %+v", got)
	}
}
