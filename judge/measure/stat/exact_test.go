package stat

import (
	"math"
	"testing"
)

func TestExact(t *testing.T) {
	for _, c := range []struct {
		name               string
		program, reference [][]float64
		ratio, least       float64
		claim              Claim
	}{
		{"one more instruction in 100 000", [][]float64{{100_001, 100_001}}, [][]float64{{100_000, 100_000}}, 1.00001, 1e-5, Slower},
		{"one less", [][]float64{{99_999, 99_999}}, [][]float64{{100_000, 100_000}}, 0.99999, 1e-5, Faster},
		{"equal", [][]float64{{7, 7}, {3, 3}}, [][]float64{{7, 7}, {3, 3}}, 1, 1.0 / 3 / 2, Equal},
		{"equal in the geometric mean", [][]float64{{6, 6}, {3, 3}}, [][]float64{{3, 3}, {6, 6}}, 1, 1.0 / 3 / 2, Equal},
		{"several cases", [][]float64{{40, 40}, {10, 10, 10}}, [][]float64{{10, 10}, {10, 10}}, 2, 0.05, Slower},
	} {
		r := Exact(c.program, c.reference)
		if math.Abs(r.Ratio-c.ratio) > 1e-12 || r.Claim != c.claim || !r.Interval.Exact() || r.Lo != r.Ratio || r.N != 2 || math.Abs(r.Least-c.least) > 1e-12 || r.Doubts != nil {
			t.Errorf("%s: %+v; expected the ratio %v, %q, and a smallest difference of %v", c.name, r, c.ratio, c.claim, c.least)
		}
	}
}

func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want bool
	}{{nil, false}, {[]float64{1}, false}, {[]float64{1, 1}, true}, {[]float64{1, 1, 2}, false}, {[]float64{math.NaN(), math.NaN()}, false}} {
		if got := Repeats(c.xs); got != c.want {
			t.Errorf("Repeats(%v) = %v", c.xs, got)
		}
	}
}
