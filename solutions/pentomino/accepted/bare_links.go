//go:build ignore

// Pentominoes as exact cover on linked nodes without any headers.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// The lists end in nil instead of being rings through headers. A row that
// contradicts a chosen one is taken out whole and marked gone, because a column
// may still enter its list through a node that has left it. Rows come back in
// the reverse order, so what a gone node points at leads to every node that is
// still there.
//
// Source: the way of a published solution of POJ 3074 by CNYALI_LK
// (solutions/poj3074/accepted/bare_links.go), made general: columns that may be
// covered are never chosen.
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 90 ms.
//
// Memory: 22 680 nodes of 48 bytes, used again for each board.
//
// Weak: gone rows are walked over again and again, which a header avoids, and
// all columns are looked at in each step.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

type node struct {
	up, down, left *node
	row, col       int
	gone           bool
}

var (
	pool    [6 * 63 * 60]node
	used    int
	lastRow [63 * 60]*node
	lastCol [72]*node
	size    [72]int // rows left in a column
	covered [72]bool
	must    int // the first columns, which must be covered
	rows    int
	taken   [63 * 60]int // rows taken out, in order
	top     int
	count   int
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
		search()
		for m := lastRow[n.row]; m != nil; m = m.left {
			covered[m.col] = false
		}
		for top > mark {
			top--
			putBack(taken[top])
		}
	}
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
