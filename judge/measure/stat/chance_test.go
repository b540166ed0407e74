package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A chanceSampler draws times from a known distribution, so the true chance that
// a time is above a limit is known.
type chanceSampler struct {
	name string
	log  func(*rand.Rand) float64 // draws the logarithm of a time
}

var chanceSamplers = []chanceSampler{
	{"lognormal", func(r *rand.Rand) float64 { return 0.03 * r.NormFloat64() }},
	{"skewed", func(r *rand.Rand) float64 { return 0.02 * (r.ExpFloat64() + r.ExpFloat64()) }},
	{"heavy tails", func(r *rand.Rand) float64 {
		// Student's t with 3 degrees of freedom.
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		return 0.02 * r.NormFloat64() / math.Sqrt((a*a+b*b+c*c)/3)
	}},
	{"two modes", func(r *rand.Rand) float64 {
		if r.Float64() < 0.15 {
			return 0.2 + 0.01*r.NormFloat64()
		}
		return 0.01 * r.NormFloat64()
	}},
}

// limitOf returns the limit that a share p of the times exceeds.
func limitOf(log func(*rand.Rand) float64, p float64) float64 {
	const draws = 200_000
	r := rand.New(rand.NewPCG(7, 7))
	xs := make([]float64, draws)
	for i := range xs {
		xs[i] = log(r)
	}
	slices.Sort(xs)
	return math.Exp(xs[int((1-p)*draws)])
}

// TestChanceCovers compares the intervals with the true chances, for thousands of
// samples of each distribution.
func TestChanceCovers(t *testing.T) {
	inOneGoroutine(t)
	const trials, confidence = 2500, 0.95
	for _, s := range chanceSamplers {
		for _, p := range []float64{0.02, 0.3} {
			for _, n := range []int{5, 12} {
				limit := limitOf(s.log, p)
				r := rand.New(rand.NewPCG(1, uint64(n)))
				misses := 0
				for range trials {
					if !ChanceAbove(timesOf(r, s.log, n), limit, false, Spread{}, confidence).Holds(p) {
						misses++
					}
				}
				// The bound is four standard deviations above the stated rate.
				if most := (1-confidence)*trials + 4*math.Sqrt((1-confidence)*confidence*trials); float64(misses) > most {
					t.Errorf("%s, chance %v, n %d: the interval misses it %d times in %d, expected at most %.0f", s.name, p, n, misses, trials, most)
				}
			}
		}
	}
}

func timesOf(r *rand.Rand, log func(*rand.Rand) float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = math.Exp(log(r))
	}
	return xs
}

// TestPredictionIsWorth measures how often the next number exceeds a limit that
// it should exceed with probability q. The rate is q if logarithms are normal. For
// other distributions, it is within stated multiples of q.
func TestPredictionIsWorth(t *testing.T) {
	inOneGoroutine(t)
	const trials, more, n = 4000, 25, 10
	for _, c := range []struct {
		kind        string
		q           float64
		least, most float64 // of the rate divided by q
	}{
		{"lognormal", 0.1, 0.95, 1.05},
		{"lognormal", 0.01, 0.85, 1.15},
		{"skewed", 0.1, 1, 1.5},
		{"skewed", 0.01, 2, 5},
		{"heavy tails", 0.1, 0.7, 1.2},
		{"heavy tails", 0.01, 1, 3},
		{"two modes", 0.01, 3, 12}, // a mode without a run in the sample cannot be predicted
	} {
		i := slices.IndexFunc(chanceSamplers, func(s chanceSampler) bool { return s.name == c.kind })
		draw := chanceSamplers[i].log
		r := rand.New(rand.NewPCG(2, 3))
		above := 0
		for range trials {
			xs := timesOf(r, draw, n)
			limit := limitPredicted(xs, c.q)
			for range more {
				if draw(r) > limit {
					above++
				}
			}
		}
		got := float64(above) / trials / more / c.q
		t.Logf("%s: what is predicted with %v comes %.2f times as often", c.kind, c.q, got)
		if got < c.least || got > c.most {
			t.Errorf("%s: what is predicted with %v comes %.2f times as often, expected %v to %v", c.kind, c.q, got, c.least, c.most)
		}
	}
}

