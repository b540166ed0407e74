package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// outliers reports outliers at the ends of sorted numbers. The error of each
// number is at most half a step. At most one number in ten is an outlier; [modes]
// finds larger groups.
func outliers(sorted []float64, step float64, what string) []Doubt {
	var doubts []Doubt
	m := middle(sorted)
	mirrored := make([]float64, len(sorted))
	for i, x := range sorted {
		mirrored[len(sorted)-1-i] = -x
	}
	for _, side := range []struct {
		where  string
		sorted []float64
		sign   float64
	}{{"up", sorted, 1}, {"down", mirrored, -1}} {
		n, far := len(sorted), side.sorted
		if k := apart(far, step); k > 0 && far[n-k]-middle(far) > slight {
			doubts = append(doubts, Doubtf("outliers", "%d of %d %s are outliers, %s to %.3g times the median", k, n, what,
				side.where, math.Exp(side.sign*far[n-1]-m)))
		}
	}
	return doubts
}

// apart returns how many of the highest numbers are too far from those below.
//
// The spaces in the upper half decide what is too far. If the tail is exponential,
// each space times the count of numbers above it is exponential with the same
// mean (Rényi 1953), and the share of one in the sum of several has a beta
// distribution. Lighter tails have smaller spaces at their end. The numbers are
// logarithms, so the tail of the times may be as heavy as a power law.
func apart(sorted []float64, step float64) int {
	n := len(sorted)
	half, most := n/2, max(1, n/10)
	lowest, found := falseAlarmRate/float64(2*most), 0
	for k := 1; k <= most; k++ {
		first := n - k
		spaces := first - 1 - half
		if spaces < 1 {
			break
		}
		below := float64(k+1) * (sorted[first-1] - sorted[half])
		for _, x := range sorted[half+1 : first-1] {
			below += x - sorted[half]
		}
		gap := float64(k) * (sorted[first] - sorted[first-1] - step)
		share := gap / (gap + below + float64(n-half)*step)
		if p := (distuv.Beta{Alpha: 1, Beta: float64(spaces)}).Survival(share); p < lowest {
			lowest, found = p, k
		}
	}
	return found
}
