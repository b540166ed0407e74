package stat

import (
	"math"
	"testing"
)

// Tabulated values: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 (Student's
// distribution), and closed forms.
func TestDistributions(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
		within    float64 // relative
	}{
		{"Student, 1 degree of freedom", studentQuantile(0.975, 1), 12.706204736, 1e-9},
		{"Student, 5", studentQuantile(0.995, 5), 4.032142984, 1e-9},
		{"Student, 30", studentQuantile(0.95, 30), 1.697260887, 1e-9},
		{"Student, many", studentQuantile(0.975, 1e6), 1.959966, 1e-5},
		{"above a quantile", studentAbove(12.706204736, 1), 0.025, 1e-9},
		{"above a negative value", studentAbove(-4.032142984, 5), 0.995, 1e-9},
		{"a tiny tail, 1/π·t", studentAbove(1e12, 1), 1e-12 / math.Pi, 1e-9},
		{"uniform", beta{1, 1}.below(0.3), 0.3, 1e-14},
		{"a power", beta{5, 1}.below(0.9), math.Pow(0.9, 5), 1e-13},
		{"a tiny power", beta{1, 200}.above(0.9), math.Pow(0.1, 200), 1e-10},
		{"arcsine", beta{0.5, 0.5}.below(0.2), 2 / math.Pi * math.Asin(math.Sqrt(0.2)), 1e-13},
		{"symmetric and large", beta{5e5, 5e5}.below(0.5), 0.5, 1e-9},
		{"quantile of a power", beta{3, 1}.quantile(0.7), math.Cbrt(0.7), 1e-13},
		{"Clopper and Pearson, 0 of 10", beta{1, 10}.quantile(0.975), 1 - math.Pow(0.025, 0.1), 1e-13},
		{"coins", headsUpTo(3, 10), 176.0 / 1024, 1e-13},
		{"no coins", headsUpTo(-1, 10), 0, 0},
		{"all coins", headsUpTo(10, 10), 1, 0},
		{"many coins", headsUpTo(49_999, 100_000), 0.498738436, 1e-8},
	} {
		if math.Abs(c.got-c.want) > c.within*math.Abs(c.want) || math.IsNaN(c.got) {
			t.Errorf("%s: %.12g, expected %.12g", c.name, c.got, c.want)
		}
	}
}
