//go:build ignore

// Queens as exact cover, solved by dancing cells: sparse sets instead of links.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. The options of an item are
// the first places of a segment of one array, and every option knows its
// places. An option leaves by exchanging places with the last living one, and
// comes back by a larger size alone.
//
// Source: D. E. Knuth, the programs SSXC and SSXCC (2020 to 2023) and The Art
// of Computer Programming, pre-fascicle 7A (2025), after C. Solnon; sparse sets
// are by P. Briggs and L. Torczon (1993).
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 50
// ms.
//
// Memory: some thousand nodes of 8 bytes, used again for each board.
//
// Weak: the order of options changes with the search, so that which solution is
// found first is hard to foresee.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A node says where an option stands in the set of one of its items.
type node struct {
	item int32 // 0 or less in a spacer: minus the number of the option before it
	at   int32 // where the node is in set; in a spacer, the number of nodes before it
}

var (
	nodes         []node  // the options one after another, a spacer on either side of each
	set           []int32 // for each item its nodes; the first size of them are alive
	begin         [48 + 94 + 2]int32
	size          [48 + 94 + 2]int32
	active        []int32 // the items that must be covered, those still to be covered first
	where         [48 + 94 + 2]int32
	left          int32 // how many those are
	must          int32 // items 1 to must are to be covered
	last          int32 // the last item
	options       int32
	count         int
	chosen, first []int
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
		if count == 0 {
			first = append(first[:0], chosen...)
		}
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
				chosen = append(chosen, int(-nodes[m].item))
				m -= nodes[m].at + 1
				continue
			}
			cover(nodes[m].item)
		}
		search()
		chosen = chosen[:len(chosen)-1]
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
		ready()
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
