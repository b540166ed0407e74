package stat

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Fitting is by relative errors, for times span orders of magnitude and a
// small one is known as well as a large one, in percent. For a shape f(n, k)
// with k fixed, A and B are those of weighted linear regression, neither below
// 0; k is searched for.

// A shape is a way to grow: a family of functions of n, of which k chooses one.
type shape struct {
	model  Model
	params int // A and B where they are free, and k
	of     func(n, k float64) float64
	grid   func(n []float64) []float64 // where to search for k, rising; nil if there is no k
}

// shapes are all models, the simpler first.
var shapes = []shape{
	{Constant, 1, func(n, _ float64) float64 { return 0 }, nil},
	{Logarithmic, 2, func(n, _ float64) float64 { return math.Log(n) }, nil},
	{Linear, 2, func(n, _ float64) float64 { return n }, nil},
	{Linearithmic, 2, func(n, _ float64) float64 { return n * math.Log(n) }, nil},
	{Power, 3, math.Pow, func([]float64) []float64 { return powers }},
	{Exponential, 3, func(n, k float64) float64 { return math.Exp(n * k) }, rates},
}

// leastPower and mostPower bound the exponents that are searched for. Below
// them n^k is as good as a logarithm, beyond them nobody measures more than two
// sizes.
const leastPower, mostPower = 1. / 16, 32

// powers has ten steps to each factor of four.
var powers = geometric(leastPower, mostPower, 46)

// rates are those of exp(k·n) that make between 1.3 times and e^300 times of it
// over the sizes measured, as far as floating point reaches.
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
	unit    float64 // what f is divided by before b is applied
	error   float64 // sum of the squares of ln(predicted/measured)
}

func (c *curve) at(n float64) float64 {
	if c.b == 0 {
		return c.a
	}
	return c.a + c.b*(c.of(n, c.k)/c.unit)
}

// A fitter holds the points, n rising, and room to work in.
type fitter struct{ n, y, x, w []float64 }

func newFitter(n, y []float64) *fitter {
	return &fitter{n, y, make([]float64, len(n)), make([]float64, len(n))}
}

// reweighted is how often the weights are taken anew from the fit: a relative
// error is one of the prediction, which is not known before.
const reweighted = 3

// fit finds a and b for a k.
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

// solve is regression with weights under a, b >= 0.
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

// best finds k, too. Near is where it may be expected, or 0.
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

// lowest finds where a function that has one valley is lowest, to a few thousandths of its logarithm,
// by golden sections.
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

// astray is how far the prediction for each size is off if the shape is fitted
// to all others: the squares of ln(predicted/measured), none above the square of
// ln 100. Of the largest size that is a look ahead.
func (f *fitter) astray(s *shape, near float64) []float64 {
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

// interval returns the values of k that the points do not contradict: under
// which the error is not larger than by what chance makes of it. The points'
// noise is taken from the best fit, and is at least floor.
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
		// Stepping out first: the far end of the range is no help to a bisection
		// where the error has more than one valley.
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
