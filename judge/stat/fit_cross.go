package stat

import "math"

// crossingSteps is the number of steps of the search for crossings. Two crossings
// within one step are not found.
const crossingSteps = 512

// Crossings returns the sizes from lo to hi, in increasing order, at which two
// fits predict the same value. The fits must differ by more than the given
// relative difference on both sides of a crossing; closer ones count as equal.
func Crossings(a, b *Fit, lo, hi, difference float64) []float64 {
	if a.Model == "" || b.Model == "" || !(0 < lo && lo < hi) {
		return nil
	}
	apart := func(n float64) float64 { return math.Log(a.At(n) / b.At(n)) }
	size := func(i int) float64 { return lo * math.Pow(hi/lo, float64(i)/crossingSteps) }
	var found []float64
	// The last size at which the fits clearly differ. A crossing is between two such
	// sizes of different signs.
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

// rootBetween bisects the range between two sizes at which a function has
// different signs, to a relative width of 1e-9.
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
