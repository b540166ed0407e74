//go:build ignore

// Treasure Map by linked nodes without any headers.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. The lists end in nil instead of
// being rings through headers. A column knows its last node, a row its last
// node. A row that meets a chosen one is taken out whole: its nodes leave
// their columns and are marked gone, because a column may still be entered
// through a node that has left it. Rows come back in the reverse order, so
// what a gone node points at leads to every node that is still there. Each
// step branches on a column with the fewest rows left.
//
// Source: the published solution of POJ 3074 by CNYALI_LK, which is written
// for sudoku but holds for any matrix, here with the nodes of one array for
// all cases.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 40 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: gone rows are walked over again and again, and covered columns are
// looked at in each step.
package main

import (
	"bufio"
	"fmt"
	"os"
)

const (
	maxRows = 500    // rectangles
	maxCols = 900    // cells
	maxOnes = 450000 // cells of all rectangles together
)

type node struct {
	up, down, left *node
	row, col       int32
	gone           bool
}

var (
	pool           [maxOnes]node
	used           int
	lastRow        [maxRows + 1]*node
	lastCol        [maxCols + 1]*node
	count          [maxCols + 1]int // rows left in a column
	covered        [maxCols + 1]bool
	columns        int
	taken          [maxRows]int32 // rows taken out, in order
	top            int
	area           [maxRows + 1]int // of a rectangle
	biggest, least int
	in             = bufio.NewReaderSize(os.Stdin, 1<<16)
)

func reset(cols int) {
	used, top, columns = 0, 0, cols
	clear(lastCol[:])
	clear(count[:])
	clear(covered[:])
}

// add puts nodes at the ends of a row and of its columns.
func add(row int, cols []int) {
	lastRow[row] = nil
	for _, c := range cols {
		n := &pool[used]
		used++
		*n = node{up: lastCol[c], left: lastRow[row], row: int32(row), col: int32(c)}
		if n.up != nil {
			n.up.down = n
		}
		lastRow[row], lastCol[c] = n, n
		count[c]++
	}
}

func takeOut(row int32) {
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
		count[n.col]--
	}
}

func putBack(row int32) {
	for n := lastRow[row]; n != nil; n = n.left {
		n.gone = false
		if n.up != nil {
			n.up.down = n
		}
		if n.down != nil {
			n.down.up = n
		}
		count[n.col]++
	}
}

// choose covers the columns of a row and takes out all rows that meet it.
func choose(row int32) {
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

// late says whether so many rectangles, and as many as what is blank needs at
// least, are no better than the best cover known.
func late(chosen, blank int) bool {
	return chosen+(blank+biggest-1)/biggest >= least
}

// search looks for covers of fewer than least rectangles. There are chosen of
// them already, and blank cells are left.
func search(chosen, blank int) {
	if late(chosen, blank) {
		return
	}
	best, fewest := 0, maxRows+1
	for c := 1; c <= columns; c++ {
		if !covered[c] && count[c] < fewest {
			best, fewest = c, count[c]
		}
	}
	if best == 0 {
		least = chosen
		return
	}
	mark := top
	for n := lastCol[best]; n != nil; n = n.up {
		if n.gone {
			continue
		}
		rest := blank - area[int(n.row)]
		if late(chosen+1, rest) {
			continue // before all rows that meet this one are taken out
		}
		choose(n.row)
		search(chosen+1, rest)
		for m := lastRow[n.row]; m != nil; m = m.left {
			covered[m.col] = false
		}
		for top > mark {
			top--
			putBack(taken[top])
		}
	}
}

// number reads the next number, or says that there is none.
func number() (n int, ok bool) {
	for {
		switch c, err := in.ReadByte(); {
		case err == nil && '0' <= c && c <= '9':
			n, ok = 10*n+int(c-'0'), true
		case ok || err != nil:
			return n, ok
		}
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	cells := make([]int, 0, maxCols)
	cases, _ := number()
	for range cases {
		n, _ := number()
		m, _ := number()
		p, _ := number()
		reset(n * m)
		biggest, least = 1, p+1
		for row := 1; row <= p; row++ {
			x1, _ := number()
			y1, _ := number()
			x2, _ := number()
			y2, _ := number()
			cells = cells[:0]
			for x := x1; x < x2; x++ {
				for y := y1; y < y2; y++ {
					cells = append(cells, 1+m*x+y)
				}
			}
			area[row] = len(cells)
			biggest = max(biggest, area[row])
			add(row, cells)
		}
		search(0, n*m)
		if least > p {
			least = -1
		}
		fmt.Fprintln(out, least)
	}
}
