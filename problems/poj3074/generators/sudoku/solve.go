package main

import "math/bits"

// The generator's own solver: nine candidate bits for each cell, singles until
// none is left, then a guess in a cell with the fewest candidates.

const every = 1<<9 - 1 // a bit for each digit, digit 1 lowest

var (
	units = unitCells()
	peers = peerCells(units)
)

// unitCells lists the cells of the nine rows, nine columns and nine boxes.
func unitCells() (u [27][9]int) {
	for i := range 9 {
		for j := range 9 {
			u[i][j] = 9*i + j
			u[9+i][j] = 9*j + i
			u[18+i][j] = 9*(i/3*3+j/3) + i%3*3 + j%3
		}
	}
	return u
}

// peerCells lists for each cell the 20 others that must differ from it.
func peerCells(units [27][9]int) (p [81][20]int) {
	for c := range p {
		var seen [81]bool
		seen[c] = true
		n := 0
		for _, u := range [3]int{c / 9, 9 + c%9, 18 + c/27*3 + c%9/3} {
			for _, other := range units[u] {
				if !seen[other] {
					seen[other] = true
					p[c][n] = other
					n++
				}
			}
		}
	}
	return p
}

// A board is a grid being solved.
type board struct {
	cell [81]byte   // 0 while open
	can  [81]uint16 // candidates of an open cell; 0 once it is filled
	open int
}

// newBoard fills in the givens. ok is false when two of them clash.
func newBoard(g grid) (b board, ok bool) {
	b.open = 81
	for c := range b.can {
		b.can[c] = every
	}
	for c, d := range g {
		if d != 0 && !b.place(c, 1<<(d-1)) {
			return b, false
		}
	}
	return b, true
}

func (b *board) place(c int, digit uint16) bool {
	if b.can[c]&digit == 0 {
		return false
	}
	b.cell[c] = byte(bits.TrailingZeros16(digit)) + 1
	b.can[c] = 0
	b.open--
	for _, p := range peers[c] {
		b.can[p] &^= digit
	}
	return true
}

// singles fills in every cell with one candidate and every digit with one
// place in a unit, as long as there are any. It reports whether the board may
// still have a solution.
func (b *board) singles() bool {
	for placed := true; placed; {
		placed = false
		for c, can := range b.can {
			switch {
			case b.cell[c] != 0:
			case can == 0:
				return false
			case can&(can-1) == 0:
				b.place(c, can)
				placed = true
			}
		}
		for i := range units {
			var once, twice, done uint16
			for _, c := range units[i] {
				twice |= once & b.can[c]
				once |= b.can[c]
				if d := b.cell[c]; d != 0 {
					done |= 1 << (d - 1)
				}
			}
			if once|done != every {
				return false
			}
			for _, c := range units[i] {
				if alone := b.can[c] & once &^ twice; alone != 0 {
					if alone&(alone-1) != 0 {
						return false // two digits have this as their only place
					}
					b.place(c, alone)
					placed = true
				}
			}
		}
	}
	return true
}

// solutions counts the solutions of a grid, up to most, and returns one.
func solutions(g grid, most int) (n int, one grid) {
	b, ok := newBoard(g)
	if ok {
		b.search(most, &n, &one)
	}
	return n, one
}

func (b *board) search(most int, n *int, one *grid) {
	if !b.singles() {
		return
	}
	if b.open == 0 {
		*n++
		*one = b.cell
		return
	}
	c := b.tightest()
	for can := b.can[c]; can != 0 && *n < most; can &= can - 1 {
		next := *b
		next.place(c, can&-can)
		next.search(most, n, one)
	}
}

// tightest returns the first open cell with the fewest candidates.
func (b *board) tightest() int {
	best, fewest := 0, 10
	for c, can := range b.can {
		if k := bits.OnesCount16(can); can != 0 && k < fewest {
			best, fewest = c, k
		}
	}
	return best
}

// fill completes the board with digits in random order, or reports that it
// cannot be.
func (b *board) fill(r *source) bool {
	if !b.singles() {
		return false
	}
	if b.open == 0 {
		return true
	}
	c := b.tightest()
	for _, d := range r.order(9) {
		if next := *b; next.place(c, 1<<d) && next.fill(r) {
			*b = next
			return true
		}
	}
	return false
}

// unique reports whether a grid has exactly one solution.
func unique(g grid) bool {
	n, _ := solutions(g, 2)
	return n == 1
}

// bySingles reports whether a grid is solved without a guess.
func bySingles(g grid) bool {
	b, ok := newBoard(g)
	return ok && b.singles() && b.open == 0
}

// fixedOrder counts the digits that a plain search tries which fills the
// blanks row by row and tries 1 to 9 in each, up to most.
func fixedOrder(g grid, most int) int {
	var row, col, box [9]uint16
	var blanks []int
	for c, d := range g {
		if d == 0 {
			blanks = append(blanks, c)
			continue
		}
		row[c/9] |= 1 << d
		col[c%9] |= 1 << d
		box[c/27*3+c%9/3] |= 1 << d
	}
	tries := 0
	var fill func(i int) bool
	fill = func(i int) bool {
		if i == len(blanks) {
			return true
		}
		c := blanks[i]
		r, k, x := &row[c/9], &col[c%9], &box[c/27*3+c%9/3]
		for d := uint16(2); d < 1<<10; d <<= 1 {
			if tries++; tries >= most {
				return true
			}
			if (*r|*k|*x)&d == 0 {
				*r, *k, *x = *r|d, *k|d, *x|d
				if fill(i + 1) {
					return true
				}
				*r, *k, *x = *r&^d, *k&^d, *x&^d
			}
		}
		return false
	}
	fill(0)
	return tries
}
