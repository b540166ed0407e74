//go:build ignore

// Pentominoes as exact cover, solved by dancing cells: sparse sets instead of links.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// The options of an item are the first places of a segment of one array, and
// every option knows its places. An option leaves by exchanging places with the
// last living one, and comes back by a larger size alone.
//
// Source: D. E. Knuth, the programs SSXC and SSXCC (2020 to 2023) and The Art
// of Computer Programming, pre-fascicle 7A (2025), after C. Solnon; sparse sets
// are by P. Briggs and L. Torczon (1993).
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 70 ms.
//
// Memory: some ten thousand nodes of 8 bytes, used again for each board.
//
// Weak: the order of options changes with the search, so that which solution is
// found first is hard to foresee.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A node says where an option stands in the set of one of its items.
type node struct {
	item int32 // 0 or less in a spacer: minus the number of the option before it
	at   int32 // where the node is in set; in a spacer, the number of nodes before it
}

var (
	nodes   []node  // the options one after another, a spacer on either side of each
	set     []int32 // for each item its nodes; the first size of them are alive
	begin   [72 + 2]int32
	size    [72 + 2]int32
	active  []int32 // the items that must be covered, those still to be covered first
	where   [72 + 2]int32
	left    int32 // how many those are
	must    int32 // items 1 to must are to be covered
	last    int32 // the last item
	options int32
	count   int
)

// reset begins a matrix; items are counted from 0, those that must be covered
// come first.
func reset(primary, items int) {
	nodes = append(nodes[:0], node{})
	clear(size[:items+2])
	must, last, options = int32(primary), int32(items), 0
	active = active[:0]
	for i := range must {
		active = append(active, i+1)
		where[i+1] = i
	}
}

// add appends an option with these items.
func add(items ...int) {
	for _, i := range items {
		nodes = append(nodes, node{item: int32(i + 1), at: size[i+1]})
		size[i+1]++
	}
	nodes = append(nodes, node{item: -options, at: int32(len(items))})
	options++
}

// ready lays out the sets, once all options are known.
func ready() {
	set = append(set[:0], make([]int32, len(nodes))...)
	begin[1] = 0
	for i := int32(1); i <= last; i++ {
		begin[i+1] = begin[i] + size[i]
	}
	for n := range nodes {
		if m := &nodes[n]; m.item > 0 {
			m.at += begin[m.item]
			set[m.at] = int32(n)
		}
	}
	left = must
}

// hide takes an option, given by one of its nodes, out of the sets of its other
// items: the last living node of the set takes its place and it the place behind.
func hide(n int32) {
	for m := n + 1; m != n; m++ {
		x := nodes[m]
		if x.item <= 0 {
			m -= x.at + 1
			continue
		}
		size[x.item]--
		end := begin[x.item] + size[x.item]
		other := set[end]
		set[end], set[x.at] = m, other
		nodes[other].at, nodes[m].at = x.at, end
	}
}

// show undoes hide: the sets remember, so that only the sizes grow.
func show(n int32) {
	for m := n + 1; m != n; m++ {
		x := nodes[m]
		if x.item <= 0 {
			m -= x.at + 1
			continue
		}
		size[x.item]++
	}
}

func cover(it int32) {
	if it <= must {
		left--
		k, other := where[it], active[left]
		active[k], active[left] = other, it
		where[other], where[it] = k, left
	}
	for _, n := range set[begin[it]:][:size[it]] {
		hide(n)
	}
}

func uncover(it int32) {
	for _, n := range set[begin[it]:][:size[it]] {
		show(n)
	}
	if it <= must {
		left++
	}
}

func search() {
	if left == 0 {
		count++
		return
	}
	best := active[0]
	for _, it := range active[1:left] {
		if size[it] < size[best] {
			best = it
		}
	}
	if size[best] == 0 {
		return
	}
	cover(best)
	for _, n := range set[begin[best]:][:size[best]] {
		m := n + 1
		for ; m != n; m++ {
			if nodes[m].item <= 0 {
				m -= nodes[m].at + 1
				continue
			}
			cover(nodes[m].item)
		}
		search()
		// The sizes come back right only if the last covered comes back first.
		begins := m
		for nodes[begins-1].item > 0 {
			begins--
		}
		for m = n - 1; m >= begins; m-- {
			uncover(nodes[m].item)
		}
		for m = n + 1; nodes[m].item > 0; m++ {
		}
		for m--; m > n; m-- {
			uncover(nodes[m].item)
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
			ready()
			search()
		}
		fmt.Fprintln(out, count)
	}
}
