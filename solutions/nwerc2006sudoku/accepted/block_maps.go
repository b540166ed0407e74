//go:build ignore

// Idea: whatever happens to a grid, a block of the incomplete grid lands on one
// of nine blocks of the completed one, with its rows in one of six orders and
// its columns in one of six. Each of these 9*9*36 ways pairs up some digits, and
// a set of pairs is 81 bits. Two ways go together if no pair of one forbids a
// pair of the other, which is two AND operations, so the search over bands,
// stacks and orders compares whole blocks at a time. Bands and stacks with the
// most givens are placed first, alternately; orders that differ only in where
// blank rows or columns go are tried once.
//
// Source: own.
//
// Time: 2 * 9*9*36 sets, then at most 2 * 36 * 6^6 combinations, each a few
// nanoseconds; the blank lines and the order keep it far below. Memory: two
// tables of 2916 sets of 16 bytes.
//
// Weak on about nine givens that leave no line blank.
package main

import (
	"bufio"
	"fmt"
	"os"
)

// A set holds pairs (a, b) of digits 0-8: bit b of line a, lines 0-6 in lo and 7-8
// in hi.
type set struct{ lo, hi uint64 }

func (s set) or(t set) set     { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) meets(t set) bool { return s.lo&t.lo|s.hi&t.hi != 0 }

// only[a][b] is the pair (a, b); cross[a][b] the pairs that it forbids.
var only, cross [9][9]set

func init() {
	for a := range 9 {
		for b := range 9 {
			if a < 7 {
				only[a][b].lo = 1 << (9*a + b)
			} else {
				only[a][b].hi = 1 << (9*(a-7) + b)
			}
		}
	}
	for a := range 9 {
		for b := range 9 {
			for i := range 9 {
				if i != a {
					cross[a][b] = cross[a][b].or(only[i][b])
				}
				if i != b {
					cross[a][b] = cross[a][b].or(only[a][i])
				}
			}
		}
	}
}

var perm = [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// A way is the set of pairs that one placement of a block makes, and the set
// that it forbids.
type way struct{ makes, forbids set }

// A line is a band or a stack of the incomplete grid with the orders of its
// rows or columns that need to be tried.
type line struct {
	at     int
	orders []int
}

type table struct {
	ways          [9][9][6][6]way // block of todo, block of done, row order, column order
	bands, stacks [3]line
}

func newTable(done, todo *[9][9]int) *table {
	t := new(table)
	for k := range 81 {
		from, to := k/9, k%9
		for p, rows := range perm {
			for q, cols := range perm {
				w := &t.ways[from][to][p][q]
				for i := range 9 {
					a := todo[from/3*3+i/3][from%3*3+i%3]
					if a == 0 {
						continue
					}
					b := done[to/3*3+rows[i/3]][to%3*3+cols[i%3]]
					w.makes = w.makes.or(only[a-1][b-1])
					w.forbids = w.forbids.or(cross[a-1][b-1])
				}
			}
		}
	}
	var inRow, inCol [9]int
	for i := range 81 {
		if todo[i/9][i%9] > 0 {
			inRow[i/9]++
			inCol[i%9]++
		}
	}
	t.bands, t.stacks = lines(inRow), lines(inCol)
	return t
}

// lines sorts the three bands, or stacks, by falling number of givens.
func lines(givens [9]int) (l [3]line) {
	sum := func(i int) int { return givens[3*i] + givens[3*i+1] + givens[3*i+2] }
	best := 0
	for p, o := range perm {
		if sum(o[0]) >= sum(o[1]) && sum(o[1]) >= sum(o[2]) {
			best = p
		}
	}
	for i, at := range perm[best] {
		l[i].at = at
		for p, o := range perm {
			// Of two blank lines the one further up goes first.
			useful := true
			for x := range 3 {
				for y := range x {
					if givens[3*at+x]+givens[3*at+y] == 0 && o[y] > o[x] {
						useful = false
					}
				}
			}
			if useful {
				l[i].orders = append(l[i].orders, p)
			}
		}
	}
	return l
}

// A choice says where a line of the incomplete grid goes.
type choice struct{ to, order int }

// place chooses for band or stack number n%2, n/2 in turn, and all after it.
func (t *table) place(n int, rows, cols [3]choice, made, forbidden set) bool {
	if n == 6 {
		return true
	}
	mine, theirs := &rows, &cols
	l := t.bands[n/2]
	if n%2 == 1 {
		mine, theirs = &cols, &rows
		l = t.stacks[n/2]
	}
	for to := range 3 {
		taken := false
		for _, c := range mine[:n/2] {
			taken = taken || c.to == to
		}
		if taken {
			continue
		}
	order:
		for _, o := range l.orders {
			m, f := made, forbidden
			// The blocks where this line crosses the other kind's placed lines.
			for i, c := range theirs[:(n+1)/2] {
				var w *way
				if n%2 == 0 {
					w = &t.ways[3*l.at+t.stacks[i].at][3*to+c.to][o][c.order]
				} else {
					w = &t.ways[3*t.bands[i].at+l.at][3*c.to+to][c.order][o]
				}
				if w.makes.meets(f) {
					continue order
				}
				m, f = m.or(w.makes), f.or(w.forbids)
			}
			mine[n/2] = choice{to, o}
			if t.place(n+1, rows, cols, m, f) {
				return true
			}
		}
	}
	return false
}

func equivalent(done, todo *[9][9]int) bool {
	for range 2 {
		if newTable(done, todo).place(0, [3]choice{}, [3]choice{}, set{}, set{}) {
			return true
		}
		// A transpose is a quarter turn and a move of rows.
		for r := range 9 {
			for c := range r {
				done[r][c], done[c][r] = done[c][r], done[r][c]
			}
		}
	}
	return false
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	in.Scan() // the number of pairs: they end with the input
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var pair [2][9][9]int
	n := 0
	for in.Scan() {
		for _, b := range in.Bytes() {
			pair[n/81][n%81/9][n%9] = int(b - '0')
			if n++; n < 162 {
				continue
			}
			n = 0
			if equivalent(&pair[0], &pair[1]) {
				fmt.Fprintln(out, "Yes")
			} else {
				fmt.Fprintln(out, "No")
			}
		}
	}
}
