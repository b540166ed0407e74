//go:build ignore

// Pentominoes as exact cover, solved by dancing links in arrays.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// Covering an item takes it and its options out of doubly linked lists in such
// a way that the same steps backwards restore them. Options lie one after
// another between spacers, so that only the vertical links dance.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, and The Art of
// Computer Programming, volume 4B (2022), 7.2.2.1, algorithm X.
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//
// Memory: some ten thousand nodes of 12 bytes, used again for each board.
//
// Weak: every option that leaves is unlinked from each of its other items, one
// memory access after another.
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
	maxItems = 72
	maxNodes = 1 + maxItems + 7*63*60 + 1
)

var (
	left, right [maxItems + 1]int32
	size        [maxItems + 1]int32
	// Node 0 is the head of the ring of items, and items are nodes too. The
	// nodes of an option follow each other; the node before and the one behind
	// are spacers, whose item is 0 or less and tells the option (behind it).
	up, down, item [maxNodes]int32
	last           int32 // the spacer behind the last option
	options        int32
	count          int
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

// add appends an option with these items.
func add(items ...int) {
	spacer := last
	for _, i := range items {
		last++
		it := int32(i + 1)
		item[last], up[last], down[last] = it, up[it], it
		down[up[it]], up[it] = last, last
		size[it]++
	}
	down[spacer] = last
	last++
	item[last], up[last] = -options, spacer+1
	options++
}

func cover(it int32) {
	right[left[it]], left[right[it]] = right[it], left[it]
	for n := down[it]; n != it; n = down[n] {
		for m := n + 1; m != n; m++ {
			it := item[m]
			if it <= 0 {
				m = up[m] - 1
				continue
			}
			down[up[m]], up[down[m]] = down[m], up[m]
			size[it]--
		}
	}
}

func uncover(it int32) {
	for n := up[it]; n != it; n = up[n] {
		for m := n - 1; m != n; m-- {
			it := item[m]
			if it <= 0 {
				m = down[m] + 1
				continue
			}
			size[it]++
			down[up[m]], up[down[m]] = m, m
		}
	}
	right[left[it]], left[right[it]] = it, it
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
			cover(item[m])
		}
		search()
		for m = n - 1; m != n; m-- {
			if item[m] <= 0 {
				m = down[m] + 1
				continue
			}
			uncover(item[m])
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
