//go:build ignore

// Plain backtracking, as it is written first: blank after blank, digit after
// digit.
//
// Idea: in the first blank, from the top left on, try 1 to 9. A digit fits if a
// look at the nine cells of its row, of its column and of its box does not find
// it. If none fits, the blank before was filled wrong.
//
// Source: folklore; the author of a published solution by orthogonal list
// (accepted/cross_links.go) began with such a program, too.
//
// Time: up to 9^blanks looks at up to 27 cells. Memory: 81 bytes.
// Weak: a blank first line whose solution is 987654321 (secret/10-plain-order).
package main

import (
	"bufio"
	"os"
)

var answer [81]byte

func fits(cell int, d byte) bool {
	row, col := cell/9*9, cell%9
	box := cell/27*27 + col/3*3
	for k := range 9 {
		if answer[row+k] == d || answer[9*k+col] == d || answer[box+k/3*9+k%3] == d {
			return false
		}
	}
	return true
}

func fill(cell int) bool {
	for cell < 81 && answer[cell] != '.' {
		cell++
	}
	if cell == 81 {
		return true
	}
	for d := byte('1'); d <= '9'; d++ {
		if fits(cell, d) {
			answer[cell] = d
			if fill(cell + 1) {
				return true
			}
		}
	}
	answer[cell] = '.'
	return false
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var puzzle [81]byte
	for row := range 9 {
		in.Scan()
		copy(puzzle[9*row:], in.Bytes())
	}
	copy(answer[:], puzzle[:])
	fill(0)
	for row := range 9 {
		out.Write(answer[9*row : 9*row+9])
		out.WriteByte('\n')
	}
}
