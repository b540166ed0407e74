//go:build ignore

// Treasure Map by dancing cells, which are sets in arrays.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. A column is the set of its
// rows, an array with those that are left in front. To take a row out of a
// column is to exchange it with the last one left and make the set smaller by
// one; to bring back all that a step took out is to restore sizes, in whatever
// order things stand by then. Open columns are such a set as well. Each step
// branches on a column with the fewest rows left.
//
// Source: D. E. Knuth, "Dancing cells" (Christmas lecture, 2023) and his
// program SSXC; sparse sets are those of P. Briggs and L. Torczon (1993).
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 16 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map. Sizes to come
// back to: at most 3 MB, by the depth of the search.
//
// Weak: sizes are saved for all open columns in each step, which with many
// columns and few rows in each is more than the links would have to undo.
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

// kept is the size of a column's set before a step.
type kept struct{ col, size int32 }

var (
	// The nodes of row r are begin[r] to begin[r+1]-1.
	begin [maxRows + 2]int32
	col   [maxOnes]int32
	row   [maxOnes]int32
	where [maxOnes]int32 // the node's place in set

	set   [maxOnes]int32 // the nodes of column c, from base[c] on
	base  [maxCols + 2]int32
	size  [maxCols + 2]int32 // how many of them are left
	cols  [maxCols]int32     // the columns, those still open in front
	place [maxCols + 1]int32 // where a column is in cols
	open  int32              // how many are open
	// Sizes to come back to: no more at a time than with each step one column less.
	saved          = make([]kept, 0, maxCols*(maxCols+1)/2)
	area           [maxRows + 1]int // of a rectangle
	biggest, least int
	in             = bufio.NewReaderSize(os.Stdin, 1<<16)
)

func reset(columns int) {
	open = int32(columns)
	clear(size[:])
	for c := 1; c <= columns; c++ {
		cols[c-1], place[c] = int32(c), int32(c-1)
	}
	begin[1], saved = 0, saved[:0]
}

func add(r int, columns []int) {
	n := begin[r]
	for _, c := range columns {
		col[n], row[n] = int32(c), int32(r)
		size[c]++
		n++
	}
	begin[r+1] = n
}

// finish makes the sets once all rows are known.
func finish(rows int) {
	for c := int32(1); c <= open; c++ {
		base[c+1] = base[c] + size[c]
	}
	clear(size[:])
	for n := range begin[rows+1] {
		c := col[n]
		where[n] = base[c] + size[c]
		set[where[n]] = n
		size[c]++
	}
}

// drop takes a node out of its column's set: the last one left goes to its
// place, and it goes to where that was, so that a larger size brings it back.
func drop(n int32) {
	c := col[n]
	size[c]--
	end := base[c] + size[c]
	other := set[end]
	set[where[n]], where[other] = other, where[n]
	set[end], where[n] = n, end
}

// closeColumn makes a column covered, and takes each of its rows but skip out of
// the columns that are still open.
func closeColumn(c, skip int32) {
	open--
	other := cols[open]
	cols[place[c]], place[other] = other, place[c]
	cols[open], place[c] = c, open
	for _, i := range set[base[c] : base[c]+size[c]] {
		if row[i] == skip {
			continue
		}
		for j := begin[row[i]]; j < begin[row[i]+1]; j++ {
			if place[col[j]] < open {
				drop(j)
			}
		}
	}
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
	if open == 0 {
		least = chosen
		return
	}
	best := cols[0]
	for _, c := range cols[1:open] {
		if size[c] < size[best] || size[c] == size[best] && c < best {
			best = c
		}
	}
	wasOpen, mark := open, len(saved)
	for _, c := range cols[:open] {
		saved = append(saved, kept{c, size[c]})
	}
	for _, n := range set[base[best] : base[best]+size[best]] {
		r := row[n]
		rest := blank - area[int(r)]
		if late(chosen+1, rest) {
			continue // before all rows that meet this one are taken out
		}
		// First this one: what is closed does not move while it is walked over.
		closeColumn(best, r)
		for j := begin[r]; j < begin[r+1]; j++ {
			if col[j] != best {
				closeColumn(col[j], r)
			}
		}
		search(chosen+1, rest)
		open = wasOpen
		for _, k := range saved[mark:] {
			size[k.col] = k.size
		}
	}
	saved = saved[:mark]
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
		finish(p)
		search(0, n*m)
		if least > p {
			least = -1
		}
		fmt.Fprintln(out, least)
	}
}
