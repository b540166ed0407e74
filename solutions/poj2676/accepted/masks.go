//go:build ignore

// Sudoku by candidate masks: one word of nine bits for each cell.
//
// Idea: rows, columns and boxes each hold the digits that they lack; a cell's
// candidates are the intersection of three words. In every step look for the
// most constrained choice: a cell with the fewest candidates, or a digit with
// one place left in a row, column or box, found for all nine digits of a unit
// at once by adding its candidate words bitwise (once, twice). Nothing is
// linked and nothing but the three words changes.
//
// Source: folklore of the minimum remaining values rule; the rule itself is in
// S. W. Golomb and L. D. Baumert, "Backtrack programming", JACM 12 (1965).
//
// Time: exponential at worst; 20 µs for a usual puzzle. Memory: 1 KB.
// Weak: candidates are computed again in each step, and there is no
// elimination by locked candidates, so that hard puzzles take more guesses;
// guesses are made in cells only, never among the places of a digit. Peter
// Norvig's 17 givens with 13 solutions take 0.7 s in this way, where dancing
// links, which choose among both, take less than 1 ms.
package main

import (
	"bufio"
	"math/bits"
	"os"
	"strconv"
)

const all = 0x1ff

var (
	unit   [27][9]int // the cells of the rows, columns and boxes
	lacks  [27]uint16 // the digits a unit still lacks
	answer [81]byte   // 0 while open
)

func init() {
	for i := range 9 {
		for j := range 9 {
			unit[i][j] = 9*i + j
			unit[9+i][j] = 9*j + i
			unit[18+i][j] = i/3*27 + i%3*3 + j/3*9 + j%3
		}
	}
}

// flip puts a digit into the units of a cell, or takes it out.
func flip(cell int, digit uint16) {
	lacks[cell/9] ^= digit
	lacks[9+cell%9] ^= digit
	lacks[18+cell/27*3+cell%9/3] ^= digit
}

// choice returns a cell and the digits to try there. None left to fill is cell
// -1; a contradiction is no digits.
func choice() (cell int, digits uint16) {
	var can [81]uint16
	cell, fewest := -1, 10
	for c := range can {
		if answer[c] != 0 {
			continue
		}
		can[c] = lacks[c/9] & lacks[9+c%9] & lacks[18+c/27*3+c%9/3]
		if n := bits.OnesCount16(can[c]); n < fewest {
			cell, digits, fewest = c, can[c], n
		}
	}
	if fewest < 2 || cell < 0 {
		return cell, digits
	}
	for u := range unit {
		var once, twice uint16
		for _, c := range unit[u] {
			twice |= once & can[c]
			once |= can[c]
		}
		if once != lacks[u] {
			return cell, 0 // a digit has no place left
		}
		if single := once &^ twice; single != 0 {
			single &= -single
			for _, c := range unit[u] {
				if can[c]&single != 0 {
					return c, single
				}
			}
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
		if ch != '0' {
			answer[c] = ch
			flip(c, 1<<(ch-'1'))
		}
	}
	search()
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in.Scan()
	t, _ := strconv.Atoi(in.Text())
	var puzzle [81]byte
	for range t {
		for row := range 9 {
			in.Scan()
			copy(puzzle[9*row:], in.Bytes())
		}
		solve(puzzle[:])
		for row := range 9 {
			out.Write(answer[9*row : 9*row+9])
			out.WriteByte('\n')
		}
	}
}
