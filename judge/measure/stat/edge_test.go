package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPairsThatAreNone checks that missing, zero and infinite times cause neither
// a panic nor a wrong claim.
func TestPairsThatAreNone(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	kinds := func(r Ratio) (kinds []string) {
		for _, d := range r.Doubts {
			kinds = append(kinds, d.Kind)
		}
		return kinds
	}
	for _, c := range []struct {
		name               string
		program, reference []float64
		n                  int
		ratio, lo, hi      float64
		claim              Claim
		doubts             []string
	}{
		{"none", nil, nil, 0, nan, 0, inf, CannotTell, []string{"few"}},
		{"too few", []float64{2, 2, 2}, []float64{1, 1.1, 1.2}, 3, 2 / 1.1, 0, inf, CannotTell, []string{"few"}},
		{"six that agree", []float64{2, 2.2, 2.4, 2.6, 2.8, 3}, []float64{1, 1, 1, 1, 1, 1}, 6, math.Sqrt(2.4 * 2.6), 2, 3, Slower, nil},
		{"one list is longer", []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 99}, []float64{2, 2, 2, 2, 2, 2}, 6, math.Sqrt(1.2*1.3) / 2, 0.5, 0.75, Faster, nil},
		{"not measured", []float64{1, nan, 1.2, 1.3, 1.4, -1, 2, inf, 1.6, 1.7}, []float64{2, 2, 2, 2, 2, 2, nan, 2, 2, 2}, 6, math.Sqrt(1.3*1.4) / 2, 0.5, 0.85, Faster, nil},
		{"one that differs is enough for doubt", []float64{3, 1.1, 1.2, 1.3, 1.4, 1.5}, []float64{2, 2, 2, 2, 2, 2}, 6, math.Sqrt(1.3*1.4) / 2, 0.55, 1.5, CannotTell, nil},
		{"one clocked at 0 twice may be anything", []float64{0, 1.1, 1.2, 1.3, 1.4, 1.5}, []float64{0, 2, 2, 2, 2, 2}, 6, 0.65, 0, inf, CannotTell, []string{"coarse"}},
		{"and costs a rank of more", []float64{0, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7}, []float64{0, 2, 2, 2, 2, 2, 2, 2, 2}, 9, math.Sqrt(1.3*1.4) / 2, 0.5, 0.85, Faster, []string{"coarse"}},
		{"clocked at 0 once", []float64{0, 1, 0, 1, 0, 1, 1}, []float64{1, 1, 1, 1, 1, 1, 1}, 7, 1, 0, 1, CannotTell, []string{"coarse"}},
		{"all at 0", make([]float64, 20), make([]float64, 20), 20, nan, 0, inf, CannotTell, []string{"coarse"}},
		{"against 0", slices.Repeat([]float64{1}, 20), make([]float64, 20), 20, inf, inf, inf, Slower, []string{"coarse"}},
		{"counted", slices.Repeat([]float64{1010}, 20), slices.Repeat([]float64{1000}, 20), 20, 1.01, 1.01, 1.01, Slower, nil},
		{"all the same", slices.Repeat([]float64{5}, 20), slices.Repeat([]float64{5}, 20), 20, 1, 1, 1, CannotTell, nil},
	} {
		got := pairedOnOne(c.program, c.reference, 0.95)
		if got.N != c.n || !same(got.Ratio, c.ratio) || !same(got.Lo, c.lo) || !same(got.Hi, c.hi) || got.Claim != c.claim || !slices.Equal(kinds(got), c.doubts) {
			t.Errorf("%s: pairedOnOne(%v, %v) = %+v\nwant n %d, ratio %v in %v to %v, %s, doubts %v", c.name, c.program, c.reference, got, c.n, c.ratio, c.lo, c.hi, c.claim, c.doubts)
		}
		if !(got.Least > 0) || got.Lo == 0 && !math.IsInf(got.Least, 1) {
			t.Errorf("%s: the least difference is %v", c.name, got.Least)
		}
	}
}

