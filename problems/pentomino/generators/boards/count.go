package main

// A counter counts tilings by covering, in each step, a free square that the
// fewest pieces fit on. It gives up after so many steps.
type counter struct {
	board
	used    [12]bool
	left    int // free squares
	tilings int
	steps   int
	most    int // steps
}

// on calls f with every piece that fits on a square, and where its first square
// then is, until f is false.
func (s *counter) on(r, c int, f func(p int, shape piece, r, c int) bool) {
	for p := range shapes {
		if s.used[p] {
			continue
		}
		for _, shape := range shapes[p] {
			for _, q := range shape {
				if s.fits(shape, r-q[0], c-q[1]) && !f(p, shape, r-q[0], c-q[1]) {
					return
				}
			}
		}
	}
}

func (s *counter) search() {
	if s.left == 0 {
		s.tilings++
		return
	}
	if s.steps++; s.steps > s.most {
		return
	}
	row, col, fewest := 0, 0, 1<<30
	for r := range s.h {
		for c := range s.w {
			if !s.free[r][c] {
				continue
			}
			n := 0
			s.on(r, c, func(int, piece, int, int) bool {
				n++
				return n < fewest
			})
			if n < fewest {
				row, col, fewest = r, c, n
			}
		}
	}
	s.on(row, col, func(p int, shape piece, r, c int) bool {
		s.used[p] = true
		s.set(shape, r, c, false)
		s.left -= 5
		s.search()
		s.left += 5
		s.set(shape, r, c, true)
		s.used[p] = false
		return s.steps <= s.most
	})
}

// tilings counts the tilings of a board; ok is false if that takes more than so
// many steps.
func tilings(b board, most int) (n int, ok bool) {
	s := counter{board: b, most: most}
	s.left = free(b)
	if s.left%5 != 0 {
		return 0, true
	}
	s.search()
	return s.tilings, s.steps <= s.most
}

func free(b board) (n int) {
	for r := range b.h {
		for c := range b.w {
			if b.free[r][c] {
				n++
			}
		}
	}
	return n
}
