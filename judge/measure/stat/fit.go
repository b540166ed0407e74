package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Model is a family of functions of n by which a quantity grows.
type Model string

const (
	Constant     Model = "constant" // no growth
	Logarithmic  Model = "log n"    // logarithmic growth
	Linear       Model = "n"        // linear growth
	Linearithmic Model = "n log n"  // between linear and quadratic growth
	Power        Model = "n^k"      // a power of n, with a fitted exponent
	Exponential  Model = "c^n"      // exponential growth, with a fitted base
)

// A Fit is the function y = A + B·f(n). The model determines f: 1, ln n, n,
// n·ln n, n^K or K^n. A is the part that does not grow, such as the start of an
// interpreter. Neither A nor B is below 0. The zero value is no fit.
type Fit struct {
	Model Model    // "" if there is no fit
	A, B  float64  // in the unit of y
	K     float64  // the exponent of Power, the base of Exponential
	Of    Interval // of K; for the other models, of the exponent of a fitted Power
	// For Constant: the largest growth over the measured sizes that may be undetected, relative
	// to A: 0.03 is 3 %.
	Hides  float64
	Why    string        // why this model was chosen, one line for people
	Others []Alternative // all models that were compared, the best first
	Doubts []Doubt       // none if nothing was found
}

// An Alternative is a model that was compared.
type Alternative struct {
	Model Model `json:"model"` // the model
	// On sizes that were left out of the fit: the root of the mean square of
	// ln(predicted/measured).
	Error float64 `json:"error"`
}

// Error returns the Error of the chosen model; 0 if there is no fit.
func (fit *Fit) Error() float64 {
	i := slices.IndexFunc(fit.Others, func(r Alternative) bool { return r.Model == fit.Model })
	if i < 0 {
		return 0
	}
	return fit.Others[i].Error
}

// leastSizes is the smallest number of sizes for a fit: without the one left out,
// one more than a model with A and B has constants.
const leastSizes = 4

// FitOf fits y as a function of n. y[i] is the typical value at the size n[i]:
// a median, not a single run, which may be an outlier. Sizes may be in any order
// and are at least 1. FitOf ignores values that are not above 0. If stopped[i] is
// true, the run was stopped and y[i] is a lower bound: no model is fitted to it, but
// FitOf avoids a model that predicts clearly less. stopped may be nil.
//
// The model is the one that best predicts each size from all others, by the
// relative error. A simpler one (fewer constants) is preferred unless the square of
// its error is more than twice as large. This finds the right model at least 19
// times in 20, in simulations with medians of five runs, noise of up to 5 % per
// run, eight sizes or more, and a start-up of at most a tenth of the time at the
// largest size.
//
// The interval of K contains all values that a regression does not reject
// (profile likelihood with Student's t). The noise is estimated from the
// residuals.
//
// There is no fit, but a doubt, if there are fewer than four sizes, or if the
// values are constant and a run at a further size was stopped at far more.
func FitOf(n, y []float64, stopped []bool, confidence float64) Fit {
	ns, ys, bounds, unseen := pointsOf(n, y, stopped)
	var fit Fit
	if unseen > 0 {
		fit.doubt("coarse", "%s with a measured value of 0: the measurement is too coarse", sizes(unseen))
	}
	if len(ns) < leastSizes {
		fit.doubt("few", "%s: a fit needs at least %d", sizes(len(ns)), leastSizes)
		return fit
	}
	f := newFitter(ns, ys)
	tried := f.candidates()
	for i := range tried {
		tried[i].bounded(bounds)
	}
	chosen := chosenOf(tried)
	if chosen.least != nil {
		text := fmt.Sprintf("the run at n = %.10g was stopped at %.3g times the prediction of the model %s", chosen.least.n,
			chosen.least.y/chosen.curve.at(chosen.least.n), chosen.curve.name())
		possible := slices.DeleteFunc(slices.Clone(tried), func(t candidate) bool {
			return t.least != nil || math.Sqrt(t.error) > max(goodShape, 3*math.Sqrt(chosen.error))
		})
		switch {
		case chosen.curve.b == 0:
			// Another model that fits the noise may predict enough by chance.
			fit.doubt("limit", "%s, which fits all smaller sizes: the value jumps, or starts to grow, between the measured "+
				"sizes", text)
			return fit
		case len(possible) > 0:
			text += ", which fits the smaller sizes best"
			chosen = chosenOf(possible)
		default:
			text += ": the value grows faster, or jumps"
		}
		fit.doubt("limit", "%s", text)
	}
	fit.take(chosen, f, tried, confidence)
	return fit
}

// A bound is a size at which the value is y or more.
type bound struct{ n, y float64 }

// pointsOf separates the measured sizes, in increasing order, from those that were
// stopped. It leaves out values that are infinite or not above 0; unseen counts the
// latter.
func pointsOf(n, y []float64, stopped []bool) (ns, ys []float64, bounds []bound, unseen int) {
	for i := range n {
		switch {
		case stopped != nil && stopped[i]:
			bounds = append(bounds, bound{n[i], y[i]})
		case !(y[i] > 0):
			unseen++
		case n[i] >= 1 && !math.IsInf(n[i], 0) && !math.IsInf(y[i], 0):
			ns, ys = append(ns, n[i]), append(ys, y[i])
		}
	}
	stat.SortWeighted(ns, ys)
	return ns, ys, bounds, unseen
}

// take sets the fields from the chosen model.
func (fit *Fit) take(chosen candidate, f *fitter, tried []candidate, confidence float64) {
	c := chosen.curve
	fit.Model, fit.A = c.model, c.a
	if c.b > 0 {
		fit.B = c.b / c.unit
	}
	slices.SortStableFunc(tried, func(a, b candidate) int { return cmp.Compare(a.error, b.error) })
	for _, t := range tried {
		fit.Others = append(fit.Others, Alternative{t.curve.model, math.Sqrt(t.error)})
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
	if i := slices.IndexFunc(tried, func(t candidate) bool { return t.curve.model == of }); i >= 0 &&
		tried[i].curve.b > 0 {
		fit.Of = f.interval(tried[i].curve, confidence)
	}
	fit.Why = whyOf(chosen, tried)
	if c.model == Constant {
		fit.Hides = f.hides(c.a, confidence)
		fit.Why += fmt.Sprintf("; growth by more than %s over these sizes would have been seen", percentOf(fit.Hides))
	}
	fit.doubts(chosen, f, tried)
}

// hides returns the largest growth, relative to the constant, that points fitted by
// the constant do not contradict. It is the upper end of an interval for linear
// growth, logarithmic growth, or growth at the largest size alone.
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

// At returns the y that the fit predicts at n; NaN if there is no fit.
func (fit *Fit) At(n float64) float64 {
	if fit.Model == "" {
		return math.NaN()
	}
	c := curve{shape: shapeOf(fit.Model), a: fit.A, b: fit.B, k: fit.rate(), unit: 1}
	return c.at(n)
}

// Inverse returns the size at which the fit reaches y: +Inf if it never does, 0 if
// y is below A, NaN if there is no fit.
func (fit *Fit) Inverse(y float64) float64 {
	switch {
	case fit.Model == "":
		return math.NaN()
	case y < fit.A:
		return 0
	case fit.B == 0:
		return math.Inf(1)
	}
	return shapeOf(fit.Model).inverse((y-fit.A)/fit.B, fit.rate())
}

// rate returns K as a parameter of the shape.
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
	i := slices.IndexFunc(shapes, func(s shape) bool { return s.model == m })
	if i < 0 {
		return nil
	}
	return &shapes[i]
}
