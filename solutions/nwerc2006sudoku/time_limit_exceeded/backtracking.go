//go:build ignore

// Idea: walk over the cells in reading order. At the first cell of a row, try every
// row of the completed grid that may become it, and in the first row every
// column; from the second row on only rows are left to choose. A cell that is given
// must agree with the renumbering so far; blank cells are passed over. Blank lines
// are given images like all others, and no line goes before another.
//
// Source: own; what is written first.
//
// Time: 2 * 6^8 arrangements at worst, about 0.1 s for a No. Memory: constant.
//
// Weak where the first rows are blank, and nothing is refused until all columns and
// most rows have images.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

type grid [9][9]byte

// A half is what was chosen for the rows, or for the columns.
type half struct {
	image [9]int
	used  [9]bool
}

// free reports whether line i can get image v after those before it.
func (h *half) free(i, v int) bool {
	if h.used[v] {
		return false
	}
	if i%3 > 0 {
		return h.image[i-1]/3 == v/3
	}
	for j := 0; j < i; j += 3 {
		if h.image[j]/3 == v/3 {
			return false
		}
	}
	return true
}

type search struct {
	done, todo *grid
	rows, cols half
	to, from   [10]byte
	next       [82]int // the first cell from i on where there is something to do
}

func newSearch(done, todo *grid) *search {
	s := &search{done: done, todo: todo}
	s.next[81] = 81
	for i := 80; i >= 0; i-- {
		s.next[i] = s.next[i+1]
		if i < 9 || i%9 == 0 || todo[i/9][i%9] != 0 {
			s.next[i] = i
		}
	}
	return s
}

// cell goes on from cell i. A row and a column get images before they are compared.
func (s *search) cell(i int) bool {
	if i = s.next[i]; i == 81 {
		return true
	}
	r, c := i/9, i%9
	switch {
	case c == 0:
		return s.choose(&s.rows, r, i)
	case r == 0:
		return s.choose(&s.cols, c, i)
	}
	return s.compare(i)
}

func (s *search) choose(h *half, line, i int) bool {
	for v := range 9 {
		if !h.free(line, v) {
			continue
		}
		h.image[line], h.used[v] = v, true
		var ok bool
		if i == 0 && h == &s.rows {
			ok = s.choose(&s.cols, 0, 0)
		} else {
			ok = s.compare(i)
		}
		if ok {
			return true
		}
		h.used[v] = false
	}
	return false
}

// compare looks at cell i and goes on if it agrees.
func (s *search) compare(i int) bool {
	a := s.todo[i/9][i%9]
	if a == 0 {
		return s.cell(i + 1)
	}
	b := s.done[s.rows.image[i/9]][s.cols.image[i%9]]
	if s.to[a] != 0 || s.from[b] != 0 {
		return s.to[a] == b && s.cell(i+1)
	}
	s.to[a], s.from[b] = b, a
	if s.cell(i + 1) {
		return true
	}
	s.to[a], s.from[b] = 0, 0
	return false
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	words := bytes.Fields(text)
	digits := bytes.Join(words[1:], nil) // in lines of any length
	for ; len(digits) >= 162; digits = digits[162:] {
		done, todo, turned := new(grid), new(grid), new(grid)
		for i := range 81 {
			done[i/9][i%9] = digits[i] - '0'
			todo[i/9][i%9] = digits[81+i] - '0'
			turned[i%9][8-i/9] = done[i/9][i%9]
		}
		if newSearch(done, todo).cell(0) || newSearch(turned, todo).cell(0) {
			fmt.Println("Yes")
		} else {
			fmt.Println("No")
		}
	}
}
