//go:build ignore

// Treasure Map by dancing links of nodes that point at each other.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. Every one of the matrix is a
// node in two rings, that of its row and that of its column; the columns'
// headers are in a third. Covering a column takes its header out and its rows
// out of all their other columns; as a node that has left a ring still knows
// its neighbours, the same steps backwards restore them. Each step branches on
// a column with the fewest rows left.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, which draws
// it with pointers; the S heuristic is there too.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 48 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: a walk goes all over the memory, where arrays would keep neighbours
// together.
package main

import (
	"bufio"
	"fmt"
	"os"
)

const (
	maxRows = 500    // rectangles
	maxCols = 900    // cells
	maxOnes = 450000 // cells of all rectangles together
)

type node struct {
	left, right, up, down *node
	col                   *node // the header
	row, size             int32 // size is a header's: the rows left
}

var (
	root           node // begins the ring of open columns
	head           [maxCols + 1]node
	pool           [maxOnes]node
	used           int
	area           [maxRows + 1]int // of a rectangle
	biggest, least int
	in             = bufio.NewReaderSize(os.Stdin, 1<<16)
)

func reset(cols int) {
	used = 0
	root.left, root.right = &root, &root
	for c := 1; c <= cols; c++ {
		h := &head[c]
		*h = node{left: root.left, right: &root, up: h, down: h}
		h.left.right, root.left = h, h
	}
}

func add(row int, cols []int) {
	var first *node
	for _, c := range cols {
		n, h := &pool[used], &head[c]
		used++
		*n = node{left: n, right: n, up: h.up, down: h, col: h, row: int32(row)}
		n.up.down, h.up = n, n
		h.size++
		if first == nil {
			first = n
			continue
		}
		n.left, n.right = first.left, first
		n.left.right, first.left = n, n
	}
}

func cover(h *node) {
	h.right.left, h.left.right = h.left, h.right
	for i := h.down; i != h; i = i.down {
		for j := i.right; j != i; j = j.right {
			j.down.up, j.up.down = j.up, j.down
			j.col.size--
		}
	}
}

func uncover(h *node) {
	for i := h.up; i != h; i = i.up {
		for j := i.left; j != i; j = j.left {
			j.col.size++
			j.down.up, j.up.down = j, j
		}
	}
	h.right.left, h.left.right = h, h
}

// search looks for covers of fewer than least rectangles. There are chosen of
// them already, and blank cells are left.
func search(chosen, blank int) {
	if chosen+(blank+biggest-1)/biggest >= least {
		return
	}
	if root.right == &root {
		least = chosen
		return
	}
	best := root.right
	for h := best.right; h != &root; h = h.right {
		if h.size < best.size {
			best = h
		}
	}
	cover(best)
	for n := best.down; n != best; n = n.down {
		for j := n.right; j != n; j = j.right {
			cover(j.col)
		}
		search(chosen+1, blank-area[int(n.row)])
		for j := n.left; j != n; j = j.left {
			uncover(j.col)
		}
	}
	uncover(best)
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
	cells := make([]int, 0, maxCols)
	cases, _ := number()
	for range cases {
		n, _ := number()
		m, _ := number()
		p, _ := number()
		reset(n * m)
		biggest, least = 1, p+1
		for row := 1; row <= p; row++ {
			x1, _ := number()
			y1, _ := number()
			x2, _ := number()
			y2, _ := number()
			cells = cells[:0]
			for x := x1; x < x2; x++ {
				for y := y1; y < y2; y++ {
					cells = append(cells, 1+m*x+y)
				}
			}
			area[row] = len(cells)
			biggest = max(biggest, area[row])
			add(row, cells)
		}
		search(0, n*m)
		if least > p {
			least = -1
		}
		fmt.Fprintln(out, least)
	}
}
