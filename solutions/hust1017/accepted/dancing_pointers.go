//go:build ignore

// Exact cover by dancing links of nodes that point at each other.
//
// Idea: every one of the matrix is a node in two rings, that of its row and
// that of its column; the columns' headers are in a third. Covering a column
// takes its header out and its rows out of all their other columns; as a node
// that has left a ring still knows its neighbours, the same steps backwards
// restore them. Each step branches on a column with the fewest rows left.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, which draws
// it with pointers; the S heuristic is there too.
//
// Time: exponential at worst; for most matrices as long as reading them.
// Memory: at most 100000 nodes of 48 bytes.
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
	maxCols = 1000
	maxOnes = 100000 // 100 in each row
)

type node struct {
	left, right, up, down *node
	col                   *node // the header
	row, size             int32 // size is a header's: the rows left
}

var (
	root   node // begins the ring of open columns
	head   [maxCols + 1]node
	pool   [maxOnes]node
	used   int
	chosen []int
	in     = bufio.NewReaderSize(os.Stdin, 1<<16)
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

// search says whether the open columns can be covered. If so, chosen has the rows.
func search() bool {
	if root.right == &root {
		return true
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
		chosen = append(chosen, int(n.row))
		if search() {
			return true
		}
		chosen = chosen[:len(chosen)-1]
		for j := n.left; j != n; j = j.left {
			uncover(j.col)
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
	ones := make([]int, 0, 100)
	for {
		n, ok := number()
		if !ok {
			return
		}
		m, _ := number()
		reset(m)
		for row := 1; row <= n; row++ {
			count, _ := number()
			ones = ones[:0]
			for range count {
				c, _ := number()
				ones = append(ones, c)
			}
			add(row, ones)
		}
		chosen = chosen[:0]
		if !search() {
			out.WriteString("NO\n")
			continue
		}
		fmt.Fprint(out, len(chosen))
		for _, row := range chosen {
			fmt.Fprint(out, " ", row)
		}
		out.WriteByte('\n')
	}
}
