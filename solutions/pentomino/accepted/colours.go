//go:build ignore

// Pentominoes as exact cover with colours.
//
// Idea: free squares must be covered, and the pieces if all twelve are needed.
// Holes may be, and have a colour: hole or laid. The whole board is one more
// option, which must be taken and gives the holes their colour; a piece laid on
// a hole wants the other. Covering an item with a colour hides only the options
// of other colours.
//
// Source: D. E. Knuth, The Art of Computer Programming, volume 4B (2022),
// 7.2.2.1, algorithm C.
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//
// Memory: up to 180 000 nodes of 13 bytes, used again for each board.
//
// Weak: pieces are laid on the whole rectangle at first, which is slow where it
// has more holes than free squares.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	maxItems = 1 + 60 + 12 + 340
	maxNodes = 1 + maxItems + 7*63*400 + 400
)

var (
	left, right [maxItems + 1]int32
	size        [maxItems + 1]int32
	// Node 0 is the head of the ring of items, and items are nodes too. The
	// nodes of an option follow each other; the node before and the one behind
	// are spacers, whose item is 0 or less and tells the option (behind it).
	up, down, item [maxNodes]int32
	// 0: the item for itself alone; above: shared by options of this colour;
	// -1: the item has got this node's colour.
	colour  [maxNodes]int8
	last    int32 // the spacer behind the last option
	options int32
	count   int
)

// reset begins a matrix; items are counted from 0, those that must be covered
// come first.
func reset(primary, items int) {
	for i := range int32(items + 1) {
		left[i], right[i], size[i] = i, i, 0
		up[i], down[i], item[i] = i, i, i
	}
	for i := range int32(primary) {
		right[i], left[i+1] = i+1, i
	}
	right[primary], left[0] = 0, int32(primary)
	last, options = int32(items+1), 0
	item[last] = 0
}

// put adds an item to the option that end will finish.
func put(i int, c int8) {
	last++
	it := int32(i + 1)
	item[last], colour[last], up[last], down[last] = it, c, up[it], it
	down[up[it]], up[it] = last, last
	size[it]++
}

func end() {
	begin := last
	for item[begin] > 0 {
		begin--
	}
	down[begin] = last
	last++
	item[last], up[last] = -options, begin+1
	options++
}

// hide takes an option, given by one of its nodes, out of its other items.
func hide(n int32) {
	for m := n + 1; m != n; m++ {
		it := item[m]
		if it <= 0 {
			m = up[m] - 1
			continue
		}
		if colour[m] >= 0 {
			down[up[m]], up[down[m]] = down[m], up[m]
			size[it]--
		}
	}
}

func show(n int32) {
	for m := n - 1; m != n; m-- {
		it := item[m]
		if it <= 0 {
			m = down[m] + 1
			continue
		}
		if colour[m] >= 0 {
			size[it]++
			down[up[m]], up[down[m]] = m, m
		}
	}
}

func cover(it int32) {
	right[left[it]], left[right[it]] = right[it], left[it]
	for n := down[it]; n != it; n = down[n] {
		hide(n)
	}
}

func uncover(it int32) {
	for n := up[it]; n != it; n = up[n] {
		show(n)
	}
	right[left[it]], left[right[it]] = it, it
}

// commit gives the item of node n what the node's option wants: all of it, or a
// colour, which hides the options of other colours.
func commit(n int32) {
	c, it := colour[n], item[n]
	if c == 0 {
		cover(it)
		return
	}
	if c < 0 {
		return
	}
	for m := down[it]; m != it; m = down[m] {
		if colour[m] == c {
			colour[m] = -1
		} else {
			hide(m)
		}
	}
	colour[n] = c // which says that this node has to be undone
}

func uncommit(n int32) {
	c, it := colour[n], item[n]
	if c == 0 {
		uncover(it)
		return
	}
	if c < 0 {
		return
	}
	for m := up[it]; m != it; m = up[m] {
		if colour[m] < 0 {
			colour[m] = c
		} else {
			show(m)
		}
	}
}

func search() {
	if right[0] == 0 {
		count++
		return
	}
	best := right[0]
	for it := right[best]; it != 0 && size[best] > 0; it = right[it] {
		if size[it] < size[best] {
			best = it
		}
	}
	if size[best] == 0 {
		return
	}
	cover(best)
	for n := down[best]; n != best; n = down[n] {
		m := n + 1
		for ; m != n; m++ {
			if item[m] <= 0 {
				m = up[m] - 1
				continue
			}
			commit(m)
		}
		search()
		for m = n - 1; m != n; m-- {
			if item[m] <= 0 {
				m = down[m] + 1
				continue
			}
			uncommit(m)
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

// Colours of the squares that are holes.
const (
	hole = 1
	laid = 2
)

// fill makes the options of a board and reports whether there can be a tiling.
// Items that must be covered are the board and its free squares, and the pieces
// if all twelve are needed; holes may be. One option is the board: it colours the
// holes. Pieces are laid everywhere in the rectangle.
func fill(board []string, all []shape) bool {
	var item [25 * 32]int // 0 outside
	free, holes := 0, 0
	for r, line := range board {
		for c, ch := range line {
			if ch == '.' {
				free++
				item[32*r+c] = free
			} else {
				holes++
				item[32*r+c] = -holes
			}
		}
	}
	if free%5 != 0 {
		return false
	}
	must := 1 + free
	if free == 60 {
		must += 12
	}
	reset(must, 1+free+12+holes)
	firstHole := 1 + free + 12 - 1
	for first := range 20 * 32 {
		for _, s := range all {
			inside := true
			for _, d := range s.at {
				inside = inside && item[first+d] != 0
			}
			if !inside {
				continue
			}
			for _, d := range s.at {
				if i := item[first+d]; i > 0 {
					put(i, 0)
				} else {
					put(firstHole-i, laid)
				}
			}
			put(1+free+s.piece, 0)
			end()
		}
	}
	put(0, 0)
	for h := 1; h <= holes; h++ {
		put(firstHole+h, hole)
	}
	end()
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
