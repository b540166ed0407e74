package check

import (
	"math/rand/v2"
	"testing"
)

func TestAlignFindsALongestCommonSubsequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 3000 {
		a, b := make([]int, rng.IntN(25)), make([]int, rng.IntN(25))
		letters := 1 + rng.IntN(6)
		for i := range a {
			a[i] = rng.IntN(letters)
		}
		for i := range b {
			b[i] = rng.IntN(letters)
		}
		same := func(i, k int) bool { return a[i] == b[k] }
		pairs := align(len(a), len(b), same, func() bool { return true })
		last := pair{-1, -1}
		for _, p := range pairs {
			if p.i <= last.i || p.k <= last.k || !same(p.i, p.k) {
				t.Fatalf("align(%v, %v) = %v", a, b, pairs)
			}
			last = p
		}
		if want := longest(a, b); len(pairs) != want {
			t.Fatalf("align(%v, %v) pairs %d, expected %d", a, b, len(pairs), want)
		}
	}
}

func longest(a, b []int) int {
	best := make([][]int, len(a)+1)
	best[0] = make([]int, len(b)+1)
	for i := range a {
		best[i+1] = make([]int, len(b)+1)
		for k := range b {
			best[i+1][k+1] = max(best[i][k+1], best[i+1][k])
			if a[i] == b[k] {
				best[i+1][k+1] = best[i][k] + 1
			}
		}
	}
	return best[len(a)][len(b)]
}
