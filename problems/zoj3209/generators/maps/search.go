package main

// A search is how a count of steps goes about it. Its steps are the choices of a
// blank cell.
type search struct {
	inOrder bool // the first blank cell, and not one with the fewest rectangles
	bound   bool // what is blank needs as many rectangles as the largest would
	limit   int  // it gives up after so many steps

	steps   int
	least   int
	biggest int
	on      [][]int // the rectangles on a cell
	cells   [][]int // the cells of a rectangle
	covered []bool
	taken   []int // for each rectangle, how many of its cells are covered
}

// run returns the least number of rectangles that cover the map, or -1, and the
// steps. After limit steps the least may be too large.
func (s search) run(t chart) (least, steps int) {
	s.least, s.biggest = len(t.rects)+1, 1
	s.on = make([][]int, t.n*t.m)
	s.covered = make([]bool, t.n*t.m)
	s.cells = make([][]int, len(t.rects))
	s.taken = make([]int, len(t.rects))
	for i, q := range t.rects {
		s.biggest = max(s.biggest, q.area())
		for x := q.x1; x < q.x2; x++ {
			for y := q.y1; y < q.y2; y++ {
				c := t.m*x + y
				s.cells[i] = append(s.cells[i], c)
				s.on[c] = append(s.on[c], i)
			}
		}
	}
	s.cover(0, t.n*t.m)
	if s.least > len(t.rects) {
		return -1, s.steps
	}
	return s.least, s.steps
}

func (s *search) cover(chosen, blank int) {
	if s.steps++; s.steps > s.limit || chosen >= s.least {
		return
	}
	if s.bound && chosen+(blank+s.biggest-1)/s.biggest >= s.least {
		return
	}
	if blank == 0 {
		s.least = chosen
		return
	}
	best, fewest := -1, len(s.cells)+1
	for c, covered := range s.covered {
		if covered {
			continue
		}
		n := 0
		for _, q := range s.on[c] {
			if s.taken[q] == 0 {
				n++
			}
		}
		if n < fewest {
			best, fewest = c, n
		}
		if s.inOrder {
			break
		}
	}
	for _, q := range s.on[best] {
		if s.taken[q] == 0 && s.steps <= s.limit {
			s.flip(q, true, 1)
			s.cover(chosen+1, blank-len(s.cells[q]))
			s.flip(q, false, -1)
		}
	}
}

// flip covers the cells of a rectangle or makes them blank again.
func (s *search) flip(q int, covered bool, by int) {
	for _, c := range s.cells[q] {
		s.covered[c] = covered
		for _, other := range s.on[c] {
			s.taken[other] += by
		}
	}
}
