package sheet

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"crucible/judge/measure/stat"
)

func TestIntervalsAreRoundedOutwards(t *testing.T) {
	for _, tt := range []struct {
		name      string
		ratio, lo float64
		hi        float64
		values    []float64
		want      string // ratio and interval
	}{
		{"two digits of the width", 0.5181, 0.5102, 0.5297, nil, "0.518 in 0.510–0.530"},
		{"a wide one that leaves out 1", 1.17, 1.003, 2.6, nil, "1.170 in 1.003–2.600"},
		{"and from below", 0.93, 0.86, 0.9996, nil, "0.9300 in 0.8600–0.9996"},
		{"it holds 1", 0.93, 0.86, 1.0004, nil, "0.93 in 0.86–1.01"},
		{"it ends at 1", 0.93, 0.86, 1, nil, "0.93 in 0.86–1.00"},
		{"a threshold is left out", 1.02, 1.001, 1.0498, []float64{1.05}, "1.0200 in 1.0010–1.0498"},
		{"ends that are decimals stay", 1.1, 0.98, 1.17, nil, "1.10 in 0.98–1.17"},
		{"large", 61, 51.9, 63.6, nil, "61 in 51–64"},
		{"no width", 2, 2, 2, nil, "2.00 in 2.00–2.00"},
	} {
		r := &stat.Ratio{Ratio: tt.ratio, Interval: stat.Interval{Lo: tt.lo, Hi: tt.hi}}
		if got := RatioText(r, tt.values...) + " in " + Interval(r, tt.values...); got != tt.want {
			t.Errorf("%s: %s, expected %s", tt.name, got, tt.want)
		}
	}
}

// A printed interval contains the computed one, and 1 only if the computed one
// does.
func TestShownIntervalsAgreeWithClaims(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		center, width := math.Exp(r.NormFloat64()*math.Pow(10, -4*r.Float64())), math.Pow(10, -5*r.Float64())
		lo, hi := center*(1-width/2), center*(1+width/2)
		text := Interval(&stat.Ratio{Ratio: center, Interval: stat.Interval{Lo: lo, Hi: hi}})
		from, to, _ := strings.Cut(text, "–")
		a, errA := strconv.ParseFloat(from, 64)
		b, errB := strconv.ParseFloat(to, 64)
		if errA != nil || errB != nil || a > lo*(1+1e-9) || b < hi*(1-1e-9) || (a <= 1 && b >= 1) != (lo <= 1 && hi >= 1) {
			t.Fatalf("%.12g to %.12g is shown as %s", lo, hi, text)
		}
	}
}

func TestFromTo(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		want   string
	}{
		{1, 1.01, "1.000–1.010"}, {0.94, 0.995, "0.940–0.995"}, {1.17, 1.172, "1.17"}, {1.3, 1.31, "1.300–1.310"}, {0.887, 1.11, "0.89–1.11"},
		{51.9, 63.6, "51.9–63.6"}, {1.04, 60.6, "1.040–60.6"}, {2, 2, "2.00"},
	} {
		if got := fromTo(tt.lo, tt.hi); got != tt.want {
			t.Errorf("%g to %g: %s, expected %s", tt.lo, tt.hi, got, tt.want)
		}
	}
}
