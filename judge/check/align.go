package check

import "slices"

// A match of alignment: element i of one sequence is element k of the other.
type pair struct{ i, k int }

// maxEdits bounds the elements without counterpart that align looks for; its
// memory grows with the square.
const maxEdits = 1000

// align pairs as many of n elements as can be with m others, in order, by
// Myers's greedy algorithm ("An O(ND) difference algorithm and its variations",
// 1986). It gives up when more than maxEdits elements remain without a
// counterpart or goOn says so, and then pairs elements of equal number.
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

// alignDiffering is align for sequences without a common beginning or end.
func alignDiffering(n, m int, same func(i, k int) bool, goOn func() bool) []pair {
	if n == 0 || m == 0 {
		return nil
	}
	most := min(n+m, maxEdits)
	// On diagonal d = i-k, reach[most+1+d] is how far i comes with so many edits;
	// steps keeps what it was before each round.
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

// trace walks back from the end through the rounds of alignDiffering.
func trace(steps [][]int32, i, k int) []pair {
	var pairs []pair
	for edits := len(steps) - 1; edits >= 0; edits-- {
		reach := steps[edits] // its middle, reach[edits], is diagonal 0
		d := i - k
		from := 0 // where this round's stretch of pairs began
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
