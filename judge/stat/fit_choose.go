package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A trial is a model fitted to all sizes, and how well it predicts each of them
// from the others.
type trial struct {
	curve curve
	error float64 // mean square of ln(predicted/measured)
	least *bound  // what contradicts it: a size that was stopped with clearly more than it expects; nil if none
}

// rough is an error, as a logarithm, at which no model describes the sizes.
const rough = 0.15

// bounded looks whether what was stopped contradicts the model: by far more than
// its predictions miss.
func (t *trial) bounded(bounds []bound) {
	for i, b := range bounds {
		if math.Log(b.y/t.curve.at(b.n)) > max(rough, 3*math.Sqrt(t.error)) {
			t.least = &bounds[i]
			return
		}
	}
}

// trials fits each model that there are enough sizes for.
func (f *fitter) trials() []trial {
	var all []trial
	for i := range shapes {
		s := &shapes[i]
		if s.params > 2 && len(f.n) <= leastSizes {
			continue
		}
		t := trial{curve: f.best(s, 0)}
		for _, square := range f.astray(s, t.curve.k) {
			t.error += square / float64(len(f.n))
		}
		all = append(all, t)
	}
	return all
}

const (
	// clearly is by how much the square of an error must be smaller to tell one
	// model from another. Chance alone makes the error of one constant too many
	// seem smaller, but seldom by that.
	clearly = 2
	// goodEnough is an error that is no reason to look for another model: caches and
	// inputs do as much.
	goodEnough = 0.01
	// goodShape is an error that is no reason to bend a curve by another exponent: a
	// processor that was idle is slower for its first milliseconds, by 20 % where
	// this was measured, and short runs look too long however often they are repeated.
	goodShape = 0.03
)

// beats reports whether one error is clearly smaller than another.
func beats(a, b float64) bool { return beatsBeyond(goodEnough, a, b) }

// beatsBeyond is beats, where errors as small as some do not matter.
func beatsBeyond(some, a, b float64) bool { return (a+some*some)*clearly < b+some*some }

// chosenOf takes the best of each number of constants, and more constants only
// where they are clearly better. The error of a trial is that of sizes it was not
// fitted to.
func chosenOf(tried []trial) trial {
	fewest := slices.MinFunc(tried, func(a, b trial) int { return cmp.Compare(a.curve.params, b.curve.params) }).curve.params
	chosen := tried[0]
	for params := fewest; params <= 3; params++ {
		var best *trial
		for i := range tried {
			if t := &tried[i]; t.curve.params == params && (best == nil || t.error < best.error) {
				best = t
			}
		}
		some := goodEnough
		if chosen.curve.b > 0 {
			some = goodShape // it grows: how exactly is what is asked
		}
		if best != nil && (params == fewest || beatsBeyond(some, best.error, chosen.error)) {
			chosen = *best
		}
	}
	return chosen
}

// name writes a model with its constant: "n^1.52".
func (c *curve) name() string {
	switch c.model {
	case Power:
		return fmt.Sprintf("n^%.2f", c.k)
	case Exponential:
		// Of a base close to 1 the digits after the ones count.
		digits := 1 - math.Floor(math.Log10(math.Expm1(c.k)))
		return fmt.Sprintf("%.*f^n", int(min(max(digits, 1), 9)), math.Exp(c.k))
	}
	return string(c.model)
}

// whyOf says what speaks for the chosen model: its error and that of the nearest
// simpler, equally simple and less simple ones. Tried comes the best first.
func whyOf(chosen trial, tried []trial) string {
	parts := []string{fmt.Sprintf("predicts a size from the others to within %s", offBy(chosen.error))}
	said := map[int]bool{}
	for _, t := range tried {
		order := 0
		switch {
		case t.curve.model == chosen.curve.model:
			continue
		case t.curve.params < chosen.curve.params:
			order = -1
		case t.curve.params > chosen.curve.params:
			order = 1
		}
		if said[order] {
			continue
		}
		said[order] = true
		part := fmt.Sprintf("%s to within %s", t.curve.name(), offBy(t.error))
		if order > 0 && t.error < chosen.error {
			part += ", too little better for one more constant"
		}
		if t.least != nil {
			part += fmt.Sprintf(", but it expects too little at n = %.10g", t.least.n)
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

// doubts says why the model may be another.
func (fit *Fit) doubts(chosen trial, f *fitter, tried []trial) {
	const few, narrow = 6, 16
	c := &chosen.curve
	first, last := f.n[0], f.n[len(f.n)-1]
	if len(f.n) < few {
		fit.doubt("few", "%s: want %d or more to tell models apart", sizes(len(f.n)), few)
	}
	if last/first < narrow && c.model != Exponential {
		fit.doubt("range", "the largest size is only %.3g times the smallest: want %d times to tell models apart", last/first, narrow)
	}
	fit.doubtGrowth(chosen, f)
	fit.doubtExponent(c, f, tried)
	var ties []string
	for i := range tried {
		t := &tried[i]
		if t.curve.model != c.model && t.curve.params == c.params && t.least == nil && !beats(chosen.error, t.error) {
			ties = append(ties, t.curve.name())
		}
	}
	if ties != nil {
		slices.Sort(ties)
		fit.doubt("tie", "%s fits about as well: these sizes do not tell them apart", strings.Join(ties, " or "))
	}
	if math.Sqrt(chosen.error) > rough {
		fit.doubt("rough", "no model is closer than %s: the value jumps, or depends on more than n", offBy(chosen.error))
	}
}

// doubtGrowth tells of values that are start-up for the most part: then few
// sizes, or none, show how they grow.
func (fit *Fit) doubtGrowth(chosen trial, f *fitter) {
	const much, shown, enough = 1. / 3, 0.1, 4
	c := &chosen.curve
	if c.b == 0 {
		if fit.Of.Lo > 0 {
			fit.doubt("start-up", "it may begin to grow at the largest sizes: larger ones would tell")
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
		fit.doubt("start-up", "%s above the start-up by %.0f %% or more: larger ones would tell more", onlySizes(growing), 100*shown)
	case share > much:
		fit.doubt("start-up", "%.0f %% of the value at the largest size does not grow: larger ones would tell more", 100*share)
	}
}

// doubtExponent tells of a model whose own exponent is not in the interval
// that is told beside it: the exponent of the power that comes nearest to its
// curve at these sizes. Where the model is right, an interval of 95 % leaves
// that out once in 20 times.
func (fit *Fit) doubtExponent(c *curve, f *fitter, tried []trial) {
	i := slices.IndexFunc(tried, func(t trial) bool { return t.curve.model == Power })
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
		fit.doubt("exponent", "the exponent is %.*f to %.*f by these sizes, and that of %s is %.2f: %s fits better, unless the smallest sizes are slow for another reason",
			decimals, shown.Lo, decimals, shown.Hi, c.model, own, tried[i].curve.name())
	}
}

func onlySizes(n int) string {
	switch n {
	case 0:
		return "no size is"
	case 1:
		return "only 1 size is"
	}
	return fmt.Sprintf("only %d sizes are", n)
}

func (fit *Fit) doubt(kind, format string, args ...any) {
	fit.Doubts = append(fit.Doubts, Doubt{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

func sizes(n int) string {
	if n == 1 {
		return "1 size"
	}
	return fmt.Sprintf("%d sizes", n)
}
