package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestUnpairedKeepsItsWord checks that wrong claims and intervals that miss are no
// more frequent than stated if programs are measured separately, for several
// pairs of distributions. The table also has the width relative to that of the
// usual shortcut, which combines the halves of two intervals as if they were
// standard deviations, and the share of the shortcut's intervals that miss.
func TestUnpairedKeepsItsWord(t *testing.T) {
	t.Parallel()
	const n, confidence = 20, 0.95
	mostly := func(r *rand.Rand, _, _ int) float64 { return two(r, 0.52, 0.01) }
	partly := func(r *rand.Rand, _, _ int) float64 { return two(r, 0.48, 0.01) }
	early := func(r *rand.Rand, _, _ int) float64 { return -0.05 * r.ExpFloat64() }
	all := append(slices.Clone(noises[:5]), noises[6:]...)
	all = append(all, []struct {
		name               string
		program, reference noise
	}{
		{"skewed to mirrored", skewed, early},
		{"normal to wide", normal, wide},
		{"52 % to 48 % slow", mostly, partly},
	}...)
	table := fmt.Sprintf("%d runs each, confidence %.2f\n%-21s %10s %6s %6s %6s %14s %15s\n", n, confidence, "noise", "difference", "wrong", "seen", "missed", "width/shortcut", "shortcut missed")
	for _, s := range all {
		r := rand.New(rand.NewPCG(6, 6))
		m := medianOf(func() float64 { return s.program(r, 0, 1) }) - medianOf(func() float64 { return s.reference(r, 0, 1) })
		for _, factor := range []float64{1, 1.05, 2} {
			total := rounds(300)
			wrong, missed, seen, missedShort, width, short := 0, 0, 0, 0, 0.0, 0.0
			for range total {
				a, b := times(r, s.program, n, factor*math.Exp(-m)), times(r, s.reference, n, 1)
				got := Unpaired(a, b, confidence)
				switch {
				case got.Claim == Faster, got.Claim == Slower && factor == 1:
					wrong++
				case got.Claim == Slower:
					seen++
				}
				if !got.Holds(factor) {
					missed++
				}
				other := shortcut(a, b, confidence)
				if !other.Holds(math.Log(factor)) {
					missedShort++
				}
				width, short = width+math.Log(got.Hi/got.Lo), short+other.Hi-other.Lo
			}
			table += fmt.Sprintf("%-21s %10.2f %6.3f %6.3f %6.3f %14.2f %15.3f\n", s.name, factor, part(wrong, total), part(seen, total), part(missed, total), width/short, part(missedShort, total))
			if often(wrong, total, 1-confidence) || often(missed, total, 1-confidence) {
				t.Errorf("%s, %v times as slow: of %d, %d claims are wrong, %d intervals miss", s.name, factor, total, wrong, missed)
			}
		}
	}
	t.Log("\n" + table)
}

// shortcut returns the interval of the difference of two medians that Zou and
// Donner (2008) compute from the intervals of the medians.
func shortcut(a, b []float64, confidence float64) Interval {
	x, i := Median(logsOf(a), confidence)
	y, k := Median(logsOf(b), confidence)
	return Interval{Lo: x - y - math.Hypot(x-i.Lo, k.Hi-y), Hi: x - y + math.Hypot(i.Hi-x, y-k.Lo)}
}

// TestRegions checks that a region has the right pairs of counts, that its
// probability reaches the confidence, and that its interval is the widest that
// the pairs allow.
func TestRegions(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for _, n := range []int{1, 6, 7, 8, 13, 30, 200} {
		for _, m := range []int{1, 7, 8, 20} {
			for _, confidence := range []float64{0.5, 0.95, 0.999} {
				g := regionOf(n, m, confidence)
				xs, ys := times(r, wide, n, 1), times(r, wide, m, 1)
				slices.Sort(xs)
				slices.Sort(ys)
				most, bounds, probability := math.Inf(-1), true, 0.0
				for k := range n + 1 {
					from, to := g.with(k)
					for l := range m + 1 {
						x, y := float64(2*k-n)/math.Sqrt(float64(n)), float64(2*l-m)/math.Sqrt(float64(m))
						far := max(math.Abs(x), math.Abs(y))
						if x*y < 0 {
							far = math.Hypot(x, y)
						}
						in := from <= l && l <= to
						if in != (far <= g.radius) && math.Abs(far-g.radius) > 1e-6 {
							t.Fatalf("%d and %d runs at %v: %d and %d below the medians, %v deviations off, is in the region of %v: %v", n, m, confidence, k, l, far, g.radius, in)
						}
						switch {
						case !in:
							continue
						case k == n || l == 0:
							bounds = false
						default:
							// The median of xs is at most xs[k], and the median of ys at least ys[l-1].
							most = max(most, xs[k]-ys[l-1])
						}
						probability += distuv.Binomial{N: float64(n), P: 0.5}.Prob(float64(k)) * distuv.Binomial{N: float64(m), P: 0.5}.Prob(float64(l))
					}
				}
				if g.reached < confidence || math.Abs(probability-g.reached) > 1e-9 {
					t.Errorf("%d and %d runs: reached %v, of %v, expected %v", n, m, g.reached, probability, confidence)
				}
				if g.bounds() != bounds || bounds && g.upper(xs, ys) != most {
					t.Errorf("%d and %d runs at %v: bounded: %v, expected %v up to %v", n, m, confidence, g.bounds(), bounds, most)
				}
			}
		}
	}
}

func TestWhoIsNamedFirstIsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		n, m := 1+r.IntN(30), 1+r.IntN(30)
		a, b := times(r, skewed, n, 1), times(r, bimodal, m, 1.1)
		for name, compare := range map[string]func(a, b []float64, confidence float64) Ratio{"Paired": pairedOnOne, "Unpaired": Unpaired} {
			there, back := compare(a, b, 0.95), compare(b, a, 0.95)
			same := func(x, y float64) bool {
				return x == y || math.Abs(x*y-1) < 1e-9 || math.IsInf(x, 1) && y == 0 || x == 0 && math.IsInf(y, 1)
			}
			if !same(there.Ratio, back.Ratio) || !same(there.Lo, back.Hi) || !same(there.Hi, back.Lo) || there.N != back.N ||
				(there.Claim == Faster) != (back.Claim == Slower) {
				t.Fatalf("%s of %d and %d runs is %+v, and the other way %+v", name, n, m, there, back)
			}
		}
	}
}

func TestMedianRatio(t *testing.T) {
	a, b := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []float64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29}
	for _, confidence := range []float64{0.5, 0.99, 0.9999} {
		want := Unpaired(a, b, confidence)
		for range 2 { // computed, and remembered
			if ratio, i := MedianRatio(a, b, confidence); ratio != want.Ratio || i != want.Interval {
				t.Errorf("MedianRatio: %v %v, expected %v %v as Unpaired", ratio, i, want.Ratio, want.Interval)
			}
		}
	}
}
