//go:build ignore

// Backtracking that forgets the boxes.
//
// Idea: a cell's candidates are what its row and its column lack; each step
// takes a digit with one place in a row or column, or else a cell with the
// fewest candidates. That fills in a Latin square which contains the givens,
// and of those there are many.
//
// Source: a common slip, box number r/3 + c/3 instead of r/3*3 + c/3, taken to
// its end.
//
// Time: few steps, as Latin squares of this size are easily completed.
// Memory: 1 KB.
// Wrong: unless nearly all cells are given.
package main

import (
	"bufio"
	"math/bits"
	"os"
)

const all = 0x1ff

var (
	lacks  [18]uint16 // the digits that rows, then columns, still lack
	answer [81]byte   // 0 while open
)

// flip puts a digit into the row and column of a cell, or takes it out.
func flip(cell int, digit uint16) {
	lacks[cell/9] ^= digit
	lacks[9+cell%9] ^= digit
}

// choice returns a cell with the fewest digits, or one with a digit that has no
// other place in its row or column. None left to fill is cell -1.
func choice() (cell int, digits uint16) {
	var once, twice [18]uint16
	cell, fewest := -1, 10
	for c := range answer {
		if answer[c] != 0 {
			continue
		}
		can := lacks[c/9] & lacks[9+c%9]
		for _, u := range [2]int{c / 9, 9 + c%9} {
			twice[u] |= once[u] & can
			once[u] |= can
		}
		if n := bits.OnesCount16(can); n < fewest {
			cell, digits, fewest = c, can, n
		}
	}
	if fewest < 2 || cell < 0 {
		return cell, digits
	}
	for u := range lacks {
		if once[u] != lacks[u] {
			return cell, 0
		}
	}
	for c := range answer {
		if answer[c] != 0 {
			continue
		}
		can := lacks[c/9] & lacks[9+c%9]
		if alone := can & (once[c/9]&^twice[c/9] | once[9+c%9]&^twice[9+c%9]); alone != 0 {
			return c, alone & -alone
		}
	}
	return cell, digits
}

func search() bool {
	cell, digits := choice()
	if cell < 0 {
		return true
	}
	for ; digits != 0; digits &= digits - 1 {
		d := digits & -digits
		flip(cell, d)
		answer[cell] = byte('1' + bits.TrailingZeros16(d))
		if search() {
			return true
		}
		flip(cell, d)
	}
	answer[cell] = 0
	return false
}

func solve(puzzle []byte) {
	for u := range lacks {
		lacks[u] = all
	}
	for c, ch := range puzzle {
		answer[c] = 0
		if ch != '?' {
			answer[c] = ch
			flip(c, 1<<(ch-'1'))
		}
	}
	search()
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var puzzle [81]byte
	row := 0
	for in.Scan() {
		line := in.Bytes()
		if len(line) == 0 { // between two sudokus
			out.WriteByte('\n')
			continue
		}
		for col := range 9 {
			puzzle[9*row+col] = line[2*col]
		}
		if row++; row < 9 {
			continue
		}
		row = 0
		solve(puzzle[:])
		for cell, d := range answer {
			out.WriteByte(d)
			out.WriteByte(" \n"[cell%9/8])
		}
	}
}
