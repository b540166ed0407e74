package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A truth is the growth of time in a simulation.
type truth struct {
	model   Model
	k       float64 // exponent of Power, base of Exponential
	startup float64 // constant part of the time, as a share of the time at the largest size
	noise   float64 // relative standard deviation of one run
	sizes   int     // number of sizes
}

func (tr truth) String() string {
	return fmt.Sprintf("%s k=%g start-up=%g noise=%g sizes=%d", tr.model, tr.k, tr.startup, tr.noise, tr.sizes)
}

// measure returns sizes and the medians of five runs at each. Sizes double; those
// of Exponential increase by two.
func (tr truth) measure(r *rand.Rand) (n, y []float64) {
	for i := range tr.sizes {
		n = append(n, 100*math.Pow(2, float64(i)))
		if tr.model == Exponential {
			n[i] = float64(4 + 2*i)
		}
	}
	of := Fit{Model: tr.model, A: 0, B: 1, K: tr.k}
	if tr.model == Constant {
		of = Fit{Model: Constant, A: 1}
	}
	top := of.At(n[len(n)-1])
	for _, size := range n {
		var runs [5]float64
		for i := range runs {
			runs[i] = 0.7 * (tr.startup + (1-tr.startup)*of.At(size)/top) * math.Exp(tr.noise*r.NormFloat64())
		}
		slices.Sort(runs[:])
		y = append(y, runs[2])
	}
	return n, y
}

// truths returns all models with each start-up and noise, and 8, 11 and 14 sizes.
func truths(startups, noises []float64) (all []truth) {
	for _, of := range []truth{{model: Constant}, {model: Logarithmic}, {model: Linear}, {model: Linearithmic}, {model: Power, k: 0.5}, {model: Power, k: 1.5}, {model: Power, k: 2}, {model: Power, k: 3}, {model: Exponential, k: 2}} {
		for _, startup := range startups {
			for _, noise := range noises {
				for _, sizes := range []int{8, 11, 14} {
					if of.model != Constant || startup == 0 {
						all = append(all, truth{of.model, of.k, startup, noise, sizes})
					}
				}
			}
		}
	}
	return all
}

// trials returns the number of samples of each truth.
func trials(t *testing.T) int {
	if testing.Short() {
		return 2
	}
	return 6
}

func TestTheRightModelIsFound(t *testing.T) {
	inOneGoroutine(t)
	r := rand.New(rand.NewPCG(20261122, 1))
	fits, right, sure, wronglySure := 0, 0, 0, 0
	for _, tr := range truths([]float64{0, 0.01, 0.1}, []float64{0.01, 0.03, 0.05}) {
		hits := 0
		for range trials(t) {
			n, y := tr.measure(r)
			fit := FitOf(n, y, nil, 0.95)
			fits++
			if fit.A < 0 || fit.B < 0 {
				t.Fatalf("%v: A %v, B %v; neither is ever below 0", tr, fit.A, fit.B)
			}
			if fit.Model == tr.model {
				hits++
			}
			if len(fit.Doubts) == 0 {
				sure++
				if fit.Model != tr.model {
					wronglySure++
				}
			}
		}
		right += hits
		if trials(t) > 2 && 3*hits < trials(t) {
			t.Errorf("%v: the model is found in %d of %d", tr, hits, trials(t))
		}
	}
	t.Logf("%d fits: %d with the right model, %d without a doubt, of these %d wrong", fits, right, sure, wronglySure)
	if share := float64(right) / float64(fits); share < 0.95 {
		t.Errorf("the right model in %.1f %% of %d fits, expected 95 %%", 100*share, fits)
	}
	if share := float64(wronglySure) / float64(sure); share > 0.01 {
		t.Errorf("of %d fits without a doubt %d have the wrong model, expected 1 %% at most", sure, wronglySure)
	}
	if share := float64(sure) / float64(fits); share < 0.8 {
		t.Errorf("only %.1f %% of the fits are without a doubt", 100*share)
	}
}

