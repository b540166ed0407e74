//go:build ignore

// Treasure Map by sets of rectangles and of cells in words.
//
// Idea: rectangles that may still be taken are a set of bits, and so are the
// rectangles on a cell; what a cell has left is an intersection. A taken
// rectangle takes away all that overlap it, a set known beforehand. Each step
// branches on a cell with the fewest rectangles left. Rectangles are numbered
// from the largest down, so that the first one left tells how many more are
// needed at least; equal ones count once.
//
// Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
// "Backtrack programming", JACM 12 (1965), on words.
//
// Time: exponential at worst. A step looks at 8 words for each blank cell.
// Memory: 160 KB for the sets of all rectangles and cells.
//
// Weak: many rectangles of which few are left, as each step looks at the words
// of all.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"math/bits"
	"os"
	"slices"
)

const (
	maxRects = 500
	maxCells = 900
)

type (
	rectSet [(maxRects + 63) / 64]uint64
	cellSet [(maxCells + 63) / 64]uint64
)

// A rect has the cells from (x1, y1) to before (x2, y2).
type rect struct{ x1, y1, x2, y2 int }

func (r rect) area() int { return (r.x2 - r.x1) * (r.y2 - r.y1) }

var (
	area     [maxRects]int     // of a rectangle; they fall
	on       [maxCells]rectSet // the rectangles on a cell
	cells    [maxRects]cellSet // the cells of a rectangle
	overlaps [maxRects]rectSet // the rectangles that share a cell with one
	least    int
	in       = bufio.NewReaderSize(os.Stdin, 1<<16)
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

// search looks for covers of the blank cells by rectangles that are alive, so
// that there are fewer than least with those chosen already.
func search(alive rectSet, blank cellSet, chosen, left int) {
	if left == 0 {
		least = min(least, chosen)
		return
	}
	biggest := 1
	for w, rects := range alive {
		if rects != 0 {
			biggest = area[64*w+bits.TrailingZeros64(rects)]
			break
		}
	}
	if chosen+(left+biggest-1)/biggest >= least {
		return
	}
	var options rectSet
	fewest := maxRects + 1
	for w, word := range blank {
		for ; word != 0; word &= word - 1 {
			here := on[64*w+bits.TrailingZeros64(word)]
			n := 0
			for i := range here {
				here[i] &= alive[i]
				n += bits.OnesCount64(here[i])
			}
			if n < fewest {
				options, fewest = here, n
			}
		}
	}
	for w, rects := range options {
		for ; rects != 0; rects &= rects - 1 {
			r := 64*w + bits.TrailingZeros64(rects)
			less, rest := alive, blank
			for i, others := range overlaps[r] {
				less[i] &^= others
			}
			for i, word := range cells[r] {
				rest[i] &^= word
			}
			search(less, rest, chosen+1, left-area[r])
		}
	}
}

// solve returns the least number of rectangles for an n by m map, or -1.
func solve(n, m int, rects []rect) int {
	slices.SortFunc(rects, func(a, b rect) int {
		return cmp.Or(cmp.Compare(b.area(), a.area()),
			cmp.Compare(a.x1, b.x1), cmp.Compare(a.y1, b.y1), cmp.Compare(a.x2, b.x2))
	})
	rects = slices.Compact(rects)
	clear(on[:])
	clear(cells[:])
	clear(overlaps[:])
	var alive rectSet
	var blank cellSet
	for c := range n * m {
		blank[c/64] |= 1 << (c % 64)
	}
	for r, rect := range rects {
		alive[r/64] |= 1 << (r % 64)
		area[r] = rect.area()
		for x := rect.x1; x < rect.x2; x++ {
			for y := rect.y1; y < rect.y2; y++ {
				c := m*x + y
				on[c][r/64] |= 1 << (r % 64)
				cells[r][c/64] |= 1 << (c % 64)
			}
		}
		for s, other := range rects {
			if rect.x1 < other.x2 && other.x1 < rect.x2 && rect.y1 < other.y2 && other.y1 < rect.y2 {
				overlaps[r][s/64] |= 1 << (s % 64)
			}
		}
	}
	least = len(rects) + 1
	search(alive, blank, 0, n*m)
	if least > len(rects) {
		return -1
	}
	return least
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	cases, _ := number()
	for range cases {
		n, _ := number()
		m, _ := number()
		p, _ := number()
		rects := make([]rect, p)
		for i := range rects {
			x1, _ := number()
			y1, _ := number()
			x2, _ := number()
			y2, _ := number()
			rects[i] = rect{x1, y1, x2, y2}
		}
		fmt.Fprintln(out, solve(n, m, rects))
	}
}
