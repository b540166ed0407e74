package stat

import "math"

// A beta is a beta distribution with the parameters a and b, which are positive.
type beta struct{ a, b float64 }

// below returns the probability of a value of at most x: the regularized incomplete beta
// function, by its continued fraction (NIST Digital Library of Mathematical Functions,
// 8.17.22), which converges fast below the mean.
func (d beta) below(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (d.a+1)/(d.a+d.b+2):
		return 1 - beta{d.b, d.a}.fraction(1-x)
	}
	return d.fraction(x)
}

// above returns the probability of a value above x, also if it is tiny.
func (d beta) above(x float64) float64 { return beta{d.b, d.a}.below(1 - x) }

// fraction evaluates the continued fraction by the method of Lentz. The number of its terms
// grows with the square root of the parameters.
func (d beta) fraction(x float64) float64 {
	const (
		tiny      = 1e-300
		precision = 1e-15
		mostTerms = 100_000
	)
	notZero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	both, _ := math.Lgamma(d.a + d.b)
	a, _ := math.Lgamma(d.a)
	b, _ := math.Lgamma(d.b)
	scale := math.Exp(both - a - b + d.a*math.Log(x) + d.b*math.Log1p(-x))
	c, e := 1.0, 1/notZero(1-(d.a+d.b)*x/(d.a+1))
	result := e
	for m := 1.0; m < mostTerms; m++ {
		even := m * (d.b - m) * x / ((d.a + 2*m - 1) * (d.a + 2*m))
		e, c = 1/notZero(1+even*e), notZero(1+even/c)
		result *= e * c
		odd := -(d.a + m) * (d.a + d.b + m) * x / ((d.a + 2*m) * (d.a + 2*m + 1))
		e, c = 1/notZero(1+odd*e), notZero(1+odd/c)
		result *= e * c
		if math.Abs(e*c-1) < precision {
			break
		}
	}
	return scale * result / d.a
}

// quantile returns the x with a probability of p below it, for 0 < p < 1.
func (d beta) quantile(p float64) float64 {
	lo, hi := 0.0, 1.0
	for {
		x := (lo + hi) / 2
		switch {
		case x <= lo || x >= hi:
			return x
		case d.below(x) < p:
			lo = x
		default:
			hi = x
		}
	}
}

// studentAbove returns the probability that a variable with Student's distribution is
// above t.
func studentAbove(t, freedom float64) float64 {
	tail := beta{freedom / 2, 0.5}.below(freedom/(freedom+t*t)) / 2
	if t < 0 {
		return 1 - tail
	}
	return tail
}

// studentQuantile returns the t with a probability of p below it, for 0.5 <= p < 1.
func studentQuantile(p, freedom float64) float64 {
	x := beta{freedom / 2, 0.5}.quantile(2 * (1 - p))
	return math.Sqrt(freedom * (1 - x) / x)
}

// headsUpTo returns the probability of at most k heads of n coins.
func headsUpTo(k, n int) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return beta{float64(n - k), float64(k + 1)}.below(0.5)
}

// laplaceQuantile returns the x with a probability of p below it in the Laplace
// distribution with mean 0 and scale 1.
func laplaceQuantile(p float64) float64 {
	if p < 0.5 {
		return math.Log(2 * p)
	}
	return -math.Log(2 * (1 - p))
}

// heads returns the probability of k heads of n coins.
func heads(k, n int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	some, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - some - rest - float64(n)*math.Ln2)
}
