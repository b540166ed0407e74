//go:build ignore

// Queens as exact cover with colours.
//
// Idea: rows and columns must be covered, diagonals may be. Squares may be too,
// and have a colour: queen or blocked. The whole board is one more option,
// which must be taken and gives the settled squares their colours; a queen on a
// square wants its colour. Covering an item with a colour hides only the
// options of other colours.
//
// Source: D. E. Knuth, The Art of Computer Programming, volume 4B (2022),
// 7.2.2.1, algorithm C.
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 50
// ms.
//
// Memory: about 5000 nodes of 13 bytes, used again for each board.
//
// Weak: blocked squares are options at first, and hidden by the colours only
// then.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const (
	maxItems = 1 + 48 + 94 + 24*24
	maxNodes = 1 + maxItems + 7*24*24 + 3
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
	colour        [maxNodes]int8
	last          int32 // the spacer behind the last option
	options       int32
	count         int
	chosen, first []int
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
		if count == 0 {
			first = append(first[:0], chosen...)
		}
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
				chosen = append(chosen, int(-item[m]))
				m = up[m] - 1
				continue
			}
			commit(m)
		}
		search()
		chosen = chosen[:len(chosen)-1]
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

var squares [][2]int // of the options, by row and column

// Colours of the squares.
const (
	blocked = 1
	queen   = 2
)

// fill makes the options of a board. Items that must be covered are the board,
// the rows and the columns; diagonals and squares may be. One option is the
// board: it colours the squares that are settled.
func fill(board []string) {
	n := len(board)
	diagonal := 1 + 2*n
	square := diagonal + 2*(2*n-1)
	reset(diagonal, square+n*n)
	squares = squares[:0]
	for r := range n {
		for c := range n {
			squares = append(squares, [2]int{r, c})
			put(1+r, 0)
			put(1+n+c, 0)
			put(diagonal+r+c, 0)
			put(diagonal+2*n-1+n-1-r+c, 0)
			put(square+n*r+c, queen)
			end()
		}
	}
	put(0, 0)
	for r, line := range board {
		given := strings.IndexByte(line, 'Q')
		for c := range n {
			switch {
			case c == given:
				put(square+n*r+c, queen)
			case given >= 0 || line[c] == '#':
				put(square+n*r+c, blocked)
			}
		}
	}
	end()
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
			if o < len(squares) { // not the board
				column[squares[o][0]] = 1 + squares[o][1]
			}
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
