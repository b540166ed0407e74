//go:build ignore

// Sudoku as exact cover, solved by dancing links with a pointer for each link.
//
// Idea: a one of the 729×324 matrix is a node in two rings, the ones of its
// column, through a header, and the four of its row, which need none. Covering a
// column takes its header out of the ring of headers and its rows out of all
// other columns; each node keeps its own links, so that the same steps backwards
// put it back. A column with the fewest rows is next.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, as the paper
// draws it: an object with five links for each one of the matrix.
//
// Time: exponential at worst; 20 µs for a puzzle with 17 givens once the matrix
// is linked, 0.7 ms for the hardest known. The givens' columns are covered for
// a puzzle and uncovered after it, so that nothing is linked twice.
// Memory: 3241 nodes of 48 bytes.
// Weak: links of eight bytes where two would do (accepted/dancing_links.go), and
// nothing beyond columns with one row is propagated.
package main

import (
	"bufio"
	"os"
)

type node struct {
	left, right, up, down *node
	head                  *node
	n                     int32 // of a header: its rows; else 9·cell + digit - 1
}

var (
	root   node
	heads  [324]node
	ones   [729][4]node
	answer [81]byte
)

func build() {
	root.left, root.right = &root, &root
	for i := range heads {
		h := &heads[i]
		h.left, h.right, h.up, h.down = root.left, &root, h, h
		h.left.right, root.left = h, h
	}
	for row := range ones {
		cell, d := row/9, row%9
		r, c := cell/9, cell%9
		four := &ones[row]
		for k, col := range [4]int{cell, 81 + 9*r + d, 162 + 9*c + d, 243 + 9*(r/3*3+c/3) + d} {
			n, h := &four[k], &heads[col]
			*n = node{left: &four[(k+3)%4], right: &four[(k+1)%4], up: h.up, down: h, head: h, n: int32(row)}
			n.up.down, h.up = n, n
			h.n++
		}
	}
}

func cover(h *node) {
	h.left.right, h.right.left = h.right, h.left
	for i := h.down; i != h; i = i.down {
		for j := i.right; j != i; j = j.right {
			j.up.down, j.down.up = j.down, j.up
			j.head.n--
		}
	}
}

func uncover(h *node) {
	for i := h.up; i != h; i = i.up {
		for j := i.left; j != i; j = j.left {
			j.head.n++
			j.up.down, j.down.up = j, j
		}
	}
	h.left.right, h.right.left = h, h
}

func search() bool {
	best := root.right
	if best == &root {
		return true
	}
	for h := best.right; h != &root && best.n > 1; h = h.right {
		if h.n < best.n {
			best = h
		}
	}
	found := false
	cover(best)
	for i := best.down; i != best && !found; i = i.down {
		for j := i.right; j != i; j = j.right {
			cover(j.head)
		}
		answer[i.n/9] = byte('1' + i.n%9)
		found = search()
		for j := i.left; j != i; j = j.left {
			uncover(j.head)
		}
	}
	uncover(best)
	return found
}

// solve leaves the solution in answer. The links are as before afterwards.
func solve(puzzle []byte) {
	var given [81]*[4]node
	n := 0
	for cell, ch := range puzzle {
		if ch == '?' {
			continue
		}
		answer[cell] = ch
		given[n] = &ones[9*cell+int(ch-'1')]
		for k := range given[n] {
			cover(given[n][k].head)
		}
		n++
	}
	search()
	for n > 0 {
		n--
		for k := 3; k >= 0; k-- {
			uncover(given[n][k].head)
		}
	}
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	build()
	var puzzle [81]byte
	row := 0
	for in.Scan() {
		line := in.Bytes()
		if len(line) == 0 { // between two sudokus
			out.WriteByte('\n')
			continue
		}
		for col := range 9 {
			puzzle[9*row+col] = line[2*col]
		}
		if row++; row < 9 {
			continue
		}
		row = 0
		solve(puzzle[:])
		for cell, d := range answer {
			out.WriteByte(d)
			out.WriteByte(" \n"[cell%9/8])
		}
	}
}
