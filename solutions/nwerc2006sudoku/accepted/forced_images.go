//go:build ignore

// Idea: a constraint search. The unknowns are the image of each row, each
// column and each digit of the incomplete grid, with the set of values still
// possible. A given (row, column, digit) ties three of them: any two images
// force the third, and one image leaves a matching between the values of the
// other two, which filters both. Images in one band or stack stay in one band
// or stack, and images differ. Rows and columns are tried, digits follow: next
// comes the line with the fewest images left for the number of its givens, where
// a given counts more for each of its unknowns that is settled. First the
// incomplete grid as it is, then its transpose (a quarter turn and a move of rows).
//
// Source: own, after constraint search in general: R. M. Haralick and
// G. L. Elliott, "Increasing tree search efficiency for constraint
// satisfaction problems", Artificial Intelligence 14 (1980).
//
// Time: at most 2 * 6^8 branches, in practice a fraction of a millisecond a pair.
// Memory: 27 sets a level, at most 18 levels.
//
// Weak on seven to ten givens that share few rows, columns and digits, against a
// completed grid with many symmetries. Trying digits too would be far worse: pairs
// then take seconds.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

// The unknowns: rows 0-8, columns 9-17, digits 18-26. A set of values has bit v
// for value v, 0-8.
const (
	rows   = 0
	cols   = 9
	digits = 18
	all    = 1<<9 - 1
	lines  = 1<<digits - 1
)

type tie [3]int // the row, column and digit of a given, as unknowns

type state struct {
	set   [27]uint16
	fixed uint32 // unknowns whose only value has been passed on
}

type matcher struct {
	at    [3][9][9]uint16 // at[0][c][d]: the row of d in column c; at[1][r][d]: the column; at[2][r][c]: the digit
	ties  []tie
	of    [27][]int // the ties of each unknown
	known uint32    // unknowns that occur in a tie
}

// third returns the value of the unknown of kind k in a tie, where a and b are
// the values of the other two in the order row, column, digit.
func (m *matcher) third(k, a, b int) int { return int(m.at[k][a][b]) }

// keep leaves only the values of want in unknown u.
func (s *state) keep(u int, want uint16) bool {
	s.set[u] &= want
	return s.set[u] != 0
}

// spread passes on every single value until nothing changes. It reports
// whether every unknown still has a value.
func (m *matcher) spread(s *state) bool {
	for {
		u := -1
		for rest := m.known &^ s.fixed; rest != 0; rest &= rest - 1 {
			if i := bits.TrailingZeros32(rest); s.set[i]&(s.set[i]-1) == 0 {
				u = i
				break
			}
		}
		if u < 0 {
			return true
		}
		s.fixed |= 1 << u
		if !m.distinct(s, u) {
			return false
		}
		for _, t := range m.of[u] {
			if !m.tighten(s, m.ties[t], u/9) {
				return false
			}
		}
	}
}

// distinct keeps the other unknowns of u's kind off u's value, and lines of its
// band or stack, and only those, in the band or stack of the value.
func (m *matcher) distinct(s *state, u int) bool {
	one := s.set[u]
	kind := u / 9 * 9
	if kind == digits {
		for i := kind; i < kind+9; i++ {
			if i != u && !s.keep(i, ^one) {
				return false
			}
		}
		return true
	}
	three := uint16(7) << (bits.TrailingZeros16(one) / 3 * 3)
	for i := kind; i < kind+9; i++ {
		want := ^three
		if i/3 == u/3 {
			want = three &^ one
		}
		if i != u && !s.keep(i, want) {
			return false
		}
	}
	return true
}

// tighten uses a tie whose unknown of kind k has one value: it leaves in the
// other two only the values that have a partner in each other.
func (m *matcher) tighten(s *state, t tie, k int) bool {
	v := bits.TrailingZeros16(s.set[t[k]])
	i, j := (k+1)%3, (k+2)%3
	if i > j {
		i, j = j, i
	}
	var ki, kj uint16
	for rest := s.set[t[i]]; rest != 0; rest &= rest - 1 {
		a := bits.TrailingZeros16(rest)
		x, y := v, a // the values of the kinds other than j, in order
		if i < k {
			x, y = a, v
		}
		b := uint16(1) << m.third(j, x, y)
		if s.set[t[j]]&b != 0 {
			ki |= 1 << a
			kj |= b
		}
	}
	return s.keep(t[i], ki) && s.keep(t[j], kj)
}

// weight is the number of u's ties, where one counts four more for each settled
// unknown in it. Measured: one more is four times slower on hard pairs.
func (m *matcher) weight(s *state, u int) (w int) {
	for _, t := range m.of[u] {
		w++
		for _, v := range m.ties[t] {
			w += 4 * int(s.fixed>>v&1)
		}
	}
	return w
}

// solve reports whether the unknowns can be given images from s on.
func (m *matcher) solve(s state) bool {
	if !m.spread(&s) {
		return false
	}
	u, images, weight := -1, 0, 0
	for rest := m.known & lines &^ s.fixed; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		n, w := bits.OnesCount16(s.set[i]), m.weight(&s, i)
		if u < 0 || n*weight < images*w {
			u, images, weight = i, n, w
		}
	}
	if u < 0 {
		return true
	}
	for rest := s.set[u]; rest != 0; rest &= rest - 1 {
		next := s
		next.set[u] = rest & -rest
		if m.solve(next) {
			return true
		}
	}
	return false
}

func equivalent(done, todo string) bool {
	for turn := range 2 {
		m := new(matcher)
		for i := range 81 {
			r, c, d := i/9, i%9, int(done[i]-'1')
			m.at[0][c][d], m.at[1][r][d], m.at[2][r][c] = uint16(r), uint16(c), uint16(d)
			if todo[i] == '0' {
				continue
			}
			if turn == 1 {
				r, c = c, r
			}
			t := tie{rows + r, cols + c, digits + int(todo[i]-'1')}
			for _, u := range t {
				m.of[u] = append(m.of[u], len(m.ties))
				m.known |= 1 << u
			}
			m.ties = append(m.ties, t)
		}
		var s state
		for u := range s.set {
			s.set[u] = all
		}
		if m.solve(s) {
			return true
		}
	}
	return false
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	in.Scan() // the number of pairs: they end with the input
	var digits string
	grid := func() (g string) {
		for len(digits) < 81 && in.Scan() {
			digits += in.Text()
		}
		n := min(81, len(digits))
		g, digits = digits[:n], digits[n:]
		return g
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for done := grid(); done != ""; done = grid() {
		if equivalent(done, grid()) {
			fmt.Fprintln(out, "Yes")
		} else {
			fmt.Fprintln(out, "No")
		}
	}
}
