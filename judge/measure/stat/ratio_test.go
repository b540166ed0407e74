package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// TestPairedKeepsItsWord checks that wrong claims and intervals without the true
// ratio are no more frequent than stated. The table, shown with -v, also has the
// share of differences that are seen, and the width of the interval relative to
// that of Student's t for two means, which ignores the pairs. The last column is
// the share of Student's intervals that miss. If the two noises have different
// shapes, the ratio of the means differs from the ratio of pairs.
func TestPairedKeepsItsWord(t *testing.T) {
	t.Parallel()
	const n, confidence = 20, 0.95
	quantile := distuv.StudentsT{Sigma: 1, Nu: 2*n - 2}.Quantile((1 + confidence) / 2)
	table := fmt.Sprintf("%d pairs, confidence %.2f\n%-21s %10s %6s %6s %6s %8s %8s\n", n, confidence, "noise", "difference", "wrong", "seen", "missed", "width/t", "t missed")
	for _, s := range noises {
		r := rand.New(rand.NewPCG(1, 1))
		// Drift is the same for both runs of a pair, so their ratio does not depend on it.
		m := medianOf(func() float64 { return s.program(r, 0, 1) - s.reference(r, 0, 1) })
		for _, factor := range []float64{1, 1.01, 1.05, 2} {
			total := rounds(1000)
			wrong, missed, seen, missedByT, width, widthByT := 0, 0, 0, 0, 0.0, 0.0
			for range total {
				a, b := times(r, s.program, n, factor*math.Exp(-m)), times(r, s.reference, n, 1)
				got := pairedOnOne(a, b, confidence)
				switch {
				case got.Claim == Faster, got.Claim == Slower && factor == 1:
					wrong++
				case got.Claim == Slower:
					seen++
				}
				if !got.Holds(factor) {
					missed++
				}
				byT := means(a, b, quantile)
				if !byT.Holds(math.Log(factor)) {
					missedByT++
				}
				width, widthByT = width+math.Log(got.Hi/got.Lo), widthByT+byT.Hi-byT.Lo
			}
			table += fmt.Sprintf("%-21s %10.2f %6.3f %6.3f %6.3f %8.2f %8.3f\n", s.name, factor, part(wrong, total), part(seen, total), part(missed, total), width/widthByT, part(missedByT, total))
			if often(wrong, total, 1-confidence) {
				t.Errorf("%s, %v times as slow: %d of %d claims are wrong", s.name, factor, wrong, total)
			}
			if often(missed, total, 1-confidence) {
				t.Errorf("%s, %v times as slow: %d of %d intervals miss the true ratio", s.name, factor, missed, total)
			}
			if factor == 2 && often(total-seen, total, 0.01) {
				t.Errorf("%s: twice as slow is seen in %d of %d only", s.name, seen, total)
			}
		}
	}
	t.Log("\n" + table)
}

// means returns the interval of the difference between the means of the
// logarithms of two samples, as if these were normal and independent.
func means(a, b []float64, quantile float64) Interval {
	x, u := stat.MeanVariance(logsOf(a), nil)
	y, v := stat.MeanVariance(logsOf(b), nil)
	half := quantile * math.Sqrt(u/float64(len(a))+v/float64(len(b)))
	return Interval{Lo: x - y - half, Hi: x - y + half}
}

// TestLeastIsSeen checks that a difference of Least is seen in about four of five
// measurements, and in fewer if programs are measured separately and tails are
// long.
func TestLeastIsSeen(t *testing.T) {
	t.Parallel()
	table := fmt.Sprintf("%-9s %-12s %4s %6s %10s %6s\n", "measured", "noise", "n", "level", "least", "seen")
	for _, how := range []struct {
		name    string
		compare func(program, reference []float64, confidence float64) Ratio
		trials  int
		sizes   []int
		least   float64
	}{
		{"together", pairedOnOne, 500, []int{6, 10, 20, 40}, 0.7},
		{"apart", Unpaired, 200, []int{10, 20}, 0.6},
	} {
		for _, s := range noises[:6] {
			for _, n := range how.sizes {
				for _, confidence := range []float64{0.95, 0.999} {
					r := rand.New(rand.NewPCG(2, 2))
					seen, total, least := 0, 0, 0.0
					for range rounds(how.trials) {
						said := how.compare(times(r, s.program, n, 1), times(r, s.reference, n, 1), confidence).Least
						if math.IsInf(said, 1) {
							break // there are too few runs for a claim
						}
						total++
						least += math.Log1p(said)
						if how.compare(times(r, s.program, n, 1+said), times(r, s.reference, n, 1), confidence).Claim == Slower {
							seen++
						}
					}
					if total == 0 {
						continue
					}
					table += fmt.Sprintf("%-9s %-12s %4d %6.3f %10.3f %6.2f\n", how.name, s.name, n, confidence, least/float64(total), part(seen, total))
					if often(total-seen, total, 1-how.least) || often(seen, total, 0.95) {
						t.Errorf("%s, %s, n = %d at %v: the least difference is seen in %d of %d, expected about 0.8", how.name, s.name, n, confidence, seen, total)
					}
				}
			}
		}
	}
	t.Log("\n" + table)
}