// TestWhereTheModelCannotBeKnownThereAreDoubts uses a start-up of half of the
// time or more and a noise of 5 %, from which the model cannot be known. A wrong
// model must then have a doubt.
func TestWhereTheModelCannotBeKnownThereAreDoubts(t *testing.T) {
	inOneGoroutine(t)
	r := rand.New(rand.NewPCG(20261122, 2))
	wrong, doubted := 0, 0
	for _, tr := range truths([]float64{0.5, 0.8}, []float64{0.05}) {
		for range trials(t) {
			n, y := tr.measure(r)
			if fit := FitOf(n, y, nil, 0.95); fit.Model != tr.model {
				wrong++
				if len(fit.Doubts) > 0 {
					doubted++
				}
			}
		}
	}
	t.Logf("%d wrong models, %d of them doubted", wrong, doubted)
	if wrong < 10 {
		t.Fatalf("%d wrong models: the data is too good for this test", wrong)
	}
	// The bound is two standard deviations below 95 %.
	if least := 0.95*float64(wrong) - 2*math.Sqrt(0.95*0.05*float64(wrong)); float64(doubted) < least {
		t.Errorf("of %d wrong models %d are doubted, expected %.0f", wrong, doubted, least)
	}
}

func TestTheIntervalHoldsTheTrueExponent(t *testing.T) {
	inOneGoroutine(t)
	r := rand.New(rand.NewPCG(20261122, 3))
	for _, confidence := range []float64{0.95, 0.8} {
		held, all, wide := 0, 0, 0
		for _, tr := range truths([]float64{0, 0.01, 0.1, 0.3}, []float64{0.02, 0.05}) {
			if tr.model == Linear {
				tr.k = 1 // Linear is Power with the exponent 1
			}
			if tr.k == 0 {
				continue
			}
			for range trials(t) {
				n, y := tr.measure(r)
				fit := FitOf(n, y, nil, confidence)
				if fit.Model != tr.model {
					continue // the interval is of the parameter of another model
				}
				all++
				if fit.Of.Holds(tr.k) {
					held++
				}
				if fit.Of.Hi-fit.Of.Lo > 1 {
					wide++
				}
			}
		}
		share := float64(held) / float64(all)
		t.Logf("at %v: %d of %d intervals hold the truth (%.1f %%), %d are wider than 1", confidence, held, all, 100*share, wide)
		// The slack is three standard deviations.
		if slack := 3 * math.Sqrt(confidence*(1-confidence)/float64(all)); share < confidence-slack || share > confidence+slack+0.03 {
			t.Errorf("intervals of %v: %d of %d hold the true exponent", confidence, held, all)
		}
		if wide > all/10 {
			t.Errorf("intervals of %v: %d of %d are wider than 1", confidence, wide, all)
		}
	}
}

