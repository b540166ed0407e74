package main

import "math/bits"

// A counter counts completions by branching on a row or column with the fewest
// squares left. It gives up after so many steps or completions.
type counter struct {
	n           int
	r           *source // if not nil, squares are tried in random order
	most        int     // completions
	mostSteps   int
	found       int
	steps       int
	row         [maxSize]uint32 // where a queen may still stand; all ones if the row has one
	column      [maxSize]int    // of the queen in the row, or -1
	first       [maxSize]int    // the completion found first
	stopped     bool
	openColumns uint32
}

func newCounter(b board, most, mostSteps int) *counter {
	s := &counter{n: b.n, most: most, mostSteps: mostSteps, row: b.free, openColumns: 1<<b.n - 1}
	for r := range s.column {
		s.column[r] = -1
	}
	for r := range b.n {
		if q := b.queen[r]; q != 0 {
			s.put(r, bits.TrailingZeros32(q))
		}
	}
	return s
}

func (s *counter) put(r, c int) {
	s.column[r] = c
	s.openColumns &^= 1 << c
	for i := range s.n {
		if s.column[i] >= 0 {
			continue
		}
		d := max(i-r, r-i)
		s.row[i] &^= 1<<c | 1<<(c+d)
		if c >= d {
			s.row[i] &^= 1 << (c - d)
		}
	}
}

func (s *counter) search() {
	s.steps++
	if s.steps > s.mostSteps || s.found > s.most {
		s.stopped = true
		return
	}
	if s.openColumns == 0 {
		if s.found == 0 {
			s.first = s.column
		}
		s.found++
		return
	}
	bestRow, bestColumn, fewest := -1, -1, maxSize+1
	for r := range s.n {
		if s.column[r] < 0 {
			if k := bits.OnesCount32(s.row[r]); k < fewest {
				bestRow, fewest = r, k
			}
		}
	}
	for open := s.openColumns; open != 0; open &= open - 1 {
		c, k := bits.TrailingZeros32(open), 0
		for r := range s.n {
			if s.column[r] < 0 {
				k += int(s.row[r] >> c & 1)
			}
		}
		if k < fewest {
			bestRow, bestColumn, fewest = -1, c, k
		}
	}
	var squares [][2]int
	for r := range s.n {
		for c := range s.n {
			if s.column[r] < 0 && s.row[r]>>c&1 != 0 && (r == bestRow || c == bestColumn) {
				squares = append(squares, [2]int{r, c})
			}
		}
	}
	order := make([]int, len(squares))
	for i := range order {
		order[i] = i
	}
	if s.r != nil {
		order = s.r.order(len(squares))
	}
	saved := *s
	for _, i := range order {
		s.put(squares[i][0], squares[i][1])
		s.search()
		if s.stopped {
			return
		}
		s.row, s.column, s.openColumns = saved.row, saved.column, saved.openColumns
	}
}

// completions counts completions; ok is false if there are more than the
// statement allows, or if it takes too long to find out.
func completions(b board) (n int, ok bool) {
	s := newCounter(b, mostCompletions, mostSteps)
	s.search()
	return s.found, !s.stopped
}

// rowByRow counts the steps of a search from the first row to the last, up to
// a number of them.
func rowByRow(b board, most int) (steps int) {
	n := b.n
	var fill func(r int, columns, down, up uint32)
	fill = func(r int, columns, down, up uint32) {
		if steps++; r == n || steps >= most {
			return
		}
		can := b.free[r] | b.queen[r]
		if b.queen[r] != 0 {
			can = b.queen[r]
		}
		for can &^= columns | down | up; can != 0 && steps < most; can &= can - 1 {
			q := can & -can
			fill(r+1, columns|q, (down|q)<<1, (up|q)>>1)
		}
	}
	fill(0, 0, 0, 0)
	return steps
}

// placement returns a random placement of n queens, the column of each row's.
func placement(n int, r *source) [maxSize]int {
	for {
		s := newCounter(empty(n), 0, 20*n)
		s.r = r
		s.search()
		if s.found > 0 {
			return s.first
		}
	}
}
