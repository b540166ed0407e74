package main

import "slices"

const (
	maxSide = 20
	maxFree = 60
)

// A board has holes where free is false.
type board struct {
	h, w int
	free [maxSide][maxSide]bool
}

func rectangle(h, w int) board {
	b := board{h: h, w: w}
	for r := range h {
		for c := range w {
			b.free[r][c] = true
		}
	}
	return b
}

func (b board) String() string {
	var text []byte
	for r := range b.h {
		for c := range b.w {
			if b.free[r][c] {
				text = append(text, '.')
			} else {
				text = append(text, '#')
			}
		}
		text = append(text, '\n')
	}
	return string(text)
}

// turn returns the board reflected along its main diagonal (4), upside down (2)
// and left to right (1), for the bits of k.
func turn(b board, k int) board {
	t := board{h: b.h, w: b.w}
	if k&4 != 0 {
		t.h, t.w = b.w, b.h
	}
	for r := range b.h {
		for c := range b.w {
			i, j := r, c
			if k&1 != 0 {
				j = b.w - 1 - j
			}
			if k&2 != 0 {
				i = b.h - 1 - i
			}
			if k&4 != 0 {
				i, j = j, i
			}
			t.free[i][j] = b.free[r][c]
		}
	}
	return t
}

// at says whether a square is on the board and free.
func (b *board) at(r, c int) bool {
	return 0 <= r && r < b.h && 0 <= c && c < b.w && b.free[r][c]
}

// A piece is five squares by row and column; in a shape of a piece they are in
// reading order and the first is 0, 0.
type piece [5][2]int

// drawn are the twelve pieces: F, I, L, N, P, T, U, V, W, X, Y, Z.
var drawn = [12]piece{
	{{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 1}},
	{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}},
	{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}},
	{{0, 1}, {1, 1}, {2, 0}, {2, 1}, {3, 0}},
	{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}},
	{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 1}},
	{{0, 0}, {0, 2}, {1, 0}, {1, 1}, {1, 2}},
	{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}},
	{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}},
	{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}},
	{{0, 1}, {1, 0}, {1, 1}, {2, 1}, {3, 1}},
	{{0, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 2}},
}

// shapes are the pieces' different turns and reflections.
var shapes = func() (all [12][]piece) {
	for i, p := range drawn {
		for k := range 8 {
			s := p
			for j, q := range p {
				if k&1 != 0 {
					q[1] = -q[1]
				}
				if k&2 != 0 {
					q[0] = -q[0]
				}
				if k&4 != 0 {
					q[0], q[1] = q[1], q[0]
				}
				s[j] = q
			}
			slices.SortFunc(s[:], func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			for j := 4; j >= 0; j-- {
				s[j][0] -= s[0][0]
				s[j][1] -= s[0][1]
			}
			if !slices.Contains(all[i], s) {
				all[i] = append(all[i], s)
			}
		}
	}
	return all
}()

// fits says whether a shape can lie with its first square there.
func (b *board) fits(s piece, r, c int) bool {
	for _, q := range s {
		if !b.at(r+q[0], c+q[1]) {
			return false
		}
	}
	return true
}

// set makes the squares of a shape free, or not.
func (b *board) set(s piece, r, c int, free bool) {
	for _, q := range s {
		b.free[r+q[0]][c+q[1]] = free
	}
}
