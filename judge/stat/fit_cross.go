package stat

import "math"

// crossingSteps is how finely sizes are looked through for crossings: two within
// one step are not seen.
const crossingSteps = 512

// Crossings returns the sizes from lo to hi, rising, at which two fits expect
// the same. Fits that stay within so small a relative difference of each other
// on a side of it do not cross there: they are the same, as far as is known.
func Crossings(a, b *Fit, lo, hi, difference float64) []float64 {
	if a.Model == "" || b.Model == "" || !(0 < lo && lo < hi) {
		return nil
	}
	apart := func(n float64) float64 { return math.Log(a.At(n) / b.At(n)) }
	size := func(i int) float64 { return lo * math.Pow(hi/lo, float64(i)/crossingSteps) }
	var found []float64
	// The last place at which they were clearly apart; a crossing is between two
	// such places of different signs.
	last, sign := math.NaN(), 0
	for i := range crossingSteps + 1 {
		n := size(i)
		d := apart(n)
		if math.IsNaN(d) || math.Abs(d) <= difference {
			continue
		}
		now := 1
		if d < 0 {
			now = -1
		}
		if sign == -now {
			found = append(found, rootBetween(apart, last, n))
		}
		last, sign = n, now
	}
	return found
}

// rootBetween halves the logarithmic distance between two sizes at which a function has
// different signs, until it is a part in 10^9.
func rootBetween(of func(float64) float64, lo, hi float64) float64 {
	negative := of(lo) < 0
	for hi/lo > 1+1e-9 {
		mid := math.Sqrt(lo * hi)
		if (of(mid) < 0) == negative {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Sqrt(lo * hi)
}
