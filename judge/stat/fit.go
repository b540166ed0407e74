package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Model is a way in which a quantity grows with n.
type Model string

const (
	Constant     Model = "constant"
	Logarithmic  Model = "log n"
	Linear       Model = "n"
	Linearithmic Model = "n log n"
	Power        Model = "n^k"
	Exponential  Model = "c^n"
)

// A Fit is y = A + B·f(n), f being what the model says: 1, ln n, n, n·ln n,
// n^K, K^n. A is what does not grow, such as the start of an interpreter; neither
// A nor B is below 0. Its zero value is no fit.
type Fit struct {
	Model  Model
	A, B   float64
	K      float64  // of Power and Exponential
	Of     Interval // of K; for the other models, of the exponent that Power would have
	Hides  float64  // of Constant: growth over the sizes measured that would not have been seen, as a share of A: 0.03 is 3 %
	Why    string   // why this model and no other, a line for people
	Others []Rival  // all models, the best first
	Doubts []Doubt
}

// A Rival is a model that was weighed.
type Rival struct {
	Model Model
	Error float64 // how far off it is on sizes it was not fitted to: the root of the mean square of ln(predicted/measured)
}

// Error is the Error of the model chosen; 0 if there is no fit.
func (fit *Fit) Error() float64 {
	i := slices.IndexFunc(fit.Others, func(r Rival) bool { return r.Model == fit.Model })
	if i < 0 {
		return 0
	}
	return fit.Others[i].Error
}

// leastSizes is how many sizes a model with A and B needs for its errors to
// mean anything: with one left out, one more than it has constants.
const leastSizes = 4

// FitOf finds how y grows with n: y[i] is the typical value at the size n[i],
// such as a median, and not a single run that may be an outlier. Sizes come in
// any order, and are 1 or more; values that are not above 0 are left out.
// Stopped, if not nil, says of each whether it was stopped at y[i], and would
// have come to at least so much: nothing is fitted to these, but a model that
// expects clearly less there is not chosen if there is another.
//
// The model is the one that best predicts each size from all others, by the
// relative error. A simpler one (fewer constants) stands unless the square of its
// error is more than twice as large. In simulations with relative noise of up
// to 5 % on single runs, medians of five of them and eight sizes or more, this
// finds the right model at least 19 times in 20, where start-up is at most a
// tenth of the time at the largest size.
//
// The interval of K holds all values that a regression does not reject
// (profile likelihood with Student's t), the noise being taken from how far
// the points lie from the curve.
//
// With fewer than four sizes there is no fit, and a doubt says so. Nor is there
// one of what is constant up to a size at which it was stopped with far more.
func FitOf(n, y []float64, stopped []bool, confidence float64) Fit {
	n, y, bounds := boundsOf(n, y, stopped)
	ns, ys, unseen := pointsOf(n, y)
	var fit Fit
	if unseen > 0 {
		fit.doubt("coarse", "%s took no time that the clock could see", sizes(unseen))
	}
	if len(ns) < leastSizes {
		fit.doubt("few", "%s: want at least %d for a fit", sizes(len(ns)), leastSizes)
		return fit
	}
	f := newFitter(ns, ys)
	tried := f.trials()
	for i := range tried {
		tried[i].bounded(bounds)
	}
	chosen := chosenOf(tried)
	if chosen.least != nil {
		text := fmt.Sprintf("at n = %.10g it was stopped at %.3g times what %s expects there", chosen.least.n, chosen.least.y/chosen.curve.at(chosen.least.n), chosen.curve.name())
		possible := slices.DeleteFunc(slices.Clone(tried), func(t trial) bool {
			return t.least != nil || math.Sqrt(t.error) > max(goodShape, 3*math.Sqrt(chosen.error))
		})
		switch {
		case chosen.curve.b == 0:
			// What fits noise may happen to expect enough.
			fit.doubt("limit", "%s, which fits all smaller sizes: it jumps, or begins to grow, where nothing was measured", text)
			return fit
		case len(possible) > 0:
			text += ", which fits the smaller sizes best"
			chosen = chosenOf(possible)
		default:
			text += ": it grows faster than that, or jumps"
		}
		fit.doubt("limit", "%s", text)
	}
	fit.take(chosen, f, tried, confidence)
	return fit
}

// A bound is a size at which the value is at least y.
type bound struct{ n, y float64 }

// boundsOf takes out what was stopped.
func boundsOf(n, y []float64, stopped []bool) (ns, ys []float64, bounds []bound) {
	if stopped == nil {
		return n, y, nil
	}
	for i, is := range stopped {
		if is {
			bounds = append(bounds, bound{n[i], y[i]})
		} else {
			ns, ys = append(ns, n[i]), append(ys, y[i])
		}
	}
	return ns, ys, bounds
}

// pointsOf sorts by size and leaves out what has no logarithm.
func pointsOf(n, y []float64) (ns, ys []float64, unseen int) {
	order := make([]int, 0, len(n))
	for i := range n {
		switch {
		case !(y[i] > 0):
			unseen++
		case n[i] >= 1 && !math.IsInf(n[i], 0) && !math.IsInf(y[i], 0):
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(n[i], n[k]) })
	for _, i := range order {
		ns, ys = append(ns, n[i]), append(ys, y[i])
	}
	return ns, ys, unseen
}

