//go:build ignore

// Pentominoes as exact cover on an orthogonal list with row and column headers.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// Every one of the matrix is a node in two rings, one along its row and one
// along its column, each through a header; the headers of columns that must be
// covered form a ring of their own. Covering a column takes its header out of
// that ring and the rows it meets out of all their other columns.
//
// Source: the way of a published sudoku solution with the two-way orthogonal
// list (solutions/poj3074/accepted/cross_links.go), made general; columns that
// may be covered stay outside the ring, as in Knuth (2000).
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 60 ms.
//
// Memory: 22 680 nodes and 3852 headers of 48 bytes, used again for each board.
//
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A node is a one of the matrix or a header, of an option or of an item.
type node struct {
	up, down, left, right *node
	option, item          int // -1 in the headers of the other kind
}

var (
	pool       [6 * 63 * 60]node
	used       int
	optionHead [63 * 60]node
	itemHead   [72]node
	ring       node // of the items still to be covered
	size       [72]int
	options    int
	count      int
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
	}
	uncover(best)
}

// A shape is one way to turn and reflect a piece: its squares in reading
// order, each as its distance from the first on a board that is 32 wide.
type shape struct {
	piece int
	at    [5]int
}

var pieces = [12]string{
	".##/##./.#.", "#####", "#./#./#./##", ".#/.#/##/#.", "##/##/#.", "###/.#./.#.",
	"#.#/###", "#../#../###", "#../##./.##", ".#./###/.#.", ".#/##/.#/.#", "##./.#./.##",
}

// shapes returns the 63 shapes of the 12 pieces.
func shapes() (all []shape) {
	for p, drawn := range pieces {
		for turn := range 8 {
			var v []int
			for r, line := range strings.Split(drawn, "/") {
				for c, ch := range line {
					if ch != '#' {
						continue
					}
					r, c := r, c
					if turn&1 != 0 {
						r = -r
					}
					if turn&2 != 0 {
						c = -c
					}
					if turn&4 != 0 {
						r, c = c, r
					}
					v = append(v, 32*r+c)
				}
			}
			slices.Sort(v)
			s := shape{piece: p}
			for i := range s.at {
				s.at[i] = v[i] - v[0]
			}
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// fill makes the options of a board and reports whether there can be a tiling.
// A free square is an item that must be covered; a piece is one too if all
// twelve are needed, and else may be.
func fill(board []string, all []shape) bool {
	var item [25 * 32]int // from 1; 0 where no piece may lie
	free := 0
	for r, line := range board {
		for c, ch := range line {
			if ch == '.' {
				free++
				item[32*r+c] = free
			}
		}
	}
	if free%5 != 0 {
		return false
	}
	if free == 60 {
		reset(72, 72)
	} else {
		reset(free, free+12)
	}
	for first := range 20 * 32 {
		for _, s := range all {
			var o [6]int
			fits := true
			for i, d := range s.at {
				o[i] = item[first+d] - 1
				fits = fits && o[i] >= 0
			}
			if fits {
				o[5] = free + s.piece
				add(o[:]...)
			}
		}
	}
	return true
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
	all := shapes()
	for t := number(); t > 0; t-- {
		board := make([]string, number())
		number() // the width; a line has it
		for r := range board {
			in.Scan()
			board[r] = in.Text()
		}
		count = 0
		if fill(board, all) {
			dance()
		}
		fmt.Fprintln(out, count)
	}
}
