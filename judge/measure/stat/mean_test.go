package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// PassAt is the share of the subsets of k samples that have a right one.
func TestPassAt(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				all, pass := 0, 0
				for set := range 1 << n {
					size, right := 0, false
					for i := range n {
						if set>>i&1 == 1 {
							size++
							right = right || i < c
						}
					}
					if size == k {
						all++
						if right {
							pass++
						}
					}
				}
				if got, want := PassAt(n, c, k), float64(pass)/float64(all); math.Abs(got-want) > 1e-12 {
					t.Errorf("PassAt(%d, %d, %d) = %v: expected %v", n, c, k, got, want)
				}
			}
		}
	}
	if got := PassAt(3, 1, 4); !math.IsNaN(got) {
		t.Errorf("PassAt(3, 1, 4) = %v: expected NaN", got)
	}
}

// The interval of a mean has the true mean about as often as it claims.
func TestMean(t *testing.T) {
	inOneGoroutine(t)
	random := rand.New(rand.NewPCG(1, 2))
	const trials, p = 400, 0.3
	held := 0
	for i := range trials {
		xs := make([]float64, 60)
		for j := range xs {
			if random.Float64() < p {
				xs[j] = 1
			}
		}
		mean, in := Mean(xs, 0.95, uint64(i))
		if !in.Holds(mean) {
			t.Fatalf("the interval %v does not have the mean %v", in, mean)
		}
		if in.Holds(p) {
			held++
		}
	}
	if held < trials*91/100 || held > trials*99/100 {
		t.Errorf("%d of %d intervals have the true mean: expected about 95 %%", held, trials)
	}
	if a, b := Mean([]float64{0, 1, 1}, 0.9, 7); a != 2.0/3 || b != func() Interval { _, i := Mean([]float64{0, 1, 1}, 0.9, 7); return i }() {
		t.Error("the same seed has another interval")
	}
	if _, in := Mean([]float64{1}, 0.95, 1); in.Bounded() {
		t.Errorf("one number: %v: expected an unbounded interval", in)
	}
}
