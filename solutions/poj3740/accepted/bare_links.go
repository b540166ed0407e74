//go:build ignore

// Easy Finding by linked nodes without any headers.
//
// Idea: the lists end in nil instead of being rings through headers. A column
// knows its last node, a row its last node. A row that meets a chosen one is
// taken out whole: its nodes leave their columns and are marked gone, because
// a column may still be entered through a node that has left it. Rows come
// back in the reverse order, so what a gone node points at leads to every node
// that is still there. Each step branches on a column with the fewest rows
// left.
//
// Source: the published solution of POJ 3074 by CNYALI_LK, which is written
// for sudoku but holds for any matrix, here with the nodes of one array for
// all cases.
//
// Time: a step takes the rows of a column, and each of those leaves all
// columns, so that there are at most 3^(16/3), some 350, ends of the search,
// whatever the matrix. Reading it takes as long. Memory: at most 4800 nodes of
// 40 bytes.
//
// Weak: gone rows are walked over again and again, and covered columns are
// looked at in each step.
package main

import (
	"bufio"
	"os"
)

const (
	maxRows = 16
	maxCols = 300
	maxOnes = 4800
)

type node struct {
	up, down, left *node
	row, col       int32
	gone           bool
}

var (
	pool    [maxOnes]node
	used    int
	lastRow [maxRows + 1]*node
	lastCol [maxCols + 1]*node
	count   [maxCols + 1]int // rows left in a column
	covered [maxCols + 1]bool
	columns int
	taken   [maxRows]int32 // rows taken out, in order
	top     int
	in      = bufio.NewReaderSize(os.Stdin, 1<<16)
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

// search says whether the open columns can be covered.
func search() bool {
	best, fewest := 0, maxRows+1
	for c := 1; c <= columns; c++ {
		if !covered[c] && count[c] < fewest {
			best, fewest = c, count[c]
		}
	}
	if best == 0 {
		return true
	}
	mark := top
	for n := lastCol[best]; n != nil; n = n.up {
		if n.gone {
			continue
		}
		choose(n.row)
		if search() {
			return true
		}
		for m := lastRow[n.row]; m != nil; m = m.left {
			covered[m.col] = false
		}
		for top > mark {
			top--
			putBack(taken[top])
		}
	}
	return false
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
	ones := make([]int, 0, maxCols)
	for {
		m, ok := number()
		if !ok {
			return
		}
		n, _ := number()
		reset(n)
		for row := 1; row <= m; row++ {
			ones = ones[:0]
			for c := 1; c <= n; c++ {
				if bit, _ := number(); bit == 1 {
					ones = append(ones, c)
				}
			}
			add(row, ones)
		}
		if search() {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
