package check

import "slices"

// A pair is element i of one sequence and the corresponding element k of the other.
type pair struct{ i, k int }

// maxEdits is the maximum number of elements without a counterpart that align
// searches for. The memory of align grows with its square.
const maxEdits = 1000

// align pairs as many of n elements as possible with m others, in order, with
// Myers's greedy algorithm ("An O(ND) difference algorithm and its variations",
// 1986). If more than maxEdits elements have no counterpart, or goOn returns false,
// it stops and pairs elements of equal index.
func align(n, m int, same func(i, k int) bool, goOn func() bool) []pair {
	var pairs []pair
	head := 0
	for head < n && head < m && same(head, head) {
		pairs = append(pairs, pair{head, head})
		head++
	}
	end := 0
	for head < n-end && head < m-end && same(n-1-end, m-1-end) {
		end++
	}
	middle := func(i, k int) bool { return same(head+i, head+k) }
	for _, p := range alignDiffering(n-head-end, m-head-end, middle, goOn) {
		pairs = append(pairs, pair{head + p.i, head + p.k})
	}
	for i := end; i > 0; i-- {
		pairs = append(pairs, pair{n - i, m - i})
	}
	return pairs
}

// A run is a run of consecutive pairs, which ends before the elements i and k, and the
// runs before it.
type run struct {
	i, k   int
	pairs  int // of the elements just before i and k
	before *run
}

// alignDiffering implements align for sequences without a common prefix or suffix.
func alignDiffering(n, m int, same func(i, k int) bool, goOn func() bool) (pairs []pair) {
	if n == 0 || m == 0 {
		return nil
	}
	most := min(n+m, maxEdits)
	// On diagonal d = i-k, reach[most+1+d] ends at the largest i that can be reached
	// with this number of edits.
	reach := make([]*run, 2*most+3)
	for edits := 0; edits <= most && goOn(); edits++ {
		for d := -edits; d <= edits; d += 2 {
			at := most + 1 + d
			before, i := reach[at-1], 0
			switch {
			case edits == 0:
			case d == -edits || d != edits && before.i < reach[at+1].i:
				before = reach[at+1]
				i = before.i
			default:
				i = before.i + 1
			}
			start := i
			for i < n && i-d < m && same(i, i-d) {
				i++
			}
			r := &run{i, i - d, i - start, before}
			if reach[at] = r; i < n || i-d < m {
				continue
			}
			for ; r != nil; r = r.before {
				for e := 1; e <= r.pairs; e++ {
					pairs = append(pairs, pair{r.i - e, r.k - e})
				}
			}
			slices.Reverse(pairs)
			return pairs
		}
	}
	for i := range min(n, m) {
		if same(i, i) {
			pairs = append(pairs, pair{i, i})
		}
	}
	return pairs
}
