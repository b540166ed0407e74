//go:build ignore

// Plain backtracking: the rows from first to last, in each the squares from
// left to right.
//
// Idea: nothing is chosen; a square is refused when its column or one of its
// diagonals has a queen, which three words of bits tell for a whole row.
//
// Source: folklore; the program that everybody knows, in its fast form.
//
// Time: the empty board of 12 takes 10 ms, faster than dancing links; but up
// to n! where queens or blocked squares contradict the first rows late.
// Memory: 1 KB.
// Weak: boards with few free squares in the last rows.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

var (
	n             int
	free          [24]uint32
	given         [24]uint32
	count         int
	column, first [24]int
)

func fill(r int, columns, left, right uint32) {
	if r == n {
		if count == 0 {
			first = column
		}
		count++
		return
	}
	can := free[r]
	if given[r] != 0 {
		can = given[r]
	}
	for can &^= columns | left | right; can != 0; can &= can - 1 {
		q := can & -can
		column[r] = bits.TrailingZeros32(q)
		fill(r+1, columns|q, (left|q)>>1, (right|q)<<1)
	}
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var boards int
	fmt.Fscan(in, &boards)
	for range boards {
		fmt.Fscan(in, &n)
		for r := range n {
			var line string
			fmt.Fscan(in, &line)
			free[r], given[r] = 0, 0
			for c, ch := range line {
				switch ch {
				case '.':
					free[r] |= 1 << c
				case 'Q':
					given[r] |= 1 << c
				}
			}
		}
		count = 0
		fill(0, 0, 0, 0)
		fmt.Fprintln(out, count)
		if count > 0 {
			for r := range n {
				fmt.Fprint(out, 1+first[r], " ")
			}
			fmt.Fprintln(out)
		}
	}
}
