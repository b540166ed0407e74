//go:build ignore

// A table of 200 lines that nobody checked against the statement: it crashes.
//
// Idea: read all puzzles, then solve them by candidate masks as
// accepted/masks.go does.
//
// Source: a common slip.
//
// Time: 20 µs for a usual puzzle. Memory: 20 KB.
// Crashes: index out of range in files of more than 200 puzzles.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

var puzzles [200]string

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
		if ch != '.' {
			answer[c] = ch
			flip(c, 1<<(ch-'1'))
		}
	}
	search()
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	n := 0
	for {
		var line string
		if _, err := fmt.Fscan(in, &line); err != nil || line == "end" {
			break
		}
		puzzles[n] = line
		n++
	}
	for _, p := range puzzles[:n] {
		solve([]byte(p))
		fmt.Fprintf(out, "%s\n", answer[:])
	}
}
