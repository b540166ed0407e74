package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A candidate is a model fitted to all sizes, and its error when it predicts each
// size from the others.
type candidate struct {
	curve curve
	error float64 // mean square of ln(predicted/measured)
	least *bound  // a stopped run that contradicts the model, with clearly more than it predicts; nil if none
}

// rough is an error, as a logarithm, above which a model does not fit.
const rough = 0.15

// bounded sets t.least if a stopped run contradicts the model by far more than the
// error of its predictions.
func (t *candidate) bounded(bounds []bound) {
	for i, b := range bounds {
		if math.Log(b.y/t.curve.at(b.n)) > max(rough, 3*math.Sqrt(t.error)) {
			t.least = &bounds[i]
			return
		}
	}
}

// candidates fits each model that has enough sizes.
func (f *fitter) candidates() []candidate {
	var all []candidate
	for i := range shapes {
		s := &shapes[i]
		if s.params > 2 && len(f.n) <= leastSizes {
			continue
		}
		c := f.best(s, 0)
		all = append(all, candidate{curve: c, error: f.leaveOneOut(s, c.k)})
	}
	return all
}

const (
	// clearly is the factor by which the square of an error must be smaller for a
	// model to be better. A superfluous constant reduces the error by chance, but
	// seldom by this factor.
	clearly = 2
	// goodEnough is an error that does not justify another model: caches and inputs
	// cause as much.
	goodEnough = 0.01
	// goodShape is an error that does not justify another exponent: an idle processor
	// is slower for its first milliseconds (20 % in one measurement), so short runs
	// are too long however often they are repeated.
	goodShape = 0.03
)

// beats reports whether the mean square error a is clearly smaller than b. Errors up
// to some make no difference.
func beats(a, b, some float64) bool { return (a+some*some)*clearly < b+some*some }

// chosenOf returns the best candidate. One with more constants must be clearly
// better than all with fewer.
func chosenOf(tried []candidate) candidate {
	var chosen *candidate
	for params := 1; params <= 3; params++ {
		var best *candidate
		for i := range tried {
			if t := &tried[i]; t.curve.params == params && (best == nil || t.error < best.error) {
				best = t
			}
		}
		some := goodEnough
		if chosen != nil && chosen.curve.b > 0 {
			some = goodShape // growth is certain, only the exponent is in question
		}
		if best != nil && (chosen == nil || beats(best.error, chosen.error, some)) {
			chosen = best
		}
	}
	return *chosen
}

// name writes a model with its constant: "n^1.52".
func (c *curve) name() string {
	switch c.model {
	case Power:
		return fmt.Sprintf("n^%.2f", c.k)
	case Exponential:
		// For a base close to 1, print the digits that differ from 1.
		digits := 1 - math.Floor(math.Log10(math.Expm1(c.k)))
		return fmt.Sprintf("%.*f^n", int(min(max(digits, 1), 9)), math.Exp(c.k))
	}
	return string(c.model)
}