// TestHardValues checks for random lists of extreme values that no function
// panics and that claims agree with their intervals.
func TestHardValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	hard := []float64{0, 0, 1, 1, 2, 1e-300, 1e300, math.SmallestNonzeroFloat64, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1), -1, math.Copysign(0, -1)}
	list := func() []float64 {
		xs := make([]float64, r.IntN(25))
		for i := range xs {
			xs[i] = hard[r.IntN(len(hard))]
		}
		return xs
	}
	check := func(what string, got Ratio, a, b any) {
		if (got.Claim == Faster) != (got.Hi < 1) || (got.Claim == Slower) != (got.Lo > 1) || !(got.Lo >= 0) || !(got.Hi >= got.Lo) || !(got.Least > 0) || !(got.Confidence >= 0.9) {
			t.Fatalf("%s(%v, %v) = %+v", what, a, b, got)
		}
	}
	for range rounds(2000) {
		a, b, x, y := list(), list(), list(), list()
		check("Paired", pairedOnOne(a, b, 0.9), a, b)
		check("Unpaired", Unpaired(a, b, 0.9), a, b)
		check("Paired on two cases", Paired([][]float64{a, x}, [][]float64{b, y}, 0.9), [][]float64{a, x}, [][]float64{b, y})
		Summarize(a, 0.9)
	}
	check("Paired on two cases", Paired(nil, nil, 0.9), nil, nil)
}

// TestPairedOnSeveralCases checks that the ratio over several cases is the
// geometric mean of their ratios.
func TestPairedOnSeveralCases(t *testing.T) {
	one := func(xs ...float64) []float64 { return xs }
	got := Paired(
		[][]float64{one(2, 2, 2, 2, 2, 2), one(8, 8.1, 8.2, 8.3, 8.4, 8.5, 7)},
		[][]float64{one(1, 1, 1, 1, 1, 1, 1), one(1, 1, 1, 1, 1, 1)}, 0.95)
	if got.N != 6 || !same(got.Lo, 4) || !same(got.Hi, math.Sqrt(17)) || got.Claim != Slower {
		t.Errorf("Paired of twice and eight times = %+v, expected 4", got)
	}
	got = Paired([][]float64{one(2, 2, 2, 2, 2, 2), one(8, 8, math.NaN(), 8, 8, 8)}, [][]float64{one(1, 1, 1, 1, 1, 1), one(1, 1, 1, 1, 1, 1)}, 0.95)
	if got.N != 5 || got.Claim != CannotTell {
		t.Errorf("Paired with a round that lacks a case = %+v, expected 5 rounds and no claim", got)
	}
}

func TestUnpairedEdges(t *testing.T) {
	up := func(n int, from float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = from + float64(i)*0.01
		}
		return xs
	}
	for _, c := range []struct {
		name    string
		a, b    []float64
		claim   Claim
		bounded bool
		few     bool
	}{
		{"none", nil, nil, CannotTell, false, true},
		{"six of each are too few", up(6, 1), up(6, 2), CannotTell, false, true},
		{"seven are enough", up(7, 1), up(7, 2), Faster, true, false},
		{"many do not help few", up(100, 1), up(4, 2), CannotTell, false, true},
		{"zeros on one side", make([]float64, 20), up(20, 1), Faster, true, false},
		{"zeros on both", make([]float64, 20), make([]float64, 20), CannotTell, false, false},
	} {
		got := Unpaired(c.a, c.b, 0.95)
		if got.Claim != c.claim || !math.IsInf(got.Hi, 1) != c.bounded || has(got.Doubts, "few") != c.few {
			t.Errorf("%s: Unpaired = %+v", c.name, got)
		}
	}
	steps := slices.Repeat([]float64{5, 6, 5, 5, 5, 5}, 4)
	if got := Unpaired(steps, slices.Repeat([]float64{5, 6}, 12), 0.95); got.Least < 0.35 {
		t.Errorf("the least difference of runs in steps of a fifth is %v", got.Least)
	}
	if got := pairedOnOne(steps, steps[1:], 0.95); got.Least < 0.35 {
		t.Errorf("the least difference of pairs in steps of a fifth is %v", got.Least)
	}
}