// TestManyCasesAreCorrected measures equal programs on 20 cases. At most one
// measurement in twenty may have a claim about any case, and at most one in
// twenty a claim about all cases together.
func TestManyCasesAreCorrected(t *testing.T) {
	t.Parallel()
	const n, cases, confidence = 20, 20, 0.95
	r := rand.New(rand.NewPCG(3, 3))
	steps := func(r *rand.Rand, _, _ int) float64 { return math.Log(math.Round(20 + 2*r.NormFloat64())) }
	equal := []noise{normal, wide, skewed, tailed, bimodal, disturbed, drifting, steps}
	level := Level(confidence, 1, cases)
	anyOf, all, total := 0, 0, rounds(600)
	for range total {
		a, b := make([][]float64, cases), make([][]float64, cases)
		claimed := false
		for c := range cases {
			f := equal[c%len(equal)]
			a[c], b[c] = times(r, f, n, float64(c+1)), times(r, f, n, float64(c+1))
			claimed = claimed || pairedOnOne(a[c], b[c], level).Claim != CannotTell
		}
		if claimed {
			anyOf++
		}
		if Paired(a, b, confidence).Claim != CannotTell {
			all++
		}
	}
	t.Logf("%d of %d measurements of %d equal cases have a claim of a case, %d one of all", anyOf, total, cases, all)
	if often(anyOf, total, 1-confidence) || often(all, total, 1-confidence) {
		t.Errorf("%d and %d claims in %d measurements of equal programs", anyOf, all, total)
	}
}

// TestDependentRuns uses noise that is correlated between consecutive runs. If the
// noise is common to both programs, the interval keeps its confidence. If each
// program has its own, the interval may miss more often, and most of the intervals
// that miss have a doubt.
func TestDependentRuns(t *testing.T) {
	t.Parallel()
	const n, rho = 40, 0.6
	walk := func(r *rand.Rand) []float64 {
		xs, x := make([]float64, n), r.NormFloat64()
		for i := range xs {
			xs[i] = x
			x = rho*x + math.Sqrt(1-rho*rho)*r.NormFloat64()
		}
		return xs
	}
	r := rand.New(rand.NewPCG(4, 4))
	total := rounds(1000)
	common, apart, doubted := 0, 0, 0
	for range total {
		both, own, other := walk(r), walk(r), walk(r)
		a, b, x, y := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = math.Exp(0.03*both[i]+normal(r, i, n)), math.Exp(0.03*both[i]+normal(r, i, n))
			x[i], y[i] = math.Exp(0.03*own[i]), math.Exp(0.03*other[i])
		}
		if !pairedOnOne(a, b, 0.95).Holds(1) {
			common++
		}
		got := pairedOnOne(x, y, 0.95)
		if !got.Holds(1) {
			apart++
			if has(got.Doubts, "drift") {
				doubted++
			}
		}
	}
	t.Logf("neighbours with correlation %.1f: %.3f missed if it is common to both, %.3f if each has its own, of which %.2f are doubted", rho, part(common, total), part(apart, total), part(doubted, apart))
	if often(common, total, 0.05) {
		t.Errorf("%d of %d intervals miss although what disturbs is common to both", common, total)
	}
	if often(apart-doubted, apart, 0.5) {
		t.Errorf("%d of %d intervals that miss are doubted, expected most", doubted, apart)
	}
}

func has(doubts []Doubt, kind string) bool {
	for _, d := range doubts {
		if d.Kind == kind {
			return true
		}
	}
	return false
}
