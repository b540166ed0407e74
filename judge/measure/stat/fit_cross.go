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
	var found []float64
	// The last size at which the fits clearly differ. A crossing is between two such
	// sizes of different signs.
	last, sign := math.NaN(), 0
	for _, n := range geometric(lo, hi, crossingSteps+1) {
		d := apart(n)
		if math.IsNaN(d) || math.Abs(d) <= difference {
			continue
		}
		now := int(math.Copysign(1, d))
		if sign == -now {
			in, out := bisect(math.Log(last), math.Log(n), 1e-9,
				func(l float64) bool { return (apart(math.Exp(l)) < 0) == (sign < 0) })
			found = append(found, math.Exp((in+out)/2))
		}
		last, sign = n, now
	}
	return found
}
