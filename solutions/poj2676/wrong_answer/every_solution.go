//go:build ignore

// Prints a solution wherever the search completes one, and goes on.
//
// Idea: candidate masks, a blank with the fewest candidates first, a digit with
// one place in a unit before a guess. The recursion returns nothing, so that it
// does not know when it is done.
//
// Source: a common slip: where solutions are unique nobody sees it.
//
// Time: as long as it takes to find all solutions, or to print too much of them.
// Memory: 1 KB.
// Wrong: where a sudoku has several solutions (secret/07-twofold), and endlessly so
// where it has millions.
package main

import (
	"bufio"
	"math/bits"
	"os"
	"strconv"
)

var (
	out    = bufio.NewWriter(os.Stdout)
	unit   [27][9]int
	lacks  [27]uint16 // the digits that rows, columns, boxes still lack
	answer [81]byte   // '0' while open
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
		if answer[c] != '0' {
			continue
		}
		can[c] = lacks[c/9] & lacks[9+c%9] & lacks[18+c/27*3+c%9/3]
		if n := bits.OnesCount16(can[c]); n < fewest {
			cell, digits, fewest = c, can[c], n
		}
	}
	for u := range unit {
		if fewest < 2 || cell < 0 {
			break
		}
		var once, twice uint16
		for _, c := range unit[u] {
			twice |= once & can[c]
			once |= can[c]
		}
		if once != lacks[u] {
			return cell, 0
		}
		for _, c := range unit[u] {
			if single := can[c] & once &^ twice; single != 0 {
				return c, single & -single
			}
		}
	}
	return cell, digits
}

func search() {
	cell, digits := choice()
	if cell < 0 {
		for row := range 9 {
			out.Write(answer[9*row : 9*row+9])
			out.WriteByte('\n')
		}
		return
	}
	for ; digits != 0; digits &= digits - 1 {
		d := digits & -digits
		flip(cell, d)
		answer[cell] = byte('1' + bits.TrailingZeros16(d))
		search()
		flip(cell, d)
	}
	answer[cell] = '0'
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	defer out.Flush()
	in.Scan()
	t, _ := strconv.Atoi(in.Text())
	for range t {
		for u := range lacks {
			lacks[u] = 0x1ff
		}
		for row := range 9 {
			in.Scan()
			copy(answer[9*row:], in.Bytes())
		}
		for cell, ch := range answer {
			if ch != '0' {
				flip(cell, 1<<(ch-'1'))
			}
		}
		search()
	}
}
