//go:build ignore

// The search finds the solution and goes on to undo it.
//
// Idea: fill blanks with the fewest candidates first and take each digit back
// after trying it. The recursion returns nothing, so that nobody knows that the
// last blank was filled and that the digits should stay now.
//
// Source: a common slip of those who learn to backtrack: the function that is
// asked for must leave its result in the grid.
//
// Time: until the search is exhausted. Memory: 81 bytes.
// Wrong: wherever there is a blank (all cases but secret/01-complete): it prints
// the sudoku as it was.
package main

import (
	"bufio"
	"os"
)

var grid [81]byte

func may(cell int, d byte) bool {
	row, col := cell/9*9, cell%9
	box := cell/27*27 + col/3*3
	for k := range 9 {
		if grid[row+k] == d || grid[9*k+col] == d || grid[box+k/3*9+k%3] == d {
			return false
		}
	}
	return true
}

// candidates returns the digits that may go into a cell.
func candidates(cell int) (digits []byte) {
	for d := byte('1'); d <= '9'; d++ {
		if may(cell, d) {
			digits = append(digits, d)
		}
	}
	return digits
}

func search() {
	best, tries := -1, []byte(nil)
	for cell, ch := range grid {
		if ch != '.' {
			continue
		}
		if can := candidates(cell); best < 0 || len(can) < len(tries) {
			best, tries = cell, can
		}
		if len(tries) < 2 {
			break
		}
	}
	if best < 0 {
		return
	}
	for _, d := range tries {
		grid[best] = d
		search()
		grid[best] = '.'
	}
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for row := range 9 {
		in.Scan()
		copy(grid[9*row:], in.Bytes())
	}
	search()
	for row := range 9 {
		out.Write(grid[9*row : 9*row+9])
		out.WriteByte('\n')
	}
}
