//go:build ignore

// Queens as exact cover on linked nodes without any headers.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. The lists end in nil
// instead of being rings through headers. A row that contradicts a chosen one
// is taken out whole and marked gone, because a column may still enter its list
// through a node that has left it. Rows come back in the reverse order, so what
// a gone node points at leads to every node that is still there.
//
// Source: the way of a published solution of POJ 3074 by CNYALI_LK
// (solutions/poj3074/accepted/bare_links.go), made general: columns that may be
// covered are never chosen.
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 100
// ms.
//
// Memory: 2304 nodes of 48 bytes, used again for each board.
//
// Weak: gone rows are walked over again and again, which a header avoids, and
// all columns are looked at in each step.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type node struct {
	up, down, left *node
	row, col       int
	gone           bool
}

var (
	pool          [4 * 24 * 24]node
	used          int
	lastRow       [24 * 24]*node
	lastCol       [48 + 94]*node
	size          [48 + 94]int // rows left in a column
	covered       [48 + 94]bool
	must          int // the first columns, which must be covered
	rows          int
	taken         [24 * 24]int // rows taken out, in order
	top           int
	count         int
	chosen, first []int
)

// reset begins a matrix; columns are counted from 0, those that must be
// covered come first.
func reset(primary, cols int) {
	used, top, rows, must = 0, 0, 0, primary
	clear(lastCol[:cols])
	clear(size[:cols])
	clear(covered[:cols])
}

// add appends a row with ones in these columns.
func add(cols ...int) {
	lastRow[rows] = nil
	for _, c := range cols {
		n := &pool[used]
		used++
		*n = node{up: lastCol[c], left: lastRow[rows], row: rows, col: c}
		if n.up != nil {
			n.up.down = n
		}
		lastRow[rows], lastCol[c] = n, n
		size[c]++
	}
	rows++
}

func takeOut(row int) {
	if lastRow[row].gone {
		return
	}
	taken[top] = row
	top++
	for n := lastRow[row]; n != nil; n = n.left {
		n.gone = true
		if n.up != nil {
			n.up.down = n.down
		}
		if n.down != nil {
			n.down.up = n.up
		}
		size[n.col]--
	}
}

func putBack(row int) {
	for n := lastRow[row]; n != nil; n = n.left {
		n.gone = false
		if n.up != nil {
			n.up.down = n
		}
		if n.down != nil {
			n.down.up = n
		}
		size[n.col]++
	}
}

// choose covers the columns of a row and takes out all rows that meet it.
func choose(row int) {
	for n := lastRow[row]; n != nil; n = n.left {
		covered[n.col] = true
		for other := n.up; other != nil; other = other.up {
			takeOut(other.row)
		}
		for other := n.down; other != nil; other = other.down {
			takeOut(other.row)
		}
	}
	takeOut(row)
}

func search() {
	best := -1
	for col := range must {
		if !covered[col] && (best < 0 || size[col] < size[best]) {
			best = col
		}
	}
	if best < 0 {
		if count == 0 {
			first = append(first[:0], chosen...)
		}
		count++
		return
	}
	if size[best] == 0 {
		return
	}
	mark := top
	for n := lastCol[best]; n != nil; n = n.up {
		if n.gone {
			continue
		}
		choose(n.row)
		chosen = append(chosen, n.row)
		search()
		chosen = chosen[:len(chosen)-1]
		for m := lastRow[n.row]; m != nil; m = m.left {
			covered[m.col] = false
		}
		for top > mark {
			top--
			putBack(taken[top])
		}
	}
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