// limitPredicted returns the logarithm of the limit that the next number exceeds
// with the predicted probability q.
func limitPredicted(xs []float64, q float64) float64 {
	spread := SpreadOf([][]float64{xs})
	lo, hi := math.Log(slices.Min(xs))-1, math.Log(slices.Max(xs))+2
	for range 24 {
		mid := (lo + hi) / 2
		if predicted(xs, math.Exp(mid), spread) > q {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func TestChanceAbove(t *testing.T) {
	near := []float64{0.99, 0.98, 0.97, 0.98, 0.99, 0.96, 0.98, 0.97, 0.99, 0.98}
	for _, c := range []struct {
		name    string
		xs      []float64
		limit   float64
		stopped bool
		others  Spread
		by      Basis
		p       [2]float64 // least and largest P
		lo, hi  float64
	}{
		{"no number says nothing", nil, 1, false, Spread{}, ByRuns, [2]float64{0, 0}, 0, 1},
		{"on both sides their share counts", []float64{0.9, 1.1, 0.9, 1.1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9}, 1, false, Spread{}, ByRuns, [2]float64{0.2, 0.2}, 0.0252, 0.5561},
		{"on one side the spread does", near, 1, false, Spread{}, BySpread, [2]float64{0.03, 0.12}, 0, 0.3085},
		{"far away is almost never", near, 5, false, Spread{}, BySpread, [2]float64{0, 1e-9}, 0, 0.3085},
		{"all above", near, 0.2, false, Spread{}, BySpread, [2]float64{1 - 1e-9, 1}, 0.6915, 1},
		{"what was stopped does not tell its spread", []float64{1.5, 1.5, 1.51}, 1, true, Spread{}, ByRuns, [2]float64{1, 1}, 0.2924, 1},
		{"two numbers do not either", []float64{0.5, 0.51}, 1, false, Spread{}, ByRuns, [2]float64{0, 0}, 0, 0.8419},
		{"equal ones do not either", []float64{0.5, 0.5, 0.5}, 1, false, Spread{}, ByRuns, [2]float64{0, 0}, 0, 0.7076},
		{"stopped ones vary as others do", []float64{1.5, 1.5, 1.51}, 1, true, Spread{0.05, 40}, ByOthers, [2]float64{1 - 1e-7, 1}, 0.2924, 1},
		{"few do, too", []float64{0.5}, 1, false, Spread{0.05, 40}, ByOthers, [2]float64{0, 1e-9}, 0, 0.975},
		{"enough have a spread of their own", near, 1, false, Spread{0.5, 40}, BySpread, [2]float64{0.03, 0.12}, 0, 0.3085},
		{"others of which as little is known do not help", []float64{0.5, 0.51, 0.5}, 1, false, Spread{9, 2}, BySpread, [2]float64{0, 1e-3}, 0, 0.7076},
		{"on both sides others say nothing", []float64{0.9, 1.1}, 1, false, Spread{0.05, 40}, ByRuns, [2]float64{0.5, 0.5}, 0.0126, 0.9874},
		{"the limit itself is not above it", []float64{1, 1, 1}, 1, false, Spread{}, ByRuns, [2]float64{0, 0}, 0, 0.7076},
		{"a clock that showed nothing does not tell", []float64{0, 0, 0.01}, 1, false, Spread{}, ByRuns, [2]float64{0, 0}, 0, 0.7076},
	} {
		got := ChanceAbove(c.xs, c.limit, c.stopped, c.others, 0.95)
		if got.By != c.by || got.P < c.p[0] || got.P > c.p[1] || math.Abs(got.Lo-c.lo) > 1e-4 || math.Abs(got.Hi-c.hi) > 1e-4 || got.N != len(c.xs) {
			t.Errorf("%s: ChanceAbove(%v, %v, %v, %v) = %+v, expected by %s, P in %v, [%v, %v]", c.name, c.xs, c.limit, c.stopped, c.others, got, c.by, c.p, c.lo, c.hi)
		}
	}
}

func TestChanceNot(t *testing.T) {
	c := Chance{P: 0.25, Interval: Interval{0.125, 0.5, 0.95}, N: 7, By: ByRuns}
	if got, want := c.Not(), (Chance{P: 0.75, Interval: Interval{0.5, 0.875, 0.95}, N: 7, By: ByRuns}); got != want {
		t.Errorf("%+v.Not() = %+v, expected %+v", c, got, want)
	}
}

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples [][]float64
		want    Spread
	}{
		{"of nothing", nil, Spread{}},
		{"of one number each", [][]float64{{1}, {2}}, Spread{}},
		{"logarithms count", [][]float64{{1, math.E, math.E * math.E}}, Spread{1, 2}},
		{"pooled by what each is worth", [][]float64{{1, math.E, math.E * math.E}, {5, 5}, {7}}, Spread{math.Sqrt(2. / 3), 3}},
		{"no logarithm, no spread", [][]float64{{0, 1, 2}}, Spread{}},
	} {
		if got := SpreadOf(c.samples); math.Abs(got.Deviation-c.want.Deviation) > 1e-12 || got.Freedom != c.want.Freedom {
			t.Errorf("%s: SpreadOf(%v) = %v, expected %v", c.name, c.samples, got, c.want)
		}
	}
}

func TestShareOf(t *testing.T) {
	is := func(yes, no int) []bool {
		return append(slices.Repeat([]bool{true}, yes), make([]bool, no)...)
	}
	// Clopper and Pearson's interval of 8 of 10 at 95 %.
	if c := ShareOf(is(8, 2), nil, 0.95); c.P != 0.8 || c.N != 10 || math.Abs(c.Lo-0.4439) > 1e-4 || math.Abs(c.Hi-0.9748) > 1e-4 {
		t.Errorf("8 of 10: %+v, expected 0.8 from 0.4439 to 0.9748", c)
	}
	if c := ShareOf(nil, nil, 0.95); c.Lo != 0 || c.Hi != 1 || c.P != 0 {
		t.Errorf("nothing: %+v", c)
	}
	if c := ShareOf(is(20, 0), nil, 0.95); c.P != 1 || c.Hi != 1 || math.Abs(c.Lo-0.8316) > 1e-4 {
		t.Errorf("20 of 20: %+v", c)
	}
	// Unequal weights widen the interval.
	equal := ShareOf(is(5, 5), slices.Repeat([]float64{3}, 10), 0.95)
	unequal := ShareOf(is(5, 5), []float64{9, 1, 1, 1, 1, 9, 1, 1, 1, 1}, 0.95)
	if equal.P != 0.5 || unequal.P != 0.5 || unequal.Lo >= equal.Lo || unequal.Hi <= equal.Hi {
		t.Errorf("equal weights: %+v, unequal ones: %+v", equal, unequal)
	}
}

// TestShareOfCovers counts how often the interval contains the share of a population
// of two strata, one of which is sampled ten times as densely as the other.
func TestShareOfCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const rounds = 2000
	hits := 0
	for range rounds {
		var is []bool
		var weights []float64
		for range 30 {
			is, weights = append(is, random.Float64() < 0.9), append(weights, 1)
		}
		for range 30 {
			is, weights = append(is, random.Float64() < 0.6), append(weights, 10)
		}
		if ShareOf(is, weights, 0.95).Holds((0.9 + 10*0.6) / 11) {
			hits++
		}
	}
	if got := float64(hits) / rounds; got < 0.945 {
		t.Errorf("the interval of 95 %% contains the share in %.1f %% of %d rounds", 100*got, rounds)
	} else {
		t.Logf("contains the share in %.1f %%", 100*got)
	}
}
