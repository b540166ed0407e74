package main

// A search in a fixed order is quick or slow by the luck of where the blanks
// are and which digits they get, so isomorphs of one puzzle differ by factors of
// thousands.

// tooManyTries is what a search in a fixed order must at least try in a
// puzzle of kind order.
const tooManyTries = 2_000_000

// order makes puzzles whose first line is blank and reads 987654321 in the
// solution, so that a search from there, with digits upward, tries nearly
// everything first. Every eighth looks from another corner; sixteen in a row
// do so for digits upward and downward.
func order(r *source, i int, _ []int) grid {
	base, _ := cited("bruteforce")
	for {
		rows := lines(r)
		if rows[0] != 0 {
			continue // its one blank row must stay the first
		}
		g := permute(base, rows, lines(r))
		_, full := solutions(g, 1)
		var digits [9]byte
		for c := range 9 {
			digits[full[c]-1] = byte(9 - c)
		}
		g = renumber(g, digits)
		if tries(g, rowByRow(g), tooManyTries) < tooManyTries {
			continue
		}
		if i%16 >= 8 {
			g = renumber(g, [9]byte{9, 8, 7, 6, 5, 4, 3, 2, 1})
		}
		return turn(g, i%8)
	}
}

// mildTries is what a search in a fixed order tries at most in a mild puzzle.
const mildTries = 1_000_000

// milder returns the puzzle or the first of its isomorphs in which a search in
// either order does not try much.
func milder(g grid, r *source) grid {
	for tries(g, rowByRow(g), mildTries) >= mildTries || tries(g, fewestFirst(g), mildTries) >= mildTries {
		g = isomorph(g, r)
	}
	return g
}

// rowByRow lists the blanks from first to last.
func rowByRow(g grid) []int {
	var blanks []int
	for c, d := range g {
		if d == 0 {
			blanks = append(blanks, c)
		}
	}
	return blanks
}

// fewestFirst lists the blanks of the row that has the fewest, then those of the
// next, each from left to right. To take a blank of a row with the fewest that
// are left comes to the same, as then that row has fewer.
func fewestFirst(g grid) []int {
	var rows [10][]int // by the number of their blanks
	for r := range 9 {
		n := 0
		for _, d := range g[9*r : 9*r+9] {
			if d == 0 {
				n++
			}
		}
		rows[n] = append(rows[n], r)
	}
	var blanks []int
	for _, some := range rows {
		for _, r := range some {
			for c := 9 * r; c < 9*r+9; c++ {
				if g[c] == 0 {
					blanks = append(blanks, c)
				}
			}
		}
	}
	return blanks
}

// tries counts the digits that a plain search tries which fills the blanks in
// that order, with 1 to 9 in each, up to most.
func tries(g grid, blanks []int, most int) int {
	var row, col, box [9]uint16
	for c, d := range g {
		if d != 0 {
			row[c/9] |= 1 << d
			col[c%9] |= 1 << d
			box[c/27*3+c%9/3] |= 1 << d
		}
	}
	n := 0
	var fill func(i int) bool
	fill = func(i int) bool {
		if i == len(blanks) {
			return true
		}
		c := blanks[i]
		r, k, x := &row[c/9], &col[c%9], &box[c/27*3+c%9/3]
		for d := uint16(2); d < 1<<10; d <<= 1 {
			if n++; n >= most {
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
	return n
}
