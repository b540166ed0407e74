package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// modes doubts that sorted numbers, each known to half a step, are of one kind:
// that their distribution has one peak.
//
// It looks for a valley between two groups of numbers. If there is one peak
// only, then the density falls all the way from the valley to the far end of
// one of the groups. The valley's share in the width of both is then at most
// that of a uniform density, which is of the distribution beta. So each side has
// a p-value, and the larger is one of the valley, whatever the density's shape
// and tails.
func modes(sorted []float64, step float64, what string) []Doubt {
	n := len(sorted)
	least := max(3, n/10)
	const strays = 2 // numbers that may be in a valley
	tests := float64(2 * (strays + 1) * (n - 2*least + 1))
	lowest, end, begin := 10*doubtful/tests, 0, 0
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
	return []Doubt{{"modes", fmt.Sprintf("two groups: %.0f %% of the %s are %.3g times the others", 100*float64(n-begin)/float64(n), what, apart)}}
}

// narrow is the probability with which a group of numbers at the side of a
// valley of so many spaces would be so narrow if it were as thin as the valley:
// the whole group of m spaces, or the half that is nearer. The nearest i spaces
// are to(i) wide together.
func narrow(valley float64, spaces int, step float64, to func(i int) float64, m int) float64 {
	p := 1.0
	for _, i := range []int{m, m / 2} {
		if i == 0 {
			continue
		}
		share := valley / (valley + to(i) + step)
		if !(share > 0) || share < 0.9 && share*float64(spaces+i) < float64(2*spaces) {
			continue // no valley, nothing to compute
		}
		p = min(p, distuv.Beta{Alpha: float64(spaces), Beta: float64(i)}.Survival(share))
	}
	return p
}
