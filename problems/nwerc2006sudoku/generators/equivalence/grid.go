package main

import "math/bits"

// A grid holds the digits of 81 cells, row by row; 0 is blank.
type grid [81]byte

func (g grid) String() string {
	for i := range g {
		g[i] += '0'
	}
	return string(g[:])
}

// rows returns g as the input has it: nine lines of nine digits.
func (g grid) rows() string {
	b := make([]byte, 0, len(g)+9)
	for i, d := range g {
		b = append(b, '0'+d)
		if i%9 == 8 {
			b = append(b, '\n')
		}
	}
	return string(b)
}

// parse reads a grid that this program itself contains.
func parse(s string) (g grid) {
	if len(s) != len(g) {
		panic("a listed grid has not 81 digits")
	}
	for i := range g {
		g[i] = s[i] - '0'
	}
	return g
}

// sees reports whether cells i and j share a row, a column or a block.
func sees(i, j int) bool {
	return i/9 == j/9 || i%9 == j%9 || i/27 == j/27 && i%9/3 == j%9/3
}

// allows reports whether digit d at cell i conflicts with no other cell.
func (g *grid) allows(i int, d byte) bool {
	for j := range g {
		if j != i && g[j] == d && sees(i, j) {
			return false
		}
	}
	return true
}

// randomGrid returns a completed grid.
func randomGrid(rng *random) grid {
	var f filler
	f.complete(rng)
	return f.grid
}

// A filler fills a grid; bit d of row, column and block says that digit d is there.
type filler struct {
	grid            grid
	row, col, block [9]uint
}

// complete fills the blank cells at random, the one with the fewest digits
// possible first, and reports whether it could.
func (f *filler) complete(rng *random) bool {
	cell, fewest, choices := -1, 10, uint(0)
	for i, d := range f.grid {
		if d > 0 {
			continue
		}
		free := 0x3fe &^ (f.row[i/9] | f.col[i%9] | f.block[i/27*3+i%9/3])
		if n := bits.OnesCount(free); n < fewest {
			cell, fewest, choices = i, n, free
		}
	}
	if cell < 0 {
		return true
	}
	for _, d := range rng.perm(9) {
		if choices>>(d+1)&1 == 0 {
			continue
		}
		f.put(cell, byte(d+1))
		if f.complete(rng) {
			return true
		}
		f.put(cell, byte(d+1))
	}
	f.grid[cell] = 0
	return false
}

// put writes digit d into a cell; a second time takes it out of the sets again.
func (f *filler) put(cell int, d byte) {
	f.grid[cell] = d
	f.row[cell/9] ^= 1 << d
	f.col[cell%9] ^= 1 << d
	f.block[cell/27*3+cell%9/3] ^= 1 << d
}

// turn returns g turned by 90 degrees to the right.
func (g grid) turn() (t grid) {
	for i := range t {
		t[i] = g[9*(8-i%9)+i/9]
	}
	return t
}

// relabel returns g with its digits renumbered at random, one to one.
func (g grid) relabel(rng *random) grid {
	to := rng.perm(9)
	for i, d := range g {
		if d > 0 {
			g[i] = byte(to[d-1] + 1)
		}
	}
	return g
}

// lines returns a random order of nine rows or columns that keeps threes together.
func lines(rng *random) (order [9]int) {
	for i, big := range rng.perm(3) {
		for j, small := range rng.perm(3) {
			order[3*i+j] = 3*big + small
		}
	}
	return order
}

// scramble returns g after random moves of all four kinds.
func (g grid) scramble(rng *random) (t grid) {
	for range rng.intn(4) {
		g = g.turn()
	}
	rows, cols := lines(rng), lines(rng)
	for i := range t {
		t[i] = g[9*rows[i/9]+cols[i%9]]
	}
	return t.relabel(rng)
}

// keep returns g with n random cells left, which include those of must.
func (g grid) keep(rng *random, n int, must ...int) (t grid) {
	for _, i := range must {
		if t[i] == 0 {
			t[i] = g[i]
			n--
		}
	}
	for _, i := range rng.perm(81) {
		if n > 0 && t[i] == 0 && g[i] > 0 {
			t[i] = g[i]
			n--
		}
	}
	return t
}