// take fills in what a chosen model comes to.
func (fit *Fit) take(chosen trial, f *fitter, tried []trial, confidence float64) {
	c := chosen.curve
	fit.Model, fit.A = c.model, c.a
	if c.b > 0 {
		fit.B = c.b / c.unit
	}
	slices.SortStableFunc(tried, func(a, b trial) int { return cmp.Compare(a.error, b.error) })
	for _, t := range tried {
		fit.Others = append(fit.Others, Rival{t.curve.model, math.Sqrt(t.error)})
	}
	fit.Of = Interval{0, math.Inf(1), confidence}
	of := Power
	switch c.model {
	case Power:
		fit.K = c.k
	case Exponential:
		fit.K, of = math.Exp(c.k), Exponential
		fit.Of.Lo = 1
	}
	if i := slices.IndexFunc(tried, func(t trial) bool { return t.curve.model == of }); i >= 0 && tried[i].curve.b > 0 {
		fit.Of = f.intervalOf(tried[i].curve, confidence)
	}
	fit.Why = whyOf(chosen, tried)
	if c.model == Constant {
		fit.Hides = f.hides(c.a, confidence)
		fit.Why += fmt.Sprintf("; growth by more than %s over these sizes would have been seen", percentOf(fit.Hides))
	}
	fit.doubts(chosen, f, tried)
}

// noiseFloor is how well any program's time is known at best: two inputs of one
// size differ, and so do two layouts in memory. It keeps an interval from being
// a point where the numbers are too good.
const noiseFloor = 0.005

// intervalOf is the interval of a curve's exponent or base.
func (f *fitter) intervalOf(c curve, confidence float64) Interval {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(f.n) - c.params)}.Quantile((1 + confidence) / 2)
	lo, hi := f.interval(c, t, noiseFloor)
	grid := c.grid(f.n)
	i := Interval{lo, hi, confidence}
	if c.model == Exponential {
		i.Lo, i.Hi = math.Exp(lo), math.Exp(hi)
	}
	// What the search did not find the end of has none.
	if lo <= grid[0] {
		i.Lo = map[Model]float64{Power: 0, Exponential: 1}[c.model]
	}
	if hi >= grid[len(grid)-1] {
		i.Hi = math.Inf(1)
	}
	return i
}

// hides is by how much a curve could grow that the points, of which a constant
// is chosen, do not contradict: as a share of that, the upper end of the interval
// of what grows evenly, by the logarithm, or at the largest size alone.
func (f *fitter) hides(constant, confidence float64) float64 {
	m := len(f.n)
	first, last := f.n[0], f.n[m-1]
	y, square := make([]float64, m), 0.
	for i := range y {
		y[i] = f.y[i]/constant - 1
		square += y[i] * y[i]
	}
	noise := max(math.Sqrt(square/float64(m-1)), noiseFloor)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(m - 2)}.Quantile((1 + confidence) / 2)
	var most float64
	for _, part := range []func(n float64) float64{
		func(n float64) float64 { return (n - first) / (last - first) },
		func(n float64) float64 { return math.Log(n/first) / math.Log(last/first) },
		func(n float64) float64 { return map[bool]float64{true: 1}[n == last] },
	} {
		x := make([]float64, m)
		for i, n := range f.n {
			x[i] = part(n)
		}
		_, slope := stat.LinearRegression(x, y, nil, false)
		spread := stat.Variance(x, nil) * float64(m-1)
		most = max(most, max(slope, 0)+t*noise/math.Sqrt(spread))
	}
	return most
}

// At is the y that the fit expects at n, NaN if there is no fit.
func (fit *Fit) At(n float64) float64 {
	s := shapeOf(fit.Model)
	switch {
	case s == nil:
		return math.NaN()
	case fit.B == 0:
		return fit.A
	}
	return fit.A + fit.B*s.of(n, fit.rate())
}

// Inverse is the size at which y is reached: +Inf if it never is, 0 if it is
// passed at the start, NaN if there is no fit.
func (fit *Fit) Inverse(y float64) float64 {
	x := (y - fit.A) / fit.B // f at that size
	switch {
	case fit.Model == "":
		return math.NaN()
	case y < fit.A:
		return 0
	case fit.B == 0:
		return math.Inf(1)
	}
	switch fit.Model {
	case Logarithmic:
		return math.Exp(x)
	case Linear:
		return x
	case Linearithmic:
		return linearithm(x)
	case Power:
		return math.Pow(x, 1/fit.K)
	case Exponential:
		return max(math.Log(x)/math.Log(fit.K), 0)
	}
	return math.Inf(1)
}

// rate is K as the shapes take it.
func (fit *Fit) rate() float64 {
	if fit.Model == Exponential {
		return math.Log(fit.K)
	}
	return fit.K
}

// linearithm solves n·ln n = x for n >= 1, by Newton's method in l = ln n,
// l·e^l = x, where it converges from above.
func linearithm(x float64) float64 {
	l := math.Log1p(x)
	for range 64 {
		next := l - (l-x*math.Exp(-l))/(1+l)
		if math.Abs(next-l) <= 1e-15*l {
			break
		}
		l = next
	}
	return math.Exp(l)
}

// shapeOf returns the shape of a model; nil if there is none.
func shapeOf(m Model) *shape {
	for i := range shapes {
		if shapes[i].model == m {
			return &shapes[i]
		}
	}
	return nil
}
