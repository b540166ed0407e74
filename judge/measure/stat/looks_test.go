package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// anyMisses returns the probability that the interval of the median, at that
// confidence, misses the true median at one or more of the looks. It is exact:
// whether an interval misses depends only on the count of numbers below the true
// median, and that count is a binomial random walk from look to look.
func anyMisses(looks []int, confidence float64) float64 {
	holds, before := []float64{1}, 0 // holds[k]: probability that k numbers are below the median and no look has missed
	for _, n := range looks {
		more := distuv.Binomial{N: float64(n - before), P: 0.5}
		rank, _ := rankOf(n, confidence)
		next := make([]float64, n+1)
		for k := range n - before + 1 {
			p := more.Prob(float64(k))
			for below, q := range holds {
				if at := below + k; rank <= at && at <= n-rank {
					next[at] += p * q
				}
			}
		}
		holds, before = next, n
	}
	sum := 0.0
	for _, p := range holds {
		sum += p
	}
	return 1 - sum
}

// TestNoRuleOfStoppingBreaksTheLevel computes that the interval misses no more
// often than stated, whatever rule decides at which look to stop.
func TestNoRuleOfStoppingBreaksTheLevel(t *testing.T) {
	for _, most := range []int{10, 20, 100, 320, 1000} {
		for _, confidence := range []float64{0.95, 0.975, 0.99875} {
			looks := Looks(most)
			level := Level(confidence, len(looks), 1)
			paid, unpaid := anyMisses(looks, level), anyMisses(looks, confidence)
			t.Logf("at most %d rounds, confidence %v: %d looks miss with a probability of %.5f; if they were not paid for, %.5f", most, confidence, len(looks), paid, unpaid)
			if paid > 1-confidence {
				t.Errorf("at most %d rounds at %v: missed with a probability of %v", most, confidence, paid)
			}
			if len(looks) > 3 && unpaid < 1.5*(1-confidence) {
				t.Errorf("looks that are not paid for miss with a probability of %v only: the computation sees nothing", unpaid)
			}
		}
	}
}

// TestWhatBonferroniGivesAway computes how much wider Bonferroni's inequality
// makes intervals than necessary. It ignores the dependence between looks and the
// rounding of ranks. The cost is a tenth of the width; only a level that is made
// for one sequence of looks could avoid it.
func TestWhatBonferroniGivesAway(t *testing.T) {
	looks := Looks(320)
	paid := Level(0.95, len(looks), 1)
	lo, hi := 0.95, paid
	for range 20 {
		if mid := (lo + hi) / 2; anyMisses(looks, mid) <= 0.05 {
			hi = mid
		} else {
			lo = mid
		}
	}
	z := func(confidence float64) float64 { return distuv.UnitNormal.Quantile((1 + confidence) / 2) }
	cost := z(paid)/z(hi) - 1
	t.Logf("each of %d looks at %.4f; %.4f would do: intervals are %.1f %% wider than need be", len(looks), paid, hi, 100*cost)
	if cost < 0 || cost > 0.12 {
		t.Errorf("intervals are %.1f %% wider than need be, expected at most a tenth", 100*cost)
	}
}

// TestStoppingWhenItIsPreciseKeepsTheLevel simulates measurements that look after
// 10, 20, 40, … rounds and stop when the interval is narrow enough.
func TestStoppingWhenItIsPreciseKeepsTheLevel(t *testing.T) {
	t.Parallel()
	const confidence, precision, most = 0.95, 0.04, 160
	looks := Looks(most)
	level := Level(confidence, len(looks), 1)
	table := fmt.Sprintf("%-21s %10s %6s %6s %6s %7s\n", "noise", "difference", "wrong", "missed", "seen", "rounds")
	for _, s := range noises {
		r := rand.New(rand.NewPCG(5, 5))
		m := medianOf(func() float64 { return s.program(r, 0, 1) - s.reference(r, 0, 1) })
		for _, factor := range []float64{1, 1.01} {
			total := rounds(600)
			wrong, missed, seen, ran := 0, 0, 0, 0
			for range total {
				logs := make([]float64, 0, most)
				var got Ratio
				for _, n := range looks {
					for i := len(logs); i < n; i++ {
						logs = append(logs, s.program(r, i, most)-s.reference(r, i, most)-m+math.Log(factor))
					}
					if got = ratioOf(logs, 0, level); got.Hi/got.Lo < 1+2*precision {
						break
					}
				}
				ran += got.N
				switch {
				case got.Claim == Faster, got.Claim == Slower && factor == 1:
					wrong++
				case got.Claim == Slower:
					seen++
				}
				if !got.Holds(factor) {
					missed++
				}
			}
			table += fmt.Sprintf("%-21s %10.2f %6.3f %6.3f %6.3f %7.1f\n", s.name, factor, part(wrong, total), part(missed, total), part(seen, total), float64(ran)/float64(total))
			if often(wrong, total, 1-confidence) || often(missed, total, 1-confidence) {
				t.Errorf("%s, %v times as slow: of %d, %d claims are wrong, %d intervals miss", s.name, factor, total, wrong, missed)
			}
		}
	}
	t.Log("\n" + table)
}

func TestLooks(t *testing.T) {
	for _, c := range []struct {
		name string
		most int
		want []int
	}{
		{"few rounds are one look", 7, []int{7}},
		{"ten are one", 10, []int{10}},
		{"each is twice the one before", 80, []int{10, 20, 40, 80}},
		{"the last is the most there are", 100, []int{10, 20, 40, 80, 100}},
	} {
		if got := Looks(c.most); !slices.Equal(got, c.want) {
			t.Errorf("%s: Looks(%d) = %v, expected %v", c.name, c.most, got, c.want)
		}
	}
}

// TestNeeded checks that Needed returns the least n for which rankOf has a rank.
func TestNeeded(t *testing.T) {
	for _, confidence := range []float64{0, 0.5, 0.9, 0.9375, 0.95, 0.99, 0.999, 0.9999, 0.999999} {
		n := 1
		for rank := 0; rank == 0; rank, _ = rankOf(n, confidence) {
			n++
		}
		if got := Needed(confidence); got != n {
			t.Errorf("Needed(%v) = %d, expected %d", confidence, got, n)
		}
	}
	if got := Needed(1); got != 0 {
		t.Errorf("Needed(1) = %d, expected 0: nothing is enough", got)
	}
}
