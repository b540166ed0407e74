//go:build ignore

// Queens as exact cover on an orthogonal list with row and column headers.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. Every one of the matrix is
// a node in two rings, one along its row and one along its column, each through
// a header; the headers of columns that must be covered form a ring of their
// own. Covering a column takes its header out of that ring and the rows it
// meets out of all their other columns.
//
// Source: the way of a published sudoku solution with the two-way orthogonal
// list (solutions/poj3074/accepted/cross_links.go), made general; columns that
// may be covered stay outside the ring, as in Knuth (2000).
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 50
// ms.
//
// Memory: 2304 nodes and 718 headers of 48 bytes, used again for each board.
//
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A node is a one of the matrix or a header, of an option or of an item.
type node struct {
	up, down, left, right *node
	option, item          int // -1 in the headers of the other kind
}

var (
	pool          [4 * 24 * 24]node
	used          int
	optionHead    [24 * 24]node
	itemHead      [48 + 94]node
	ring          node // of the items still to be covered
	size          [48 + 94]int
	options       int
	count         int
	chosen, first []int
)

// reset begins a matrix; items are counted from 0, those that must be covered
// come first.
func reset(primary, items int) {
	ring.left, ring.right = &ring, &ring
	for i := range items {
		h := &itemHead[i]
		*h = node{up: h, down: h, left: h, right: h, option: -1, item: i}
		size[i] = 0
		if i < primary {
			h.left, h.right = ring.left, &ring
			h.left.right, ring.left = h, h
		}
	}
	used, options = 0, 0
}

// add appends an option with these items: nodes at the end of its ring and of
// the items' rings.
func add(items ...int) {
	o := &optionHead[options]
	*o = node{left: o, right: o, option: options, item: -1}
	for _, it := range items {
		n, h := &pool[used], &itemHead[it]
		used++
		*n = node{up: h.up, down: h, left: o.left, right: o, option: options, item: it}
		n.up.down, h.up = n, n
		n.left.right, o.left = n, n
		size[it]++
	}
	options++
}

func cover(h *node) {
	h.left.right, h.right.left = h.right, h.left
	for i := h.down; i != h; i = i.down {
		for j := i.right; j != i; j = j.right {
			if j.item >= 0 {
				j.up.down, j.down.up = j.down, j.up
				size[j.item]--
			}
		}
	}
}

func uncover(h *node) {
	for i := h.up; i != h; i = i.up {
		for j := i.left; j != i; j = j.left {
			if j.item >= 0 {
				size[j.item]++
				j.up.down, j.down.up = j, j
			}
		}
	}
	h.left.right, h.right.left = h, h
}

func dance() {
	best := ring.right
	if best == &ring {
		if count == 0 {
			first = append(first[:0], chosen...)
		}
		count++
		return
	}
	for h := best.right; h != &ring; h = h.right {
		if size[h.item] < size[best.item] {
			best = h
		}
	}
	cover(best)
	for i := best.down; i != best; i = i.down {
		chosen = append(chosen, i.option)
		for j := i.right; j != i; j = j.right {
			if j.item >= 0 {
				cover(&itemHead[j.item])
			}
		}
		dance()
		for j := i.left; j != i; j = j.left {
			if j.item >= 0 {
				uncover(&itemHead[j.item])
			}
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
		dance()
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
