//go:build ignore

// Treasure Map by an orthogonal list of the blank cells.
//
// Idea: every blank cell is a node in two rings, one along its row of the map
// and one along its column, each through a header; rows that have a blank are
// in a ring of their own. Each step takes the first blank of the row with the
// fewest blanks and tries all rectangles on it, cell by cell. What is blank
// needs at least as many rectangles as the largest of all would. The list
// knows where something is missing, but not which rectangles still fit: that
// is found by trying.
//
// Source: the author of a published solution of the sudoku problem by
// orthogonal list and exact cover (accepted/cross_links.go) tells of such a
// first attempt without the exact cover matrix; here it is for maps.
//
// Time: exponential, with all rectangles of a cell tried in each step. Memory:
// 900 nodes.
//
// Weak: a cell that nothing fits is found late, where a column of the matrix
// would be empty.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type node struct {
	up, down, left, right *node
	row, col              int
	covered               bool
}

// A rect has the cells from (x1, y1) to before (x2, y2).
type rect struct{ x1, y1, x2, y2 int }

var (
	cell             [30][30]node
	on               [30][30][]rect // the rectangles on a cell
	rowHead, colHead [30]node
	rows             node    // the ring of rows that have a blank
	left             [30]int // the blanks of a row
	biggest, least   int
	in               = bufio.NewReaderSize(os.Stdin, 1<<16)
)

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

func reset(n, m int) {
	rows.up, rows.down = &rows, &rows
	for y := range m {
		c := &colHead[y]
		c.up, c.down = c, c
	}
	for x := range n {
		r := &rowHead[x]
		*r = node{up: rows.up, down: &rows, left: r, right: r, row: x}
		r.up.down, rows.up = r, r
		left[x] = m
		for y := range m {
			b, c := &cell[x][y], &colHead[y]
			*b = node{up: c.up, down: c, left: r.left, right: r, row: x, col: y}
			b.up.down, c.up, b.left.right, r.left = b, b, b, b
			on[x][y] = on[x][y][:0]
		}
	}
}

func unlink(b *node) {
	b.covered = true
	b.up.down, b.down.up, b.left.right, b.right.left = b.down, b.up, b.right, b.left
	left[b.row]--
	if r := &rowHead[b.row]; left[b.row] == 0 {
		r.up.down, r.down.up = r.down, r.up
	}
}

func relink(b *node) {
	if r := &rowHead[b.row]; left[b.row] == 0 {
		r.up.down, r.down.up = r, r
	}
	left[b.row]++
	b.up.down, b.down.up, b.left.right, b.right.left = b, b, b, b
	b.covered = false
}

func fits(r rect) bool {
	for x := r.x1; x < r.x2; x++ {
		for y := r.y1; y < r.y2; y++ {
			if cell[x][y].covered {
				return false
			}
		}
	}
	return true
}

// search looks for covers of fewer than least rectangles. There are chosen of
// them already, and blank cells are left.
func search(chosen, blank int) {
	if chosen+(blank+biggest-1)/biggest >= least {
		return
	}
	if rows.down == &rows {
		least = chosen
		return
	}
	best := rows.down
	for r := best.down; r != &rows; r = r.down {
		if left[r.row] < left[best.row] {
			best = r
		}
	}
	b := best.right
	for _, r := range on[b.row][b.col] {
		if !fits(r) {
			continue
		}
		for x := r.x1; x < r.x2; x++ {
			for y := r.y1; y < r.y2; y++ {
				unlink(&cell[x][y])
			}
		}
		search(chosen+1, blank-(r.x2-r.x1)*(r.y2-r.y1))
		for x := r.x2 - 1; x >= r.x1; x-- {
			for y := r.y2 - 1; y >= r.y1; y-- {
				relink(&cell[x][y])
			}
		}
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	cases, _ := number()
	for range cases {
		n, _ := number()
		m, _ := number()
		p, _ := number()
		reset(n, m)
		biggest, least = 1, p+1
		for range p {
			x1, _ := number()
			y1, _ := number()
			x2, _ := number()
			y2, _ := number()
			biggest = max(biggest, (x2-x1)*(y2-y1))
			for x := x1; x < x2; x++ {
				for y := y1; y < y2; y++ {
					on[x][y] = append(on[x][y], rect{x1, y1, x2, y2})
				}
			}
		}
		search(0, n*m)
		if least > p {
			least = -1
		}
		fmt.Fprintln(out, least)
	}
}
