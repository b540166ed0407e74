package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Fits minimize relative errors, because times span orders of magnitude and the
// relative precision of small and large ones is the same. For a shape f(n, k) with
// k fixed, weighted linear regression gives A and B, neither below 0. A search
// finds k.

// A shape is a family of functions of n with the parameter k.
type shape struct {
	model  Model
	params int                         // the number of fitted constants: of A, B and k
	grid   func(n []float64) []float64 // the values of k to search, in increasing order; nil if there is no k

	of, inverse func(n, k float64) float64
}

// shapes lists all models, the simplest first.
var shapes = []shape{
	{Constant, 1, nil, func(n, _ float64) float64 { return 0 }, nil},
	{Logarithmic, 2, nil, func(n, _ float64) float64 { return math.Log(n) },
		func(y, _ float64) float64 { return math.Exp(y) }},
	{Linear, 2, nil, func(n, _ float64) float64 { return n }, func(y, _ float64) float64 { return y }},
	{Linearithmic, 2, nil, func(n, _ float64) float64 { return n * math.Log(n) },
		func(y, _ float64) float64 { return linearithm(y) }},
	{Power, 3, func([]float64) []float64 { return powers }, math.Pow,
		func(y, k float64) float64 { return math.Pow(y, 1/k) }},
	{Exponential, 3, rates, func(n, k float64) float64 { return math.Exp(n * k) },
		func(y, k float64) float64 { return max(math.Log(y)/k, 0) }},
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
	return floats.LogSpan(make([]float64, count), from, to)
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
	return f.fit(s, math.Exp(lowest(math.Log(lo), math.Log(hi),
		func(k float64) float64 { return f.fit(s, math.Exp(k)).error })))
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

// leaveOneOut returns the mean error at each size of the shape fitted to all other
// sizes: the square of ln(predicted/measured), at most the square of ln 100. For
// the largest size this is an extrapolation.
func (f *fitter) leaveOneOut(s *shape, near float64) (mean float64) {
	for i := range f.n {
		n, y := slices.Delete(slices.Clone(f.n), i, i+1), slices.Delete(slices.Clone(f.y), i, i+1)
		c := newFitter(n, y).best(s, near)
		d := math.Log(c.at(f.n[i]) / f.y[i])
		if !(math.Abs(d) < math.Log(100)) {
			d = math.Log(100)
		}
		mean += d * d / float64(len(f.n))
	}
	return mean
}

// noiseFloor is the smallest relative noise of a program's time: two inputs of the
// same size differ, and so do two layouts in memory. It prevents an interval of
// width 0.
const noiseFloor = 0.005

// interval returns the interval of the exponent or base of the best curve: the
// values that the points do not contradict, because their error is not
// significantly larger. The noise is estimated from the best curve. An end beyond
// the search grid is unknown.
func (f *fitter) interval(best curve, confidence float64) Interval {
	grid := best.grid(f.n)
	free := float64(len(f.n) - best.params)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile((1 + confidence) / 2)
	most := best.error + t*t*max(best.error/free, noiseFloor*noiseFloor)
	within := func(logK float64) bool { return f.fit(best.shape, math.Exp(logK)).error <= most }
	edge := func(end, unknown float64) float64 {
		in, out := math.Log(best.k), math.Log(end)
		if within(out) {
			return unknown
		}
		// Step outwards first: the error may have several minima, so a bisection from
		// the far end could find another one.
		for step := (out - in) / 512; math.Abs(out-in) > math.Abs(step); step *= 2 {
			if !within(in + step) {
				out = in + step
				break
			}
			in += step
		}
		_, out = bisect(in, out, 1e-4, within)
		return math.Exp(out)
	}
	i := Interval{edge(grid[0], 0), edge(grid[len(grid)-1], math.Inf(1)), confidence}
	if best.model == Exponential {
		i.Lo, i.Hi = math.Exp(i.Lo), math.Exp(i.Hi)
	}
	return i
}

// bisect narrows the range between a number for which a condition holds and one
// for which it does not, to the given width.
func bisect(in, out, width float64, holds func(float64) bool) (float64, float64) {
	for math.Abs(out-in) > width {
		if mid := (in + out) / 2; holds(mid) {
			in = mid
		} else {
			out = mid
		}
	}
	return in, out
}
