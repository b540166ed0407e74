package check

import "slices"

// A pair says that element i of one sequence corresponds to element k of the other.
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

// alignDiffering implements align for sequences without a common prefix or suffix.
func alignDiffering(n, m int, same func(i, k int) bool, goOn func() bool) []pair {
	if n == 0 || m == 0 {
		return nil
	}
	most := min(n+m, maxEdits)
	// On diagonal d = i-k, reach[most+1+d] is the largest i that this number of
	// edits reaches; steps keeps its state before each round.
	reach := make([]int32, 2*most+3)
	var steps [][]int32
	for edits := 0; edits <= most && goOn(); edits++ {
		steps = append(steps, slices.Clone(reach[most+1-edits:most+2+edits]))
		for d := -edits; d <= edits; d += 2 {
			at := most + 1 + d
			i := int(reach[at-1]) + 1
			if d == -edits || d != edits && reach[at-1] < reach[at+1] {
				i = int(reach[at+1])
			}
			if edits == 0 {
				i = 0
			}
			for i < n && i-d < m && same(i, i-d) {
				i++
			}
			reach[at] = int32(i)
			if i >= n && i-d >= m {
				return trace(steps, n, m)
			}
		}
	}
	var pairs []pair
	for i := range min(n, m) {
		if same(i, i) {
			pairs = append(pairs, pair{i, i})
		}
	}
	return pairs
}

// trace follows the rounds of alignDiffering backwards from the end.
func trace(steps [][]int32, i, k int) []pair {
	var pairs []pair
	for edits := len(steps) - 1; edits >= 0; edits-- {
		reach := steps[edits] // its middle, reach[edits], is diagonal 0
		d := i - k
		from := 0 // start of this round's pairs
		if edits > 0 {
			before := d - 1
			if d == -edits || d != edits && reach[edits+d-1] < reach[edits+d+1] {
				before = d + 1
			}
			from = int(reach[edits+before])
			if before < d {
				from++
			}
			for i > from {
				i, k = i-1, k-1
				pairs = append(pairs, pair{i, k})
			}
			if before < d {
				i--
			} else {
				k--
			}
			continue
		}
		for i > 0 {
			i, k = i-1, k-1
			pairs = append(pairs, pair{i, k})
		}
	}
	slices.Reverse(pairs)
	return pairs
}
