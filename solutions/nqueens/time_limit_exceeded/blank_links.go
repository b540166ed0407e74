//go:build ignore

// Links over free columns, without the exact cover matrix.
//
// Idea: the columns that have no queen yet form a ring; a queen takes hers out
// of it and puts it back afterwards. So a row looks at free columns only, and
// the given queens are there from the start. Diagonals are marks. The ring knows
// where something is missing, but not which row has few squares left.
//
// Source: the first attempt of the author of a published sudoku solution by
// orthogonal list, who tells of it (solutions/poj3074/time_limit_exceeded/blank_links.go),
// made for queens.
//
// Time: up to n!, as rows are taken from first to last. Memory: 1 KB.
// Weak: boards with few free squares in the last rows.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	n             int
	board         [24]string
	left, right   [25]int // the ring; 0 is its head, column c is c+1
	down, up      [48]bool
	column, first [24]int // -1 in rows without a queen
	count         int
)

func unlink(c int) { right[left[c+1]], left[right[c+1]] = right[c+1], left[c+1] }
func relink(c int) { right[left[c+1]], left[right[c+1]] = c+1, c+1 }

func fill(r int) {
	for r < n && column[r] >= 0 {
		r++
	}
	if r == n {
		if count == 0 {
			first = column
		}
		count++
		return
	}
	for i := right[0]; i != 0; i = right[i] {
		c := i - 1
		if board[r][c] != '.' || down[r-c+n] || up[r+c] {
			continue
		}
		unlink(c)
		down[r-c+n], up[r+c] = true, true
		column[r] = c
		fill(r + 1)
		column[r] = -1
		down[r-c+n], up[r+c] = false, false
		relink(c)
	}
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var boards int
	fmt.Fscan(in, &boards)
	for range boards {
		fmt.Fscan(in, &n)
		for i := range n + 1 {
			left[i], right[i] = (i+n)%(n+1), (i+1)%(n+1)
		}
		down, up = [48]bool{}, [48]bool{}
		for r := range n {
			fmt.Fscan(in, &board[r])
			column[r] = -1
			for c, ch := range board[r] {
				if ch == 'Q' {
					column[r] = c
					unlink(c)
					down[r-c+n], up[r+c] = true, true
				}
			}
		}
		count = 0
		fill(0)
		fmt.Fprintln(out, count)
		if count > 0 {
			for r := range n {
				fmt.Fprint(out, 1+first[r], " ")
			}
			fmt.Fprintln(out)
		}
	}
}
