//go:build ignore

// Pentominoes as exact cover, solved by dancing links with pointers.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// Every one of the matrix is a node in two rings, one along its option and one
// along its item, the latter through a head; a node that has left a ring still
// knows its neighbours and can return.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; the first idea
// is by H. Hitotumatu and K. Noshita (1979).
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//
// Memory: 22 680 nodes of 48 bytes, used again for each board.
//
// Weak: a pointer is twice as long as an index, and two of the four never
// change.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A node is a one of the matrix, or the head of an item.
type node struct {
	up, down, left, right *node
	head                  *node
	size                  int // of an item
}

var (
	heads   [72]node
	pool    [6 * 63 * 60]node
	used    int
	ring    node // of the items still to be covered
	options int
	count   int
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
		for m := n.right; m != n; m = m.right {
			cover(m.head)
		}
		search()
		for m := n.left; m != n; m = m.left {
			uncover(m.head)
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
			search()
		}
		fmt.Fprintln(out, count)
	}
}
