package stat

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Fits minimize relative errors, because times span orders of magnitude and the
// relative precision of small and large ones is the same. For a shape f(n, k) with
// k fixed, weighted linear regression gives A and B, neither below 0. A search
// finds k.

// A shape is a family of functions of n with the parameter k.
type shape struct {
	model  Model
	params int // the number of fitted constants: of A, B and k
	of     func(n, k float64) float64
	grid   func(n []float64) []float64 // the values of k to search, in increasing order; nil if there is no k
}

// shapes lists all models, the simplest first.
var shapes = []shape{
	{Constant, 1, func(n, _ float64) float64 { return 0 }, nil},
	{Logarithmic, 2, func(n, _ float64) float64 { return math.Log(n) }, nil},
	{Linear, 2, func(n, _ float64) float64 { return n }, nil},
	{Linearithmic, 2, func(n, _ float64) float64 { return n * math.Log(n) }, nil},
	{Power, 3, math.Pow, func([]float64) []float64 { return powers }},
	{Exponential, 3, func(n, k float64) float64 { return math.Exp(n * k) }, rates},
}

// leastPower and mostPower bound the exponents of the search. A smaller exponent
// cannot be distinguished from a logarithm; with a larger one, only two sizes would
// be measurable.
const leastPower, mostPower = 1. / 16, 32

// powers has ten steps for each factor of four.
var powers = geometric(leastPower, mostPower, 46)

// rates returns the values of k for which exp(k·n) grows by a factor from 1.3 to
// e^300 over the measured sizes, without overflow.
func rates(n []float64) []float64 {
	last := n[len(n)-1]
	span := last - n[0]
	return geometric(0.25/span, min(300/span, 600/last), 36)
}

func geometric(from, to float64, count int) []float64 {
	all := make([]float64, count)
	for i := range all {
		all[i] = from * math.Pow(to/from, float64(i)/float64(count-1))
	}
	return all
}

// A curve is one function of a shape with its two constants, y = a + b·f(n, k).
type curve struct {
	*shape
	a, b, k float64
	unit    float64 // f is divided by unit before it is multiplied by b
	error   float64 // sum of the squares of ln(predicted/measured)
}

func (c *curve) at(n float64) float64 {
	if c.b == 0 {
		return c.a
	}
	return c.a + c.b*(c.of(n, c.k)/c.unit)
}

// A fitter has the points, sorted by n, and buffers.
type fitter struct{ n, y, x, w []float64 }

func newFitter(n, y []float64) *fitter {
	return &fitter{n, y, make([]float64, len(n)), make([]float64, len(n))}
}

// reweighted is the number of iterations that compute the weights from the
// previous fit: errors are relative to the prediction, which the fit gives.
const reweighted = 3

// fit returns the curve with the best a and b for the given k.
func (f *fitter) fit(s *shape, k float64) curve {
	c := curve{shape: s, k: k, unit: s.of(f.n[len(f.n)-1], k)}
	if c.unit == 0 || math.IsInf(c.unit, 0) {
		c.unit = 1
	}
	for i, n := range f.n {
		f.x[i] = s.of(n, k) / c.unit
		f.w[i] = 1 / (f.y[i] * f.y[i])
	}
	for range reweighted {
		c.a, c.b = f.solve(s)
		for i, x := range f.x {
			m := max(c.a+c.b*x, f.y[i]/1e6)
			f.w[i] = 1 / (m * m)
		}
	}
	for i, x := range f.x {
		d := math.Log((c.a + c.b*x) / f.y[i])
		c.error += d * d
	}
	return c
}

// solve is a weighted regression with a, b >= 0.
func (f *fitter) solve(s *shape) (a, b float64) {
	if s.params > 1 {
		a, b = stat.LinearRegression(f.x, f.y, f.w, false)
	}
	switch {
	case s.params == 1 || b < 0 || math.IsNaN(b):
		return stat.Mean(f.y, f.w), 0
	case a < 0:
		return stat.LinearRegression(f.x, f.y, f.w, true)
	}
	return a, b
}

// best returns the best curve of a shape. It searches for k close to near, or in
// the grid if near is 0.
func (f *fitter) best(s *shape, near float64) curve {
	if s.grid == nil {
		return f.fit(s, 0)
	}
	grid := s.grid(f.n)
	lo, hi := near/1.3, near*1.3
	if near == 0 {
		at, least := 0, math.Inf(1)
		for i, k := range grid {
			if e := f.fit(s, k).error; e < least {
				at, least = i, e
			}
		}
		lo, hi = grid[max(at-1, 0)], grid[min(at+1, len(grid)-1)]
	}
	lo, hi = max(lo, grid[0]), min(hi, grid[len(grid)-1])
	return f.fit(s, math.Exp(lowest(math.Log(lo), math.Log(hi), func(k float64) float64 { return f.fit(s, math.Exp(k)).error })))
}

// lowest returns the minimum of a unimodal function, by golden-section search, to
// a precision of 2e-4.
func lowest(lo, hi float64, of func(float64) float64) float64 {
	const golden = 0.6180339887498949
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	at, bt := of(a), of(b)
	for hi-lo > 2e-4 {
		if at < bt {
			hi, b, bt = b, a, at
			a = hi - golden*(hi-lo)
			at = of(a)
		} else {
			lo, a, at = a, b, bt
			b = lo + golden*(hi-lo)
			bt = of(b)
		}
	}
	return (lo + hi) / 2
}

// leaveOneOut returns the error at each size of the shape fitted to all other
// sizes: the squares of ln(predicted/measured), at most the square of ln 100. For
// the largest size this is an extrapolation.
func (f *fitter) leaveOneOut(s *shape, near float64) []float64 {
	all := make([]float64, len(f.n))
	n, y := make([]float64, 0, len(f.n)), make([]float64, 0, len(f.n))
	for i := range f.n {
		n, y = append(append(n[:0], f.n[:i]...), f.n[i+1:]...), append(append(y[:0], f.y[:i]...), f.y[i+1:]...)
		c := newFitter(n, y).best(s, near)
		d := math.Log(c.at(f.n[i]) / f.y[i])
		if !(math.Abs(d) < math.Log(100)) {
			d = math.Log(100)
		}
		all[i] = d * d
	}
	return all
}

// interval returns the interval of values of k that the points do not contradict:
// those whose error is not significantly larger than that of the best curve. The
// noise is estimated from the best curve, and is at least floor.
func (f *fitter) interval(best curve, t, floor float64) (lo, hi float64) {
	grid := best.grid(f.n)
	free := float64(len(f.n) - best.params)
	most := best.error + t*t*max(best.error/free, floor*floor)
	within := func(k float64) bool { return f.fit(best.shape, k).error <= most }
	edge := func(end float64) float64 {
		if within(end) {
			return end
		}
		in, out := math.Log(best.k), math.Log(end)
		// Step outwards first: the error may have several minima, so a bisection from
		// the far end could find another one.
		for step := (out - in) / 512; math.Abs(out-in) > math.Abs(step); step *= 2 {
			if !within(math.Exp(in + step)) {
				out = in + step
				break
			}
			in += step
		}
		for math.Abs(out-in) > 1e-4 {
			if mid := (in + out) / 2; within(math.Exp(mid)) {
				in = mid
			} else {
				out = mid
			}
		}
		return math.Exp(out)
	}
	return edge(grid[0]), edge(grid[len(grid)-1])
}