func TestDoubtsOfFits(t *testing.T) {
	exact := func(f Fit, n ...float64) (x, y []float64) {
		for _, size := range n {
			y = append(y, f.At(size))
		}
		return n, y
	}
	linear := Fit{Model: Linear, A: 1e-3, B: 1e-6}
	doubling := []float64{1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3}
	for _, tt := range []struct {
		name  string
		n, y  []float64
		model Model
		kinds string
	}{
		{"enough, and exact", doubling, second(exact(linear, doubling...)), Linear, ""},
		{"order is no matter", []float64{8, 1, 4, 2, 16, 64, 32}, []float64{8, 1, 4, 2, 16, 64, 32}, Linear, ""},
		{"three sizes", []float64{1, 2, 4}, []float64{1, 2, 4}, "", "few"},
		{"none at all", nil, nil, "", "few"},
		{"five sizes", doubling[3:], second(exact(linear, doubling[3:]...)), Linear, "few"},
		{"a small range", []float64{100, 150, 200, 250, 300, 350, 400}, []float64{100, 150, 200, 250, 300, 350, 400}, Linear, "range"},
		{"mostly start-up", doubling, second(exact(Fit{Model: Linear, A: 1, B: 1e-5}, doubling...)), Linear, "start-up"},
		{"a processor that was idle before", []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}, []float64{2.08, 2.18, 2.63, 3.23, 4.57, 7.31, 12.0, 21.6, 39.8, 76.4, 152}, Linear, "exponent"},
		{"no time at all at first", doubling, []float64{0, 0, 4, 8, 16, 32, 64, 128}, Linear, "coarse"},
		{"jumps", doubling, []float64{1, 1, 1, 9, 9, 9, 81, 81}, "", "rough"},
		{"what is below 1 or endless is left out", append([]float64{0.5, math.Inf(1)}, doubling...), append([]float64{7, 7}, doubling...), Linear, ""},
	} {
		fit := FitOf(tt.n, tt.y, nil, 0.95)
		if got := kindsOf(fit.Doubts); got != tt.kinds && !(tt.kinds == "rough" && strings.Contains(got, "rough")) || tt.model != "" && fit.Model != tt.model {
			t.Errorf("%s: %s %v %+v; expected %s and %q", tt.name, fit.Model, fit.Of, fit.Doubts, tt.model, tt.kinds)
		}
	}
}

// TestWhatWasStopped checks that FitOf uses the value at which a run was stopped
// as a lower bound.
func TestWhatWasStopped(t *testing.T) {
	flat := []float64{1, 1.01, 0.99, 1, 1.01, 1, 0.99, 1}
	line := []float64{2, 3, 5, 9, 17, 33, 65, 129}
	for _, tt := range []struct {
		name    string
		y       []float64
		at      float64 // value at which the run at n = 512 was stopped
		model   Model
		kinds   string
		doubted string
	}{
		{"a line goes on", line, 257, Linear, "", ""},
		{"and is stopped early", line, 100, Linear, "", ""},
		{"or somewhat above it, as noise may", line, 280, Linear, "", ""},
		{"it cannot be a line", line, 1e4, Linear, "limit", "the run at n = 512 was stopped at 38.9 times the prediction of the model n: the value grows faster, or jumps"},
		{"a constant goes on", flat, 1.02, Constant, "", ""},
		{"it cannot be constant", flat, 500, "", "limit", "the run at n = 512 was stopped at 500 times the prediction of the model constant, which fits all smaller sizes"},
	} {
		n := []float64{2, 4, 8, 16, 32, 64, 128, 256, 512}
		stopped := make([]bool, 9)
		stopped[8] = true
		fit := FitOf(n, append(slices.Clone(tt.y), tt.at), stopped, 0.95)
		if without := FitOf(n[:8], tt.y, nil, 0.95); tt.kinds == "" && fit.B != without.B {
			t.Errorf("%s: %v, and %v without what was stopped; expected the same", tt.name, fit.B, without.B)
		}
		kinds, text := kindsOf(fit.Doubts), fmt.Sprint(fit.Doubts)
		if fit.Model != tt.model || kinds != tt.kinds || !strings.Contains(text, tt.doubted) {
			t.Errorf("%s: %s, doubts %s; expected %s, %q", tt.name, fit.Model, text, tt.model, tt.doubted)
		}
	}
	// Of the models that fit all sizes well, FitOf takes one that predicts at least
	// the lower bound.
	grows := Fit{Model: Exponential, B: 1, K: 1.1}
	n, y := []float64{2, 4, 6, 8, 10, 12, 14, 16, 32}, []float64{}
	for _, n := range n {
		y = append(y, grows.At(n)*(1+0.05*math.Cos(5*n)))
	}
	if fit := FitOf(n[:8], y[:8], nil, 0.95); fit.Model == Exponential {
		t.Fatalf("%+v: the data is too good for this test", fit)
	}
	if fit := FitOf(n, y, []bool{8: true}, 0.95); fit.Model != Exponential || !fit.Of.Holds(1.1) {
		t.Errorf("%+v; expected what reaches %v", fit, y[8])
	}
}

