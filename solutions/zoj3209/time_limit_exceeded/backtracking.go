//go:build ignore

// Treasure Map by plain backtracking over the cells in their order.
//
// Idea: the first blank cell, row by row, must be the corner of a rectangle:
// try each that has its corner there and lies on blank cells, as masks of the
// map's rows. What is blank needs at least as many rectangles as the largest
// of all would; if that is not fewer than the best cover known has, go back.
//
// Source: folklore.
//
// Time: exponential. Memory: 30 KB.
//
// Weak: a last corner that cannot be covered, which is found again for every
// way to cover the rest.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

// A rect is as many rows of cells, all alike.
type rect struct {
	rows  int
	cells uint32
	area  int
}

var (
	n, m           int
	corner         [30][30][]rect // those that have their corner there
	covered        [31]uint32     // the cells of each row; one row more than there are
	biggest, least int
	in             = bufio.NewReaderSize(os.Stdin, 1<<16)
)

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

// search looks for covers of fewer than least rectangles. There are chosen of
// them already, and blank cells are left, none before row x.
func search(x, chosen, blank int) {
	if chosen+(blank+biggest-1)/biggest >= least {
		return
	}
	if blank == 0 {
		least = chosen
		return
	}
	for covered[x] == 1<<m-1 {
		x++
	}
	for _, r := range corner[x][bits.TrailingZeros32(^covered[x])] {
		if free(covered[x:x+r.rows], r.cells) {
			flip(covered[x:x+r.rows], r.cells)
			search(x, chosen+1, blank-r.area)
			flip(covered[x:x+r.rows], r.cells)
		}
	}
}

func free(rows []uint32, cells uint32) bool {
	for _, row := range rows {
		if row&cells != 0 {
			return false
		}
	}
	return true
}

func flip(rows []uint32, cells uint32) {
	for i := range rows {
		rows[i] ^= cells
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	cases, _ := number()
	for range cases {
		n, _ = number()
		m, _ = number()
		p, _ := number()
		clear(corner[:])
		biggest, least = 1, p+1
		for range p {
			x1, _ := number()
			y1, _ := number()
			x2, _ := number()
			y2, _ := number()
			r := rect{x2 - x1, 1<<y2 - 1<<y1, (x2 - x1) * (y2 - y1)}
			corner[x1][y1] = append(corner[x1][y1], r)
			biggest = max(biggest, r.area)
		}
		search(0, 0, n*m)
		if least > p {
			least = -1
		}
		fmt.Fprintln(out, least)
	}
}
