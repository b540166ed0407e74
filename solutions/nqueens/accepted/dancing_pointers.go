//go:build ignore

// Queens as exact cover, solved by dancing links with pointers.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. Every one of the matrix is
// a node in two rings, one along its option and one along its item, the latter
// through a head; a node that has left a ring still knows its neighbours and
// can return.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; the first idea
// is by H. Hitotumatu and K. Noshita (1979).
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 30
// ms.
//
// Memory: 2304 nodes of 56 bytes, used again for each board.
//
// Weak: a pointer is twice as long as an index, and two of the four never
// change.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A node is a one of the matrix, or the head of an item.
type node struct {
	up, down, left, right *node
	head                  *node
	size                  int // of an item
	option                int
}

var (
	heads         [48 + 94]node
	pool          [4 * 24 * 24]node
	used          int
	ring          node // of the items still to be covered
	options       int
	count         int
	chosen, first []int
)

// reset begins a matrix; items are counted from 0, those that must be covered
// come first.
func reset(primary, items int) {
	ring.left, ring.right = &ring, &ring
	for i := range items {
		h := &heads[i]
		*h = node{up: h, down: h, left: h, right: h, head: h}
		if i < primary {
			h.left, h.right = ring.left, &ring
			h.left.right, ring.left = h, h
		}
	}
	used, options = 0, 0
}

// add appends an option with these items.
func add(items ...int) {
	begin := &pool[used]
	begin.left, begin.right = begin, begin
	for i, it := range items {
		n, h := &pool[used], &heads[it]
		used++
		n.up, n.down, n.head = h.up, h, h
		n.option = options
		n.up.down, h.up = n, n
		h.size++
		if i > 0 {
			n.left, n.right = begin.left, begin
			n.left.right, begin.left = n, n
		}
	}
	options++
}

func cover(h *node) {
	h.left.right, h.right.left = h.right, h.left
	for n := h.down; n != h; n = n.down {
		for m := n.right; m != n; m = m.right {
			m.up.down, m.down.up = m.down, m.up
			m.head.size--
		}
	}
}

func uncover(h *node) {
	for n := h.up; n != h; n = n.up {
		for m := n.left; m != n; m = m.left {
			m.head.size++
			m.up.down, m.down.up = m, m
		}
	}
	h.left.right, h.right.left = h, h
}

func search() {
	best := ring.right
	if best == &ring {
		if count == 0 {
			first = append(first[:0], chosen...)
		}
		count++
		return
	}
	for h := best.right; h != &ring && best.size > 0; h = h.right {
		if h.size < best.size {
			best = h
		}
	}
	if best.size == 0 {
		return
	}
	cover(best)
	for n := best.down; n != best; n = n.down {
		chosen = append(chosen, n.option)
		for m := n.right; m != n; m = m.right {
			cover(m.head)
		}
		search()
		for m := n.left; m != n; m = m.left {
			uncover(m.head)
		}
		chosen = chosen[:len(chosen)-1]
	}
	uncover(best)
}

var squares [][2]int // of the options, by row and column

// fill makes the options of a board. A row or column is an item that must be
// covered, a diagonal is one that may be.
func fill(board []string) {
	n := len(board)
	reset(2*n, 2*n+2*(2*n-1))
	squares = squares[:0]
	for r, line := range board {
		given := strings.IndexByte(line, 'Q')
		for c := range n {
			if c == given || given < 0 && line[c] == '.' {
				squares = append(squares, [2]int{r, c})
				add(r, n+c, 2*n+r+c, 4*n-1+n-1-r+c)
			}
		}
	}
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in.Split(bufio.ScanWords)
	number := func() int {
		in.Scan()
		n, _ := strconv.Atoi(in.Text())
		return n
	}
	for t := number(); t > 0; t-- {
		board := make([]string, number())
		for r := range board {
			in.Scan()
			board[r] = in.Text()
		}
		fill(board)
		count = 0
		search()
		fmt.Fprintln(out, count)
		if count == 0 {
			continue
		}
		column := make([]int, len(board))
		for _, o := range first {
			column[squares[o][0]] = 1 + squares[o][1]
		}
		for r, c := range column {
			if r > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(strconv.Itoa(c))
		}
		out.WriteByte('\n')
	}
}
