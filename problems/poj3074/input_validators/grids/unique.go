package main

import "math/bits"

// A board counts solutions. It keeps for each digit the rows, columns and boxes
// that have it, which no solution of the package does, and shares no code with
// any of them, so that they do not share their mistakes.
type board struct {
	filled [81]bool
	row    [9]uint16 // for each digit, a bit for each row that has it
	col    [9]uint16
	box    [9]uint16
	digit  [81]int8 // of the filled cells, 0 to 8
}

func boxOf(cell int) int { return cell/27*3 + cell%9/3 }

func (b *board) put(cell, d int) {
	b.filled[cell] = true
	b.digit[cell] = int8(d)
	b.row[d] |= 1 << (cell / 9)
	b.col[d] |= 1 << (cell % 9)
	b.box[d] |= 1 << boxOf(cell)
}

func (b *board) take(cell, d int) {
	b.filled[cell] = false
	b.row[d] &^= 1 << (cell / 9)
	b.col[d] &^= 1 << (cell % 9)
	b.box[d] &^= 1 << boxOf(cell)
}

// clash names a unit of the cell that has the digit already, or is "".
func (b *board) clash(cell, d int) string {
	switch {
	case b.row[d]>>(cell/9)&1 != 0:
		return "row"
	case b.col[d]>>(cell%9)&1 != 0:
		return "column"
	case b.box[d]>>boxOf(cell)&1 != 0:
		return "box"
	}
	return ""
}

// A way is a digit for a cell.
type way struct{ cell, digit int }

// A tally counts the places that a unit has for each digit, for all nine digits
// at once: bit d of t[i] is bit i of the count of digit d.
type tally [4]uint16

func (t *tally) add(digits uint16) {
	for i := 0; digits != 0; i++ {
		t[i], digits = t[i]^digits, t[i]&digits
	}
}

// with returns the digits that were counted n times.
func (t *tally) with(n int) uint16 {
	digits := uint16(1<<9 - 1)
	for i, plane := range t {
		digits &= plane ^ (uint16(n>>i&1) - 1) // the plane where n has the bit, else its opposite
	}
	return digits
}

// tightest returns the ways to fulfil a condition that has the fewest of them:
// that a cell gets a digit, or that a digit gets a place in a row, column or box.
// Cells alone are not enough: some grids with few givens would take minutes.
// It is false where all cells are filled.
func (b *board) tightest(ways []way) ([]way, bool) {
	var places [27]tally
	var filled [27]uint16 // the digits that each unit has
	var inCell [81]uint16 // the digits that may go there
	cell, fewest := -1, 10
	for c := range inCell {
		row, col, box := c/9, c%9, boxOf(c)
		unit := [3]int{row, 9 + col, 18 + box}
		if b.filled[c] {
			for _, u := range unit {
				filled[u] |= 1 << b.digit[c]
			}
			continue
		}
		for d := range 9 {
			taken := b.row[d]>>row | b.col[d]>>col | b.box[d]>>box
			inCell[c] |= (^taken & 1) << d
		}
		for _, u := range unit {
			places[u].add(inCell[c])
		}
		if n := bits.OnesCount16(inCell[c]); n < fewest {
			cell, fewest = c, n
			if n < 2 {
				break
			}
		}
	}
	if cell < 0 {
		return ways, false
	}
	if fewest >= 2 {
		for n := range fewest {
			for u := range places {
				if digits := places[u].with(n) &^ filled[u]; digits != 0 {
					d := bits.TrailingZeros16(digits)
					for c, in := range inCell {
						if in>>d&1 != 0 && (c/9 == u || 9+c%9 == u || 18+boxOf(c) == u) {
							ways = append(ways, way{c, d})
						}
					}
					return ways, true
				}
			}
		}
	}
	for digits := inCell[cell]; digits != 0; digits &= digits - 1 {
		ways = append(ways, way{cell, bits.TrailingZeros16(digits)})
	}
	return ways, true
}

// solutions counts up to two solutions. When there are two, cell is one in
// which they differ.
func (b *board) solutions() (n, cell int) {
	var first [81]int8
	var search func() bool
	search = func() bool { // reports that two are known
		var room [9]way
		ways, open := b.tightest(room[:0])
		if !open {
			n++
			if n == 1 {
				first = b.digit
				return false
			}
			for cell = 0; first[cell] == b.digit[cell]; cell++ {
			}
			return true
		}
		for _, w := range ways {
			b.put(w.cell, w.digit)
			if search() {
				return true
			}
			b.take(w.cell, w.digit)
		}
		return false
	}
	search()
	return n, cell
}
