//go:build ignore

// The orthogonal list over blank cells, without the exact cover matrix.
//
// Idea: every blank is a node in two rings, one along its row and one along its
// column, each through a header, so that blanks are found without a look at
// filled cells. Each step takes the first blank of the row with the fewest
// blanks, unlinks it and tries 1 to 9 against three tables of marks. The list
// knows where something is missing, but not what may go there: that is still
// found by trying.
//
// Source: the author of a published solution by orthogonal list and exact cover
// (accepted/cross_links.go) tells of such a first attempt: it fills an
// empty grid, but not a puzzle whose solution comes late in the order of the
// search, such as Inkala's of 2012. The program itself was not published.
//
// Time: up to 9^blanks, in the order of rows by their givens. Memory: 100 nodes.
// Weak: secret/11-late has puzzles that the plain order solves at once, and this
// order late; any file of some hundreds of puzzles with few givens; and now and
// then a grid with a handful, since the rows that have them come first.
package main

import (
	"bufio"
	"os"
	"strconv"
)

type node struct {
	up, down, left, right *node
	row, col              int
}

var (
	blank               [81]node
	rowHead, colHead    [9]node
	rows                node   // the ring of rows that have a blank
	left                [9]int // blanks of a row
	inRow, inCol, inBox [9][9]bool
	answer              [81]byte
)

func build(puzzle []byte) {
	rows.up, rows.down = &rows, &rows
	for i := range 9 {
		r, c := &rowHead[i], &colHead[i]
		r.left, r.right, r.row = r, r, i
		c.up, c.down, c.col = c, c, i
		left[i] = 0
		inRow[i], inCol[i], inBox[i] = [9]bool{}, [9]bool{}, [9]bool{}
	}
	for at, ch := range puzzle {
		r, c := at/9, at%9
		if ch != '0' {
			answer[at] = ch
			mark(r, c, int(ch-'1'), true)
			continue
		}
		b := &blank[at]
		*b = node{up: colHead[c].up, down: &colHead[c], left: rowHead[r].left, right: &rowHead[r], row: r, col: c}
		b.up.down, b.down.up, b.left.right, b.right.left = b, b, b, b
		left[r]++
	}
	for i := range 9 {
		if left[i] > 0 {
			r := &rowHead[i]
			r.up, r.down = rows.up, &rows
			r.up.down, r.down.up = r, r
		}
	}
}

func mark(r, c, d int, v bool) {
	inRow[r][d], inCol[c][d], inBox[r/3*3+c/3][d] = v, v, v
}

func unlink(b *node) {
	b.up.down, b.down.up, b.left.right, b.right.left = b.down, b.up, b.right, b.left
	left[b.row]--
	if r := &rowHead[b.row]; left[b.row] == 0 {
		r.up.down, r.down.up = r.down, r.up
	}
}

func relink(b *node) {
	if r := &rowHead[b.row]; left[b.row] == 0 {
		r.up.down, r.down.up = r, r
	}
	left[b.row]++
	b.up.down, b.down.up, b.left.right, b.right.left = b, b, b, b
}

func search() bool {
	if rows.down == &rows {
		return true
	}
	best := rows.down
	for r := best.down; r != &rows; r = r.down {
		if left[r.row] < left[best.row] {
			best = r
		}
	}
	b := best.right
	unlink(b)
	for d := range 9 {
		if inRow[b.row][d] || inCol[b.col][d] || inBox[b.row/3*3+b.col/3][d] {
			continue
		}
		mark(b.row, b.col, d, true)
		answer[9*b.row+b.col] = byte('1' + d)
		if search() {
			return true
		}
		mark(b.row, b.col, d, false)
	}
	relink(b)
	return false
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in.Scan()
	t, _ := strconv.Atoi(in.Text())
	var puzzle [81]byte
	for range t {
		for row := range 9 {
			in.Scan()
			copy(puzzle[9*row:], in.Bytes())
		}
		build(puzzle[:])
		search()
		for row := range 9 {
			out.Write(answer[9*row : 9*row+9])
			out.WriteByte('\n')
		}
	}
}
