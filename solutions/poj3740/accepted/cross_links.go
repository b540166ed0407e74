//go:build ignore

// Easy Finding by an orthogonal list with row and column headers.
//
// Idea: every one of the matrix is a node in two rings, one along its row and
// one along its column, each through a header; the column headers form a ring
// of their own. Covering a column takes its header out of that ring and the
// rows it meets out of all their other columns; uncovering does the same
// backwards. Each step branches on a column with the fewest rows left.
//
// Source: a published solution of the sudoku problem with the two-way
// orthogonal list, here for any matrix. That one makes its headers and nodes
// anew for each case and frees none; here one array of nodes serves all.
//
// Time: a step takes the rows of a column, and each of those leaves all
// columns, so that there are at most 3^(16/3), some 350, ends of the search,
// whatever the matrix. Reading it takes as long. Memory: at most 4800 nodes of
// 40 bytes.
//
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
package main

import (
	"bufio"
	"os"
)

const (
	maxRows = 16
	maxCols = 300
	maxOnes = 4800
)

type node struct {
	up, down, left, right *node
	row, col              int32 // from 1; 0 in the headers of the other kind
}

var (
	rowHead [maxRows + 1]node // rowHead[0] is not used
	colHead [maxCols + 1]node // colHead[0] begins the ring of open columns
	pool    [maxOnes]node
	used    int
	count   [maxCols + 1]int // rows left in a column
	in      = bufio.NewReaderSize(os.Stdin, 1<<16)
)

func reset(cols int) {
	used = 0
	for c := range colHead[:cols+1] {
		h := &colHead[c]
		*h = node{up: h, down: h, col: int32(c)}
		h.left, h.right = &colHead[(c+cols)%(cols+1)], &colHead[(c+1)%(cols+1)]
		count[c] = 0
	}
}

// add puts a node at the end of the row's ring and of each column's ring.
func add(row int, cols []int) {
	r := &rowHead[row]
	*r = node{left: r, right: r, row: int32(row)}
	for _, col := range cols {
		n, c := &pool[used], &colHead[col]
		used++
		*n = node{up: c.up, down: c, left: r.left, right: r, row: r.row, col: c.col}
		n.up.down, c.up = n, n
		n.left.right, r.left = n, n
		count[col]++
	}
}

func cover(c *node) {
	c.left.right, c.right.left = c.right, c.left
	for i := c.down; i != c; i = i.down {
		for j := i.right; j != i; j = j.right {
			if j.col != 0 {
				j.up.down, j.down.up = j.down, j.up
				count[j.col]--
			}
		}
	}
}

func uncover(c *node) {
	for i := c.up; i != c; i = i.up {
		for j := i.left; j != i; j = j.left {
			if j.col != 0 {
				count[j.col]++
				j.up.down, j.down.up = j, j
			}
		}
	}
	c.left.right, c.right.left = c, c
}

// search says whether the open columns can be covered.
func search() bool {
	first := &colHead[0]
	if first.right == first {
		return true
	}
	best := first.right
	for c := best.right; c != first; c = c.right {
		if count[c.col] < count[best.col] {
			best = c
		}
	}
	cover(best)
	for i := best.down; i != best; i = i.down {
		for j := i.right; j != i; j = j.right {
			if j.col != 0 {
				cover(&colHead[j.col])
			}
		}
		if search() {
			return true
		}
		for j := i.left; j != i; j = j.left {
			if j.col != 0 {
				uncover(&colHead[j.col])
			}
		}
	}
	uncover(best)
	return false
}

// number reads the next number, or says that there is none.
func number() (n int, ok bool) {
	for {
		switch c, err := in.ReadByte(); {
		case err == nil && '0' <= c && c <= '9':
			n, ok = 10*n+int(c-'0'), true
		case ok || err != nil:
			return n, ok
		}
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	ones := make([]int, 0, maxCols)
	for {
		m, ok := number()
		if !ok {
			return
		}
		n, _ := number()
		reset(n)
		for row := 1; row <= m; row++ {
			ones = ones[:0]
			for c := 1; c <= n; c++ {
				if bit, _ := number(); bit == 1 {
					ones = append(ones, c)
				}
			}
			add(row, ones)
		}
		if search() {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
