//go:build ignore

// Queens as exact cover, solved by dancing links in arrays.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. Covering an item takes it
// and its options out of doubly linked lists in such a way that the same steps
// backwards restore them. Options lie one after another between spacers, so
// that only the vertical links dance.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, and The Art of
// Computer Programming, volume 4B (2022), 7.2.2.1, algorithm X.
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 40
// ms.
//
// Memory: some thousand nodes of 12 bytes, used again for each board.
//
// Weak: every option that leaves is unlinked from each of its other items, one
// memory access after another.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const (
	maxItems = 48 + 94
	maxNodes = 1 + maxItems + 5*24*24 + 1
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
	chosen, first  []int
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
			cover(item[m])
		}
		search()
		chosen = chosen[:len(chosen)-1]
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