func kindsOf(doubts []Doubt) string {
	var kinds []string
	for _, d := range doubts {
		kinds = append(kinds, d.Kind)
	}
	return strings.Join(kinds, " ")
}

// TestWhatAConstantHides checks Hides, the growth that the noise of a constant may
// hide: of samples that grow by twice as much, at most one in 20 gets the model
// Constant with a smaller Hides.
func TestWhatAConstantHides(t *testing.T) {
	inOneGoroutine(t)
	r := rand.New(rand.NewPCG(20261122, 4))
	for _, noise := range []float64{0.001, 0.02, 0.05} {
		constant := truth{Constant, 0, 0, noise, 11}
		var hides float64
		for range 20 {
			n, y := constant.measure(r)
			if fit := FitOf(n, y, nil, 0.95); fit.Model == Constant {
				hides = max(hides, fit.Hides)
				if fit.Hides < noise/2 || fit.Hides > max(5*noise, 0.05) {
					t.Errorf("noise of %v: growth by %v is hidden", noise, fit.Hides)
				}
			}
		}
		missed := 0
		for range 100 {
			n, y := constant.measure(r)
			for i := range y {
				y[i] *= 1 + 2*hides*n[i]/n[len(n)-1]
			}
			if fit := FitOf(n, y, nil, 0.95); fit.Model == Constant && fit.Hides < 2*hides {
				missed++
			}
		}
		if missed > 5 {
			t.Errorf("noise of %v: of 100 that grow by %.3f, %d are constant, and said to hide less", noise, 2*hides, missed)
		}
	}
}

// TestAModelWhoseExponentIsNotInTheInterval checks that a fit has a doubt if the
// interval of the exponent excludes the exponent of the model.
func TestAModelWhoseExponentIsNotInTheInterval(t *testing.T) {
	held, excluded := 0, 0
	for k := 0.95; k < 1.05; k += 0.005 {
		var n, y []float64
		for i := range 12 {
			n = append(n, 100*math.Pow(2, float64(i)))
			y = append(y, math.Pow(n[i], k)*(1+0.002*math.Cos(float64(7*i))))
		}
		switch fit := FitOf(n, y, nil, 0.95); {
		case fit.Model != Linear:
		case strings.Contains(kindsOf(fit.Doubts), "exponent") == fit.Of.Holds(1):
			t.Errorf("n^%.3f: %s, %v, doubts %v", k, fit.Model, fit.Of, fit.Doubts)
		case fit.Of.Holds(1):
			held++
		default:
			excluded++
		}
	}
	if held == 0 || excluded == 0 {
		t.Errorf("of linear fits %d hold 1, and %d do not: expected some of both", held, excluded)
	}
}

func second(_, y []float64) []float64 { return y }

func TestWhatAFitSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	n, y := truth{Linearithmic, 0, 0.01, 0.01, 12}.measure(r)
	fit := FitOf(n, y, nil, 0.95)
	if fit.Model != Linearithmic || len(fit.Others) != 6 || fit.Of.Lo < 1 || fit.Of.Hi > 1.3 {
		t.Fatalf("%+v", fit)
	}
	for _, part := range []string{"predicts a size from the others to within 0.", "; n to within ", "; n^1.0"} {
		if !strings.Contains(fit.Why, part) {
			t.Errorf("why: %s: expected %q in it", fit.Why, part)
		}
	}
	if !slices.IsSortedFunc(fit.Others, func(a, b Alternative) int { return int(1e9 * (a.Error - b.Error)) }) {
		t.Errorf("others: %v: expected the best first", fit.Others)
	}
	constant := FitOf([]float64{1, 2, 4, 8, 16, 32, 64}, []float64{5, 5.01, 5, 4.99, 5, 5.02, 5}, nil, 0.95)
	if constant.Model != Constant || constant.B != 0 || math.Abs(constant.A-5) > 0.01 {
		t.Errorf("%+v; expected a constant of 5", constant)
	}
}

