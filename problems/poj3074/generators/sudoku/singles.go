package main

import "math/bits"

// What a solver without a guess does: nine candidate bits for each cell, and
// cells with one candidate or digits with one place as long as there are any.

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

// bySingles reports whether a grid is solved without a guess.
func bySingles(g grid) bool {
	b, ok := newBoard(g)
	return ok && b.singles() && b.open == 0
}
