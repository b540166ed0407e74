//go:build ignore

// Sudoku as exact cover, solved by dancing cells: sparse sets instead of links.
//
// Idea: putting a digit into a cell is an option that covers four items. Each
// item has its options in an array of which only the first size ones are left.
// To remove one, it changes places with the last that is left, and the size
// becomes less; to bring back all that went since some moment, the sizes of that
// moment are enough, for behind them nothing has moved. The items still to be
// covered are a sparse set themselves. An item that has lost its last option
// ends the branch at once.
//
// Source: D. E. Knuth, programs SSXCC (2023 and later) and "The Art of Computer
// Programming", pre-fascicle 7A; sparse sets by P. Briggs and L. Torczon, "An
// efficient representation for sparse sets" (1993).
//
// Time: exponential at worst; about 0.03 ms for a usual puzzle, with a copy of
// 324 sizes for each step of the search. Memory: 20 KB and 350 bytes a level.
// Weak: no propagation beyond items with one option, so the hardest puzzles take
// some hundreds of guesses.
package main

import (
	"bufio"
	"os"
)

const items = 324

var (
	itemsOf [729][4]uint16   // of an option, 9·cell + digit - 1
	set     [items][9]uint16 // an item's options, those that are left first
	place   [729][4]uint8    // where an option stands in the sets of its items
	size    [items]uint8     // how many options of an item are left
	active  [items]uint16    // items, those to be covered first
	at      [items]uint16    // where an item stands there
	left    int              // items to be covered
	answer  [81]byte
)

// build fills the sets. Their order changes from puzzle to puzzle, what is in
// them does not.
func build() {
	for i := range active {
		active[i], at[i] = uint16(i), uint16(i)
	}
	for o := range itemsOf {
		cell, d := o/9, o%9
		r, c := cell/9, cell%9
		itemsOf[o] = [4]uint16{uint16(cell), uint16(81 + 9*r + d), uint16(162 + 9*c + d), uint16(243 + 9*(r/3*3+c/3) + d)}
		for k, i := range itemsOf[o] {
			set[i][size[i]] = uint16(o)
			place[o][k] = size[i]
			size[i]++
		}
	}
}

// choose covers the items of an option, and removes the options that have one
// of them from all their other items. It reports that none of those is now
// without options.
func choose(o uint16) bool {
	answer[o/9] = byte('1' + o%9)
	for _, i := range itemsOf[o] {
		left--
		p, last := at[i], active[left]
		active[p], at[last] = last, p
		active[left], at[i] = i, uint16(left)
	}
	for _, i := range itemsOf[o] {
		for _, other := range set[i][:size[i]] {
			for k, j := range itemsOf[other] {
				p := place[other][k]
				if int(at[j]) >= left || p >= size[j] {
					continue // covered, or removed before
				}
				size[j]--
				if size[j] == 0 {
					return false
				}
				s := &set[j]
				last := s[size[j]]
				s[p], s[size[j]] = last, other
				place[other][k] = size[j]
				for m, i := range itemsOf[last] {
					if i == j {
						place[last][m] = p
					}
				}
			}
		}
	}
	return true
}

func dance() bool {
	if left == 0 {
		return true
	}
	best := active[0]
	for _, i := range active[1:left] {
		if size[i] < size[best] {
			best = i
			if size[i] == 1 {
				break
			}
		}
	}
	sizes, before := size, left
	for _, o := range set[best][:size[best]] {
		if choose(o) && dance() {
			return true
		}
		size, left = sizes, before
	}
	return false
}

func solve(puzzle []byte) {
	for i := range size {
		size[i] = 9
	}
	left = items
	for cell, ch := range puzzle {
		if ch != '.' {
			choose(uint16(9*cell + int(ch-'1')))
		}
	}
	dance()
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	build()
	var puzzle [81]byte
	for row := range 9 {
		in.Scan()
		copy(puzzle[9*row:], in.Bytes())
	}
	solve(puzzle[:])
	for row := range 9 {
		out.Write(answer[9*row : 9*row+9])
		out.WriteByte('\n')
	}
}
