package sheet

import (
	"math"
	"testing"

	"crucible/judge/measure/stat"
)

func TestFormulas(t *testing.T) {
	for _, tt := range []struct {
		fit                      stat.Fit
		model, formula, exponent string
	}{
		{stat.Fit{Model: stat.Constant, A: 0.0123}, "constant", "12.3 ms", ""},
		{stat.Fit{Model: stat.Linear, A: 0.0012, B: 3.4e-9, Of: stat.Interval{Lo: 0.98, Hi: 1.03}}, "n", "1.20 ms + 3.4 ns·n", "0.98–1.03"},
		{stat.Fit{Model: stat.Linearithmic, B: 2.5e-13, Of: stat.Interval{Lo: 1, Hi: math.Inf(1)}}, "n log n", "2.5e-13 s·n ln n", "at least 1.00"},
		{stat.Fit{Model: stat.Linear, A: 0.0012, B: 6e-10, Of: stat.Interval{Lo: 0.864, Hi: 0.9993}}, "n", "1.20 ms + 600 ps·n", "0.8640–0.9993"},
		{stat.Fit{Model: stat.Power, B: 1e-6, K: 1.5849, Of: stat.Interval{Lo: 1.5, Hi: 1.7}}, "n^1.58", "1.00 µs·n^1.58", "1.50–1.70"},
		{stat.Fit{Model: stat.Exponential, A: 1, B: 2, K: 1.0442, Of: stat.Interval{Lo: 1.04, Hi: 1.05}}, "1.044^n", "1.00 s + 2.00 s·1.044^n", "base 1.040–1.050"},
		{stat.Fit{Model: stat.Exponential, B: 1e-9, K: 2.02, Of: stat.Interval{Lo: 1.9, Hi: 2.2}}, "2.0^n", "1 ns·2.0^n", "base 1.90–2.20"},
	} {
		if model, text, exponent := ModelText(&tt.fit), formula(&tt.fit, fineTime), Exponent(&tt.fit); model != tt.model || text != tt.formula || exponent != tt.exponent {
			t.Errorf("%+v: %q, %q, %q; expected %q, %q, %q", tt.fit, model, text, exponent, tt.model, tt.formula, tt.exponent)
		}
	}
}
