//go:build ignore

// Treasure Map by dancing links through all exact covers.
//
// Idea: that of accepted/dancing_links.go, but a branch ends early only where
// it has as many rectangles as the smallest cover known, whatever is still
// blank.
//
// Source: published solutions of ZOJ 3209 that stop a search when it has
// chosen as many rectangles as the best cover has.
//
// Time: exponential: the number of covers, where most are about as small as
// the smallest. Memory: 12 bytes for each cell of each rectangle.
//
// Weak: maps that fall into parts, each of which can be covered in several
// ways.
package main

import (
	"bufio"
	"fmt"
	"os"
)

const (
	maxRows  = 500                                 // rectangles
	maxCols  = 900                                 // cells
	maxOnes  = 450000                              // cells of all rectangles together
	maxNodes = 1 + maxCols + maxOnes + 1 + maxRows // with headers and spacers
)

var (
	left, right [maxCols + 1]int32 // the ring of open columns; 0 begins it
	size        [maxCols + 1]int32 // rows left in a column
	up, down    [maxNodes]int32    // rings of columns; of a spacer see add
	col         [maxNodes]int32    // of a spacer: minus the row before it
	last        int32              // the node made last, a spacer
	least       int
	in          = bufio.NewReaderSize(os.Stdin, 1<<16)
)

func reset(cols int) {
	for c := range int32(cols + 1) {
		left[c], right[c] = c-1, c+1
		up[c], down[c], size[c] = c, c, 0
	}
	left[0], right[cols] = int32(cols), 0
	last = int32(cols + 1)
	col[last] = 0
}

// add puts a row's nodes side by side, with a spacer before and after. The
// spacer after leads up to the row's first node, the one before down to its
// last, so that a walk in either direction goes round.
func add(row int, cols []int) {
	first := last + 1
	for _, c := range cols {
		last++
		h := int32(c)
		up[last], down[last], col[last] = up[h], h, h
		down[up[h]], up[h] = last, last
		size[h]++
	}
	down[first-1] = last
	last++
	up[last], col[last] = first, int32(-row)
}

func cover(c int32) {
	left[right[c]], right[left[c]] = left[c], right[c]
	for i := down[c]; i != c; i = down[i] {
		for j := i + 1; j != i; j++ {
			if col[j] <= 0 {
				j = up[j] - 1
				continue
			}
			up[down[j]], down[up[j]] = up[j], down[j]
			size[col[j]]--
		}
	}
}

func uncover(c int32) {
	for i := up[c]; i != c; i = up[i] {
		for j := i - 1; j != i; j-- {
			if col[j] <= 0 {
				j = down[j] + 1
				continue
			}
			size[col[j]]++
			up[down[j]], down[up[j]] = j, j
		}
	}
	left[right[c]], right[left[c]] = c, c
}

func coverOthers(n int32) {
	for j := n + 1; j != n; j++ {
		if col[j] <= 0 {
			j = up[j] - 1
			continue
		}
		cover(col[j])
	}
}

func uncoverOthers(n int32) {
	for j := n - 1; j != n; j-- {
		if col[j] <= 0 {
			j = down[j] + 1
			continue
		}
		uncover(col[j])
	}
}

// search looks for covers of fewer than least rectangles. There are chosen of
// them already.
func search(chosen int) {
	if chosen >= least {
		return
	}
	if right[0] == 0 {
		least = chosen
		return
	}
	best := right[0]
	for c := right[best]; c != 0; c = right[c] {
		if size[c] < size[best] {
			best = c
		}
	}
	cover(best)
	for n := down[best]; n != best; n = down[n] {
		coverOthers(n)
		search(chosen + 1)
		uncoverOthers(n)
	}
	uncover(best)
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
		least = p + 1
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
			add(row, cells)
		}
		search(0)
		if least > p {
			least = -1
		}
		fmt.Fprintln(out, least)
	}
}