// whyOf explains the choice of a model: its error and that of the best simpler,
// equally simple and more complex ones. The tried ones are sorted, the best first.
func whyOf(chosen candidate, tried []candidate) string {
	parts := []string{fmt.Sprintf("predicts a size from the others to within %s", offBy(chosen.error))}
	said := map[int]bool{}
	for _, t := range tried {
		order := cmp.Compare(t.curve.params, chosen.curve.params)
		if t.curve.model == chosen.curve.model || said[order] {
			continue
		}
		said[order] = true
		part := fmt.Sprintf("%s to within %s", t.curve.name(), offBy(t.error))
		if order > 0 && t.error < chosen.error {
			part += ", but not enough better for one more constant"
		}
		if t.least != nil {
			part += fmt.Sprintf(", but its prediction for n = %.10g is too small", t.least.n)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// offBy writes a mean square of logarithms as a relative error.
func offBy(square float64) string {
	return percentOf(math.Expm1(math.Sqrt(square)))
}

// percentOf writes a share in percent, or as a factor if it is large.
func percentOf(share float64) string {
	switch p := 100 * share; {
	case p < 9.95:
		return fmt.Sprintf("%.1f %%", p)
	case p < 200:
		return fmt.Sprintf("%.0f %%", p)
	default:
		return fmt.Sprintf("%.0fx", 1+p/100)
	}
}

// doubts adds the reasons why the model may be wrong.
func (fit *Fit) doubts(chosen candidate, f *fitter, tried []candidate) {
	const few, narrow = 6, 16
	c := &chosen.curve
	first, last := f.n[0], f.n[len(f.n)-1]
	if len(f.n) < few {
		fit.doubt("few", "%s: at least %d are needed to distinguish models", sizes(len(f.n)), few)
	}
	if last/first < narrow && c.model != Exponential {
		fit.doubt("range", "the largest size is only %.3g times the smallest: %d times is needed to distinguish models",
			last/first, narrow)
	}
	fit.doubtGrowth(chosen, f)
	fit.doubtExponent(c, f, tried)
	var ties []string
	for i := range tried {
		t := &tried[i]
		if t.curve.model != c.model && t.curve.params == c.params && t.least == nil &&
			!beats(chosen.error, t.error, goodEnough) {
			ties = append(ties, t.curve.name())
		}
	}
	if ties != nil {
		slices.Sort(ties)
		fit.doubt("tie", "%s fits about as well: these sizes do not distinguish the models", strings.Join(ties, " or "))
	}
	if math.Sqrt(chosen.error) > rough {
		fit.doubt("rough", "no model has an error below %s: the value jumps, or depends on more than n", offBy(chosen.error))
	}
}

// doubtGrowth adds a doubt if the values are mostly start-up, so that few sizes
// show the growth.
func (fit *Fit) doubtGrowth(chosen candidate, f *fitter) {
	const much, shown, enough = 1. / 3, 0.1, 4
	c := &chosen.curve
	if c.b == 0 {
		if fit.Of.Lo > 0 {
			fit.doubt("start-up", "the value may start to grow at the largest sizes: measure larger ones")
		}
		return
	}
	growing := 0
	for _, n := range f.n {
		if c.a < (1-shown)*c.at(n) {
			growing++
		}
	}
	share := c.a / c.at(f.n[len(f.n)-1])
	switch {
	case growing < min(enough, len(f.n)):
		fit.doubt("start-up", "the value is at least %.0f %% above the start-up at only %d of %s: measure larger ones",
			100*shown, growing, sizes(len(f.n)))
	case share > much:
		fit.doubt("start-up", "%.0f %% of the value at the largest size does not grow: measure larger sizes", 100*share)
	}
}

// doubtExponent adds a doubt if the reported interval of the exponent excludes the
// model's own: the exponent of the power that is closest to its curve at these
// sizes. If the model is right, an interval of 95 % excludes it once in 20 times.
func (fit *Fit) doubtExponent(c *curve, f *fitter, tried []candidate) {
	i := slices.IndexFunc(tried, func(t candidate) bool { return t.curve.model == Power })
	if c.b == 0 || c.model == Power || c.model == Exponential || i < 0 {
		return
	}
	own := 1.
	if c.model != Linear {
		y := make([]float64, len(f.n))
		for i, n := range f.n {
			y[i] = c.at(n)
		}
		own = newFitter(f.n, y).best(shapeOf(Power), 0).k
	}
	if !fit.Of.Holds(own) {
		shown, decimals := fit.Of.Outwards(2, own)
		fit.doubt("exponent", "the measured exponent is %.*f to %.*f, but that of %s is %.2f: %s fits better, unless the "+
			"smallest sizes are slow for another reason",
			decimals, shown.Lo, decimals, shown.Hi, c.model, own, tried[i].curve.name())
	}
}

func (fit *Fit) doubt(kind, format string, args ...any) {
	fit.Doubts = append(fit.Doubts, Doubtf(kind, format, args...))
}

func sizes(n int) string {
	if n == 1 {
		return "1 size"
	}
	return fmt.Sprintf("%d sizes", n)
}
