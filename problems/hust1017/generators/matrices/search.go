package main

import "math/bits"

// A rule says which open column a search covers next.
type rule int

const (
	fewestFirst rule = iota // one with the fewest rows left, the first of equals
	inOrder                 // the first
)

// search covers a matrix by a rule and says how many rows its cover has, or -1,
// and how many columns it chose on the way. It gives up after limit of them,
// with size -1 and steps more than limit.
func search(a matrix, by rule, limit int) (size, steps int) {
	s := searcher{by: by, limit: limit, size: -1}
	words := (len(a.rows) + 63) / 64
	s.has = make([][]uint64, a.cols)
	for c := range s.has {
		s.has[c] = make([]uint64, words)
	}
	s.ones = a.rows
	for i, row := range a.rows {
		for _, c := range row {
			s.has[c][i/64] |= 1 << (i % 64)
		}
	}
	alive := make([]uint64, words)
	for i := range a.rows {
		alive[i/64] |= 1 << (i % 64)
	}
	s.covered = make([]bool, a.cols)
	s.cover(alive, 0)
	return s.size, s.steps
}

type searcher struct {
	by          rule
	limit       int
	size, steps int
	has         [][]uint64 // the rows with a one in a column
	ones        [][]int
	covered     []bool
}

// cover returns true to end the search.
func (s *searcher) cover(alive []uint64, chosen int) bool {
	if s.steps++; s.steps > s.limit {
		return true
	}
	best, fewest := -1, len(s.ones)+1
	for c, covered := range s.covered {
		if covered {
			continue
		}
		if s.by == inOrder {
			best = c
			break
		}
		n := 0
		for i, rows := range s.has[c] {
			n += bits.OnesCount64(rows & alive[i])
		}
		if n < fewest {
			best, fewest = c, n
		}
	}
	if best < 0 {
		s.size = chosen
		return true
	}
	less := make([]uint64, len(alive))
	for w := range alive {
		for options := s.has[best][w] & alive[w]; options != 0; options &= options - 1 {
			row := s.ones[64*w+bits.TrailingZeros64(options)]
			copy(less, alive)
			for _, c := range row {
				s.covered[c] = true
				for i, rows := range s.has[c] {
					less[i] &^= rows
				}
			}
			if s.cover(less, chosen+1) {
				return true
			}
			for _, c := range row {
				s.covered[c] = false
			}
		}
	}
	return false
}
