package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// modes reports sorted numbers whose distribution has more than one peak. The
// error of each number is at most half a step.
//
// It searches for a valley between two groups of numbers. If there is only one
// peak, the density falls from the valley to the far end of one of the groups.
// The valley's share of the width of valley and group is then at most that
// of a uniform density, which has a beta distribution. So each side has a
// p-value, and the larger of the two is a p-value of the valley for any density
// with one peak.
func modes(sorted []float64, step float64, what string) []Doubt {
	n := len(sorted)
	least := max(3, n/10)
	const strays = 2 // the most numbers in a valley
	tests := float64(2 * (strays + 1) * (n - 2*least + 1))
	lowest, end, begin := 10*falseAlarmRate/tests, 0, 0
	for inner := 0; inner <= strays; inner++ {
		for k := least; k+inner <= n-least; k++ {
			valley := sorted[k+inner] - sorted[k-1] - step
			p := max(
				narrow(valley, inner+1, step, func(i int) float64 { return sorted[k-1] - sorted[k-1-i] }, k-1),
				narrow(valley, inner+1, step, func(i int) float64 { return sorted[k+inner+i] - sorted[k+inner] }, n-k-inner-1))
			if p < lowest {
				lowest, end, begin = p, k, k+inner
			}
		}
	}
	if end == 0 {
		return nil
	}
	apart := math.Exp(middle(sorted[begin:]) - middle(sorted[:end]))
	if apart-1 < slight {
		return nil
	}
	return []Doubt{Doubtf("modes", "%s form two groups: the median of the upper %.0f %% is %.3g times that of the others",
		what, 100*float64(n-begin)/float64(n), apart)}
}

// narrow returns the probability that a group of numbers beside a valley is as
// narrow as it is, if its density were that of the valley. It tests all m
// spaces of the group, and the nearer half of them. The valley has the given
// number of spaces; the nearest i spaces of the group have the total width to(i).
func narrow(valley float64, spaces int, step float64, to func(i int) float64, m int) float64 {
	p := 1.0
	for _, i := range []int{m, m / 2} {
		if i == 0 {
			continue
		}
		share := valley / (valley + to(i) + step)
		if !(share > 0) || share < 0.9 && share*float64(spaces+i) < float64(2*spaces) {
			continue // no valley
		}
		p = min(p, distuv.Beta{Alpha: float64(spaces), Beta: float64(i)}.Survival(share))
	}
	return p
}
