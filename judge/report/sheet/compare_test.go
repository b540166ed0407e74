package sheet

import (
	"testing"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/report"
)

func TestSaid(t *testing.T) {
	ratio := func(claim stat.Claim, r, hi float64) stat.Ratio {
		return stat.Ratio{Ratio: r, Interval: stat.Interval{Lo: r - 0.01, Hi: hi}, Claim: claim}
	}
	tests := []struct {
		name   string
		change bench.Change
		want   string
		mark   report.Mark
	}{
		{"a regression", bench.Change{Ratio: ratio(stat.Slower, 1.3, 1.4), Outcome: bench.Regression}, "REGRESSION, 1.30x", report.Bad},
		{"a gain", bench.Change{Ratio: ratio(stat.Faster, 0.5, 0.6), Outcome: bench.Held}, "faster, 2.00x", report.Good},
		{"slower, but by less than the threshold", bench.Change{Ratio: ratio(stat.Slower, 1.02, 1.03), Outcome: bench.Held}, "held", report.Plain},
		{"held", bench.Change{Ratio: ratio(stat.CannotTell, 1, 1.01), Outcome: bench.Held}, "held", report.Plain},
		{"too noisy", bench.Change{Ratio: ratio(stat.CannotTell, 1, 1.2), Outcome: bench.Open}, "open, up to 1.20x", report.Doubt},
	}
	for _, tt := range tests {
		if got := Outcome(&tt.change); got != (report.Entry{Text: tt.want, Mark: tt.mark}) {
			t.Errorf("%s: %+v, expected %q, %s", tt.name, got, tt.want, tt.mark)
		}
	}
}
