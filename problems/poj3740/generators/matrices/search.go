package main

import "math/bits"

// search counts what a search does that covers a column with the fewest rows
// left in each step, until it finds a cover or has seen that there is none.
// steps are the choices of a column; size is the number of rows of the cover,
// or -1.
func search(a matrix) (size, steps int) {
	columns := make([]uint, a.cols()) // the rows with a one there
	for i, row := range a {
		for c, bit := range row {
			columns[c] |= uint(bit) << i
		}
	}
	var cover func(chosen, alive uint) bool
	cover = func(chosen, alive uint) bool {
		steps++
		options, fewest := uint(0), a.rows()+1
		for _, c := range columns {
			if n := bits.OnesCount(c & alive); c&chosen == 0 && n < fewest {
				options, fewest = c&alive, n
			}
		}
		if fewest > a.rows() {
			size = bits.OnesCount(chosen)
			return true
		}
		for ; options != 0; options &= options - 1 {
			row := options & -options
			less := alive
			for _, c := range columns {
				if c&row != 0 {
					less &^= c
				}
			}
			if cover(chosen|row, less) {
				return true
			}
		}
		return false
	}
	if !cover(0, 1<<a.rows()-1) {
		return -1, steps
	}
	return size, steps
}
