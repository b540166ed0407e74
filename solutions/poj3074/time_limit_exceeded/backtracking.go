//go:build ignore

// Plain backtracking: the blanks from first to last, in each the digits 1 to 9.
//
// Idea: nothing is chosen; a digit is refused when its row, column or box has
// it. Three words of bits make that one test.
//
// Source: folklore; the program that every beginner writes first.
//
// Time: up to 9^blanks. A puzzle with an empty first row whose solution begins
// 987654321 makes it try nearly everything. Memory: 1 KB.
// Weak: one such puzzle is enough, and usual puzzles with 24 givens already
// take milliseconds to seconds.
package main

import (
	"bufio"
	"os"
)

var (
	answer        [81]byte
	row, col, box [9]uint16
	blanks        [81]int
	n             int
)

func fill(i int) bool {
	if i == n {
		return true
	}
	c := blanks[i]
	r, k, b := &row[c/9], &col[c%9], &box[c/27*3+c%9/3]
	for d := byte(0); d < 9; d++ {
		bit := uint16(1) << d
		if (*r|*k|*b)&bit != 0 {
			continue
		}
		*r, *k, *b = *r|bit, *k|bit, *b|bit
		answer[c] = '1' + d
		if fill(i + 1) {
			return true
		}
		*r, *k, *b = *r&^bit, *k&^bit, *b&^bit
	}
	return false
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() && len(in.Bytes()) == 81 {
		clear(row[:])
		clear(col[:])
		clear(box[:])
		n = 0
		for c, ch := range in.Bytes() {
			if ch == '.' {
				blanks[n] = c
				n++
				continue
			}
			answer[c] = ch
			bit := uint16(1) << (ch - '1')
			row[c/9] |= bit
			col[c%9] |= bit
			box[c/27*3+c%9/3] |= bit
		}
		fill(0)
		out.Write(answer[:])
		out.WriteByte('\n')
	}
}
