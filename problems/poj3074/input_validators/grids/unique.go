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

// tightest returns a condition with the fewest ways to fulfil it, as a cell and
// the digits to try there: that the cell gets a digit, or that a digit gets a
// place in a row, column or box. No digits are a contradiction; cell -1 says
// that all cells are filled.
func (b *board) tightest() (cell int, digits uint16) {
	var once, twice [27]uint16 // for each unit: digits with a place or filled in; with two places
	var inCell [81]uint16      // the digits that may go there
	cell, fewest := -1, 10
	for c := range inCell {
		row, col, box := c/9, c%9, boxOf(c)
		unit := [3]int{row, 9 + col, 18 + box}
		if b.filled[c] {
			for _, u := range unit {
				once[u] |= 1 << b.digit[c]
				twice[u] |= 1 << b.digit[c]
			}
			continue
		}
		for d := range 9 {
			taken := b.row[d]>>row | b.col[d]>>col | b.box[d]>>box
			inCell[c] |= (^taken & 1) << d
		}
		for _, u := range unit {
			twice[u] |= once[u] & inCell[c]
			once[u] |= inCell[c]
		}
		if n := bits.OnesCount16(inCell[c]); n < fewest {
			cell, digits, fewest = c, inCell[c], n
		}
	}
	if fewest < 2 || cell < 0 {
		return cell, digits
	}
	for u := range once {
		if once[u] != 1<<9-1 {
			return cell, 0
		}
	}
	for c, in := range inCell {
		row, col, box := c/9, 9+c%9, 18+boxOf(c)
		if alone := in &^ (twice[row] & twice[col] & twice[box]); alone != 0 {
			return c, alone & -alone
		}
	}
	return cell, digits
}

// solutions counts up to two solutions. When there are two, cell is one in
// which they differ.
func (b *board) solutions() (n, cell int) {
	var first [81]int8
	var search func() bool
	search = func() bool { // reports that two are known
		at, digits := b.tightest()
		if at < 0 {
			n++
			if n == 1 {
				first = b.digit
				return false
			}
			for cell = 0; first[cell] == b.digit[cell]; cell++ {
			}
			return true
		}
		for ; digits != 0; digits &= digits - 1 {
			d := bits.TrailingZeros16(digits)
			b.put(at, d)
			if search() {
				return true
			}
			b.take(at, d)
		}
		return false
	}
	search()
	return n, cell
}
