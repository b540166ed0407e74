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

// An option is a digit in a cell.
type option struct{ cell, d int8 }

// tightest returns the options of a condition that has the fewest: that a cell
// gets a digit, or that a digit gets a place in a row, column or box. No options
// are a contradiction, unless done reports that all cells are filled.
func (b *board) tightest() (options []option, done bool) {
	var inCell [81]uint16        // the digits that may go there
	var once, twice [3][9]uint16 // for units of each kind: digits with a place, with two or more
	var place [3][9][9]int8      // a place of a digit in a unit
	best, fewest, open := 0, 10, 0
	for cell := range inCell {
		if b.filled[cell] {
			continue
		}
		open++
		unit := [3]int{cell / 9, cell % 9, boxOf(cell)}
		for d := range 9 {
			if b.row[d]>>unit[0]&1 == 0 && b.col[d]>>unit[1]&1 == 0 && b.box[d]>>unit[2]&1 == 0 {
				inCell[cell] |= 1 << d
				for k, u := range unit {
					place[k][u][d] = int8(cell)
				}
			}
		}
		for k, u := range unit {
			twice[k][u] |= once[k][u] & inCell[cell]
			once[k][u] |= inCell[cell]
		}
		if n := bits.OnesCount16(inCell[cell]); n < fewest {
			best, fewest = cell, n
		}
	}
	if open == 0 {
		return nil, true
	}
	if fewest == 0 {
		return nil, false
	}
	for k, has := range [3]*[9]uint16{&b.row, &b.col, &b.box} {
		for u := range 9 {
			for d := range 9 {
				switch {
				case has[d]>>u&1 != 0:
				case once[k][u]>>d&1 == 0:
					return nil, false
				case twice[k][u]>>d&1 == 0 && fewest > 1:
					return []option{{place[k][u][d], int8(d)}}, false
				}
			}
		}
	}
	for m := inCell[best]; m != 0; m &= m - 1 {
		options = append(options, option{int8(best), int8(bits.TrailingZeros16(m))})
	}
	return options, false
}

// solutions counts up to two solutions. When there are two, cell is one in
// which they differ.
func (b *board) solutions() (n, cell int) {
	var first [81]int8
	var search func() bool
	search = func() bool { // reports that two are known
		options, done := b.tightest()
		if done {
			n++
			if n == 1 {
				first = b.digit
				return false
			}
			for cell = 0; first[cell] == b.digit[cell]; cell++ {
			}
			return true
		}
		for _, o := range options {
			b.put(int(o.cell), int(o.d))
			if search() {
				return true
			}
			b.take(int(o.cell), int(o.d))
		}
		return false
	}
	search()
	return n, cell
}
