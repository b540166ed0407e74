package main

// Two sudokus are isomorphic when one becomes the other by renumbering the
// digits, exchanging the bands (three rows), the stacks (three columns), the
// rows within a band and the columns within a stack, and by transposing. That
// keeps the number of solutions, the number of givens and whether each given
// is needed, while a search in a fixed order may become much slower or faster.

// lines returns 0..8 so that bands stay together, in random order.
func lines(r *source) (p [9]int) {
	for i, band := range r.order(3) {
		for j, line := range r.order(3) {
			p[3*i+j] = 3*band + line
		}
	}
	return p
}

func transpose(g grid) (t grid) {
	for c, d := range g {
		t[c%9*9+c/9] = d
	}
	return t
}

// mirror exchanges left and right.
func mirror(g grid) (m grid) {
	for c, d := range g {
		m[c/9*9+8-c%9] = d
	}
	return m
}

func flip(g grid) (f grid) { // exchanges top and bottom
	for c, d := range g {
		f[(8-c/9)*9+c%9] = d
	}
	return f
}

// permute takes row rows[i] and column cols[j] of g to row i and column j.
func permute(g grid, rows, cols [9]int) (p grid) {
	for c := range p {
		p[c] = g[9*rows[c/9]+cols[c%9]]
	}
	return p
}

// renumber replaces each digit d by digits[d-1].
func renumber(g grid, digits [9]byte) grid {
	for c, d := range g {
		if d != 0 {
			g[c] = digits[d-1]
		}
	}
	return g
}

// isomorph returns one of the 9!·2·6^8 images of a grid at random.
func isomorph(g grid, r *source) grid {
	if r.below(2) == 1 {
		g = transpose(g)
	}
	g = permute(g, lines(r), lines(r))
	var digits [9]byte
	for i, d := range r.order(9) {
		digits[i] = byte(d + 1)
	}
	return renumber(g, digits)
}

// The eight symmetries of the square: turn(g, 0) is g itself.
func turn(g grid, k int) grid {
	if k&1 != 0 {
		g = mirror(g)
	}
	if k&2 != 0 {
		g = flip(g)
	}
	if k&4 != 0 {
		g = transpose(g)
	}
	return g
}
