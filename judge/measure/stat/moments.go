package stat

import (
	"math"
	"sort"
)

func mean(xs []float64) float64 { return weightedMean(xs, nil) }

// weightedMean returns the mean of xs with weights ws; nil means equal ones.
func weightedMean(xs, ws []float64) float64 {
	sum, all := 0.0, 0.0
	for i, x := range xs {
		w := weight(ws, i)
		sum, all = sum+w*x, all+w
	}
	return sum / all
}

func weight(ws []float64, i int) float64 {
	if ws == nil {
		return 1
	}
	return ws[i]
}

// variance returns the variance of the population of which xs are a sample, without bias.
func variance(xs []float64) float64 {
	m, sum := mean(xs), 0.0
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return sum / float64(len(xs)-1)
}

// Correlation returns the correlation of Pearson; NaN if xs or ys are all equal. They have
// the same length.
func Correlation(xs, ys []float64) float64 {
	xx, xy, yy := products(xs, ys, nil)
	return xy / math.Sqrt(xx*yy)
}

// products returns the sums of (x-mx)², (x-mx)(y-my) and (y-my)² for the means mx and my.
func products(xs, ys, ws []float64) (xx, xy, yy float64) {
	mx, my := weightedMean(xs, ws), weightedMean(ys, ws)
	for i := range xs {
		w, x, y := weight(ws, i), xs[i]-mx, ys[i]-my
		xx, xy, yy = xx+w*x*x, xy+w*x*y, yy+w*y*y
	}
	return xx, xy, yy
}

// line returns the line y = a + b·x of least squares, with weights ws; nil means equal ones.
func line(xs, ys, ws []float64) (a, b float64) {
	xx, xy, _ := products(xs, ys, ws)
	b = xy / xx
	return weightedMean(ys, ws) - b*weightedMean(xs, ws), b
}

// slopeOfRay returns the slope of the line through the origin of weighted least squares.
func slopeOfRay(xs, ys, ws []float64) float64 {
	xx, xy := 0.0, 0.0
	for i, x := range xs {
		xx, xy = xx+ws[i]*x*x, xy+ws[i]*x*ys[i]
	}
	return xy / xx
}

// sortPairs sorts xs, and ys in the same way.
func sortPairs(xs, ys []float64) {
	sort.Sort(pairs{xs, ys})
}

type pairs struct{ xs, ys []float64 }

func (p pairs) Len() int           { return len(p.xs) }
func (p pairs) Less(i, j int) bool { return p.xs[i] < p.xs[j] }
func (p pairs) Swap(i, j int) {
	p.xs[i], p.xs[j] = p.xs[j], p.xs[i]
	p.ys[i], p.ys[j] = p.ys[j], p.ys[i]
}
