//go:build ignore

// Idea: settle one 3x3 block of the incomplete grid at a time. A block chooses
// the block of the completed grid that it comes from and, where its band or
// stack is not settled yet, the order of its three rows or columns; what it
// shows extends a partial renumbering of the digits. The first contradiction
// ends the branch. A half turn is made of row and column moves, so the grid as
// it is and its transpose (a quarter turn and a move of rows) are all the turns
// there are.
//
// Source: the jury's solution of NWERC 2006 by Per Austrin, written anew. The
// published program lets two digits become the same one; here the renumbering
// is one-to-one.
//
// Time: at most 2 * 324 * 12 * 6 * 12 * 6 placements of the last free block, a
// few digits compared in each. Memory: constant.
//
// Two things keep the bad inputs at bay: bands and stacks with many givens go
// first, and blank rows of a band stay in order, as do blank columns of a stack.
//
// Weak on six to ten givens that no placement refuses early.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

type grid [9][9]byte

// orders are the arrangements of three rows or columns, bands or stacks.
var orders = [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// A renumbering is a partial one-to-one map of digits; 0 is not mapped yet.
type renumbering struct {
	to, from [10]byte
}

// pair adds a -> b and reports whether the map is still one-to-one.
func (m *renumbering) pair(a, b byte) bool {
	if m.to[a] == 0 && m.from[b] == 0 {
		m.to[a], m.from[b] = b, a
	}
	return m.to[a] == b
}

type given struct {
	row, col int // within the block
	digit    byte
}

type search struct {
	done        grid
	givens      [9][]given // by block of the incomplete grid
	rowOrders   [3][][3]int
	colOrders   [3][][3]int
	band, stack [3]int    // where each band and stack of it comes from
	row, col    [3][3]int // and the order of rows and columns in it
	bandUsed    [3]bool
	stackUsed   [3]bool
}

// settle places block k and all after it.
func (s *search) settle(k int, m renumbering) bool {
	if k == 9 {
		return true
	}
	if k%3 > 0 {
		return s.chooseStack(k, m)
	}
	i := k / 3
	for b := range 3 {
		if s.bandUsed[b] {
			continue
		}
		s.bandUsed[b] = true
		s.band[i] = b
		for _, p := range s.rowOrders[i] {
			s.row[i] = p
			if s.chooseStack(k, m) {
				return true
			}
		}
		s.bandUsed[b] = false
	}
	return false
}

// chooseStack goes on with block k, whose band is settled.
func (s *search) chooseStack(k int, m renumbering) bool {
	if k >= 3 {
		return s.compare(k, m)
	}
	for b := range 3 {
		if s.stackUsed[b] {
			continue
		}
		s.stackUsed[b] = true
		s.stack[k] = b
		for _, p := range s.colOrders[k] {
			s.col[k] = p
			if s.compare(k, m) {
				return true
			}
		}
		s.stackUsed[b] = false
	}
	return false
}

// compare adds what block k shows to the renumbering and goes on.
func (s *search) compare(k int, m renumbering) bool {
	i, j := k/3, k%3
	top, left := 3*s.band[i], 3*s.stack[j]
	for _, g := range s.givens[k] {
		if !m.pair(g.digit, s.done[top+s.row[i][g.row]][left+s.col[j][g.col]]) {
			return false
		}
	}
	return s.settle(k+1, m)
}

// count returns how many givens each row of g has.
func (g *grid) count() (n [9]int) {
	for r := range 9 {
		for c := range 9 {
			if g[r][c] > 0 {
				n[r]++
			}
		}
	}
	return n
}

// byGivens returns the bands, most givens first.
func byGivens(n [9]int) []int {
	sum := func(b int) int { return n[3*b] + n[3*b+1] + n[3*b+2] }
	bands := []int{0, 1, 2}
	sort.SliceStable(bands, func(i, j int) bool { return sum(bands[i]) > sum(bands[j]) })
	return bands
}

// front moves the bands with the most givens to the front and turns the grid
// over, so that doing it twice sorts bands and stacks.
func (g *grid) front() (sorted grid) {
	for i, b := range byGivens(g.count()) {
		for r := range 3 {
			for c := range 9 {
				sorted[c][3*i+r] = g[3*b+r][c]
			}
		}
	}
	return sorted
}

// useful returns, for each band, the orders of its rows that differ by more than
// where blank rows go.
func useful(n [9]int) (o [3][][3]int) {
	for b := range 3 {
		blank := func(i int) bool { return n[3*b+i] == 0 }
		for _, p := range orders {
			if blank(0) && blank(1) && p[0] > p[1] ||
				blank(0) && blank(2) && p[0] > p[2] ||
				blank(1) && blank(2) && p[1] > p[2] {
				continue
			}
			o[b] = append(o[b], p)
		}
	}
	return o
}

// turn returns the transpose: a quarter turn up to a move of rows.
func (g *grid) turn() (t grid) {
	for r := range 9 {
		for c := range 9 {
			t[c][r] = g[r][c]
		}
	}
	return t
}

func equivalent(done, todo grid) bool {
	todo = todo.front()
	todo = todo.front()
	across := todo.turn()
	s := search{rowOrders: useful(todo.count()), colOrders: useful(across.count())}
	for r := range 9 {
		for c := range 9 {
			if d := todo[r][c]; d > 0 {
				k := r/3*3 + c/3
				s.givens[k] = append(s.givens[k], given{r % 3, c % 3, d})
			}
		}
	}
	for _, s.done = range []grid{done, done.turn()} {
		if s.settle(0, renumbering{}) {
			return true
		}
	}
	return false
}

func main() {
	in := bufio.NewReader(os.Stdin)
	read := func() (g grid) {
		for r := range 9 {
			for c := 0; c < 9; {
				b, err := in.ReadByte()
				if err != nil {
					panic(err)
				}
				if '0' <= b && b <= '9' {
					g[r][c] = b - '0'
					c++
				}
			}
		}
		return g
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var pairs int
	fmt.Fscan(in, &pairs)
	for range pairs {
		done := read()
		todo := read()
		if equivalent(done, todo) {
			fmt.Fprintln(out, "Yes")
		} else {
			fmt.Fprintln(out, "No")
		}
	}
}