func TestInverseIsTheSizeThatTakesSoLong(t *testing.T) {
	for _, f := range []Fit{
		{Model: Logarithmic, A: 1, B: 2},
		{Model: Linear, A: 1, B: 2},
		{Model: Linearithmic, A: 0, B: 3e-9},
		{Model: Linearithmic, A: 1, B: 2},
		{Model: Power, A: 1, B: 1e-9, K: 2.5},
		{Model: Exponential, A: 1, B: 1e-9, K: 2},
	} {
		for _, n := range []float64{1.5, 10, 47} {
			if got := f.Inverse(f.At(n)); math.Abs(got/n-1) > 1e-6 {
				t.Errorf("%+v: Inverse(At(%v)) = %v", f, n, got)
			}
		}
	}
	for _, tt := range []struct {
		name    string
		f       Fit
		y, want float64
	}{
		{"a constant is never left", Fit{Model: Constant, A: 1}, 2, math.Inf(1)},
		{"and takes what it takes from the start", Fit{Model: Constant, A: 1}, 0.5, 0},
		{"start-up alone takes longer", Fit{Model: Linear, A: 1, B: 1}, 0.5, 0},
		{"2^n begins with one", Fit{Model: Exponential, A: 1, B: 1, K: 2}, 1.5, 0},
	} {
		if got := tt.f.Inverse(tt.y); got != tt.want {
			t.Errorf("%s: %v, expected %v", tt.name, got, tt.want)
		}
	}
	var none Fit
	if !math.IsNaN(none.At(1)) || !math.IsNaN(none.Inverse(1)) {
		t.Errorf("no fit: %v, %v; expected NaN", none.At(1), none.Inverse(1))
	}
}

func TestCrossings(t *testing.T) {
	slow := Fit{Model: Power, A: 0.001, B: 1e-9, K: 2} // with the smaller start-up
	fast := Fit{Model: Linear, A: 0.1, B: 1e-7}
	for _, tt := range []struct {
		name       string
		a, b       Fit
		lo, hi, by float64
		want       []float64
	}{
		{"once", slow, fast, 1, 1e9, 0.05, []float64{10000.0 * (0.005 + math.Sqrt(0.000025+0.99))}},
		{"beyond the range", slow, fast, 1, 1000, 0.05, nil},
		{"parallel", fast, Fit{Model: Linear, A: 0.1, B: 2e-7}, 1, 1e9, 0.05, nil},
		{"a crossing within the errors is none", Fit{Model: Linear, A: 0.1, B: 1.01e-7}, Fit{Model: Linear, A: 0.102, B: 1e-7}, 1, 1e9, 0.05, nil},
		{"twice", Fit{Model: Linear, A: 5, B: 1}, Fit{Model: Power, A: 0, B: 3, K: 0.8}, 1, 1e6, 0.01, []float64{3.89, 217}},
		{"with no fit", slow, Fit{}, 1, 1e9, 0.05, nil},
	} {
		got := Crossings(&tt.a, &tt.b, tt.lo, tt.hi, tt.by)
		if !slices.EqualFunc(got, tt.want, func(a, b float64) bool { return math.Abs(a/b-1) < 0.05 }) {
			t.Errorf("%s: %v, expected %v", tt.name, got, tt.want)
		}
		for _, n := range got {
			if a, b := tt.a.At(n), tt.b.At(n); math.Abs(a/b-1) > 1e-6 {
				t.Errorf("%s: at %v they are %v and %v", tt.name, n, a, b)
			}
		}
	}
}

func BenchmarkFitOf(b *testing.B) {
	n, y := truth{Linearithmic, 0, 0.01, 0.03, 14}.measure(rand.New(rand.NewPCG(1, 1)))
	for b.Loop() {
		FitOf(n, y, nil, 0.95)
	}
}
