//go:build ignore

// Idea: only the columns are searched. Nine rows have at most 6^4 = 1296 orders,
// and one bit stands for each, so that all of them are tried at once: the set of
// orders that nothing forbids yet is 21 words. What a row of the incomplete grid
// would show in a column of the completed one depends on the order; its digit is
// written across four such sets, one for each of its bits. Two givens of the same
// digit then leave the orders in which four exclusive ors are zero, and two that
// differ those in which they are not. The columns come one at a time, in an order
// that brings equal digits together soon; an empty set ends a branch. Rows without
// givens are not told apart, which makes the sets smaller.
//
// A completed grid that looks the same from several sides would be searched from
// each. So, once a pair has taken a while, the symmetries of its completed grid
// are listed (at most 648 besides turns: the image of one block decides), and of
// the images of a column that those exchange which keep the columns placed so far,
// one is tried. If one of them contains a quarter turn, the turned grid is left out.
//
// Source: own. The turn is from the jury's solution of NWERC 2006: a half turn is
// made of row and column moves, so the incomplete grid as it is and its transpose
// are all that matter.
//
// Time: at most 2 * 6381 placements of a column, each a few passes over 21 words;
// 60 microseconds for a usual pair, and a millisecond for the worst that hill
// climbing found. Memory: 54 KiB, and up to 72 KiB for each of the 125 sets of rows
// that can be told apart: 4 MiB.
//
// Weak on ten to thirteen givens with few equal pairs, against a completed grid with
// hardly a symmetry; and easy pairs pay for the tables.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

const (
	words   = 21 // 1296 bits
	patient = 200
)

// An orderSet has a bit for each order of the rows.
type orderSet [words]uint64

// A digit that depends on the order of the rows: its bit k for 64 orders is at [word][k].
type digit [words][4]uint64

type given struct{ row, digit uint8 }

// A symmetry is where rows and columns of the completed grid, and its digits, go
// so that it stays as it is.
type symmetry struct{ row, col, digit [9]uint8 }

// A rowOrders is the orders of the rows that an incomplete grid tells apart.
type rowOrders struct {
	apart uint16
	n     int
	// The orders in which a row of the incomplete grid is one of a set of rows of
	// the completed one: rows 0-4 by low, rows 5-8 by high.
	low  [9]*[32]orderSet
	high [9]*[16]orderSet
}

type matcher struct {
	known map[uint16]*rowOrders // by apart, of which there are 125
	rows  *rowOrders
	done  [81]uint8 // digits 0-8
	// shows[r][c] is what row r of the incomplete grid has in column c of done.
	shows [9][9]digit

	columns [9][]given // of the incomplete grid
	digits  [9]uint16  // what those have
	plan    [9]int     // its columns with givens, in the order of the search
	planned int        // how many those are

	left    [10]orderSet // orders left after so many columns
	some    [10]uint32   // and the words of that which are not 0; others are stale
	first   [9]*digit    // what the first given of each digit shows
	names   []*digit     // all of those
	rowOf   []uint8      // and their rows
	stack   [3]int       // images of the stacks, or -1
	tries   int
	enough  int // tries after which to give up
	group   []symmetry
	keeping [10][]int // symmetries that keep the columns placed so far
}

var orders = [6][3]uint8{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// toldApart adds the third row of each band that has two: its place is known then.
func toldApart(rows uint16) uint16 {
	for band := uint16(7); band < 1<<9; band <<= 3 {
		if bits.OnesCount16(rows&band) == 2 {
			rows |= band
		}
	}
	return rows
}

// newRowOrders lists the orders.
func newRowOrders(apart uint16) *rowOrders {
	o := &rowOrders{apart: apart}
	for rows := apart; rows != 0; rows &= rows - 1 {
		r := bits.TrailingZeros16(rows)
		o.low[r], o.high[r] = new([32]orderSet), new([16]orderSet)
	}
	o.list(apart, 0, [3]int{-1, -1, -1}, new([9]int))
	for rows := apart; rows != 0; rows &= rows - 1 {
		r := bits.TrailingZeros16(rows)
		unite(o.low[r][:])
		unite(o.high[r][:])
	}
	return o
}

// unite fills in the sets of several rows, where those of one row are known.
func unite(sets []orderSet) {
	for rows := range sets {
		if last := rows & -rows; rows != last {
			for w := range words {
				sets[rows][w] = sets[rows^last][w] | sets[last][w]
			}
		}
	}
}

// list enters the orders of the rows of rest, where those before have images.
func (o *rowOrders) list(rest, taken uint16, band [3]int, image *[9]int) {
	if rest == 0 {
		for rows := o.apart; rows != 0; rows &= rows - 1 {
			r := bits.TrailingZeros16(rows)
			if v := image[r]; v < 5 {
				o.low[r][1<<v][o.n/64] |= 1 << (o.n % 64)
			} else {
				o.high[r][1<<(v-5)][o.n/64] |= 1 << (o.n % 64)
			}
		}
		o.n++
		return
	}
	r := bits.TrailingZeros16(rest)
	for v := range 9 {
		if taken>>v&1 == 1 || !free(band, r/3, v/3) {
			continue
		}
		next := band
		next[r/3] = v / 3
		image[r] = v
		o.list(rest&(rest-1), taken|1<<v, next, image)
	}
}

// free reports whether band b may have, or already has, image v.
func free(band [3]int, b, v int) bool {
	if band[b] >= 0 {
		return band[b] == v
	}
	return band[0] != v && band[1] != v && band[2] != v
}

// tables fills rows and shows, as far as they are not what they should be already.
func (m *matcher) tables(done *[81]uint8, apart uint16) {
	if m.rows != nil && m.rows.apart == apart && m.done == *done {
		return
	}
	m.rows = m.known[apart]
	if m.rows == nil {
		m.rows = newRowOrders(apart)
		m.known[apart] = m.rows
	}
	m.done = *done
	for c := range 9 {
		var have [4]uint16 // the rows whose digit in column c has a bit
		for v := range 9 {
			for k := range have {
				have[k] |= uint16(done[9*v+c]>>k&1) << v
			}
		}
		for rows := apart; rows != 0; rows &= rows - 1 {
			r := bits.TrailingZeros16(rows)
			low, high := m.rows.low[r], m.rows.high[r]
			x := &m.shows[r][c]
			for k := range have {
				l, h := &low[have[k]&31], &high[have[k]>>5]
				for w := range (m.rows.n + 63) / 64 {
					x[w][k] = l[w] | h[w]
				}
			}
		}
	}
}

// schedule sets plan. From every column to start with, it goes on with the one
// that has the fewest images for the equal digits that it brings, and takes the
// sequence with the fewest placements, if one in eight pairs of digits is equal.
func (m *matcher) schedule() {
	fewest := ^uint64(0)
	m.planned = 0
	for start := range 9 {
		if m.digits[start] == 0 {
			continue
		}
		var seen uint16   // digits
		var placed uint16 // columns
		var open [3]int   // columns of each stack that are placed
		stacks := 3       // images for a new one
		equal := 0
		ways, sum := uint64(1), uint64(0)
		var seq [9]int
		n := 0
		images := func(c int) int {
			if open[c/3] > 0 {
				return 3 - open[c/3]
			}
			return 3 * stacks
		}
		for c := start; c >= 0; {
			seq[n] = c
			n++
			placed |= 1 << c
			ways *= uint64(images(c))
			if open[c/3] == 0 {
				stacks--
			}
			open[c/3]++
			equal += bits.OnesCount16(seen & m.digits[c])
			seen |= m.digits[c]
			sum += ways * min(1<<40, uint64(m.rows.n)<<40>>(3*equal)) >> 20
			c = -1
			worth := 0
			for x := range 9 {
				if placed>>x&1 == 1 || m.digits[x] == 0 {
					continue
				}
				// Three bits for an equal digit, less the bits of the image; tenths.
				w := 1000 + len(m.columns[x]) - [10]int{0, 0, 10, 16, 0, 0, 26, 0, 0, 32}[images(x)]
				w += 30 * bits.OnesCount16(seen&m.digits[x])
				if w > worth {
					c, worth = x, w
				}
			}
		}
		if sum < fewest {
			fewest, m.plan, m.planned = sum, seq, n
		}
	}
}

type verdict int

const (
	no verdict = iota
	yes
	unknown
)

// search gives images to the columns of the plan from number n on; taken are
// columns of the completed grid.
func (m *matcher) search(n int, taken uint16) verdict {
	if n == m.planned {
		return yes
	}
	c := m.plan[n]
	before := m.stack
	named, first := len(m.names), m.first
	skip := taken
	for v := range 9 {
		if skip>>v&1 == 1 || !free(before, c/3, v/3) {
			continue
		}
		m.keeping[n+1] = m.keeping[n+1][:0]
		for _, i := range m.keeping[n] {
			to := m.group[i].col[v]
			skip |= 1 << to
			if int(to) == v {
				m.keeping[n+1] = append(m.keeping[n+1], i)
			}
		}
		if m.tries++; m.tries > m.enough {
			return unknown
		}
		if !m.place(n, m.columns[c], v) {
			continue
		}
		m.stack[c/3] = v / 3
		for _, g := range m.columns[c] {
			if m.first[g.digit] == nil {
				m.first[g.digit] = &m.shows[g.row][v]
				m.names, m.rowOf = append(m.names, m.first[g.digit]), append(m.rowOf, g.row)
			}
		}
		if found := m.search(n+1, taken|1<<v); found != no {
			return found
		}
		m.first, m.names, m.rowOf = first, m.names[:named], m.rowOf[:named]
		m.stack = before
	}
	return no
}

// place sets left[n+1] to the orders of left[n] in which the givens of a column
// agree with those placed, if it becomes column v. It reports whether there are any.
func (m *matcher) place(n int, column []given, v int) bool {
	from, to := &m.left[n], &m.left[n+1]
	some := m.some[n]
	for _, g := range column {
		first := m.first[g.digit]
		if first == nil {
			continue
		}
		shown := &m.shows[g.row][v]
		next := uint32(0)
		for ; some != 0; some &= some - 1 {
			w := bits.TrailingZeros32(some)
			x, y := &shown[w], &first[w]
			to[w] = from[w] &^ ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]))
			if to[w] != 0 {
				next |= some & -some
			}
		}
		if next == 0 {
			return false
		}
		some, from = next, to
	}
	for _, g := range column {
		if m.first[g.digit] != nil {
			continue
		}
		var others [8]*digit
		d := 0
		for i, first := range m.names {
			if m.rowOf[i] != g.row { // in one row they differ anyway
				others[d] = first
				d++
			}
		}
		shown := &m.shows[g.row][v]
		next := uint32(0)
		for ; some != 0; some &= some - 1 {
			w := bits.TrailingZeros32(some)
			x := &shown[w]
			x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
			left := from[w]
			for _, other := range others[:d] {
				y := &other[w]
				left &= (x0 ^ y[0]) | (x1 ^ y[1]) | (x2 ^ y[2]) | (x3 ^ y[3])
			}
			if to[w] = left; left != 0 {
				next |= some & -some
			}
		}
		if next == 0 {
			return false
		}
		some, from = next, to
	}
	m.some[n+1] = some
	return true
}

// oneWay looks for row and column moves alone, with the incomplete grid as it is
// or transposed.
func (m *matcher) oneWay(done, todo *[81]uint8, transposed bool) verdict {
	var rows uint16
	for c := range m.columns {
		m.columns[c], m.digits[c] = m.columns[c][:0], 0
	}
	for i, d := range todo {
		if d == 0 {
			continue
		}
		r, c := i/9, i%9
		if transposed {
			r, c = c, r
		}
		rows |= 1 << r
		m.columns[c] = append(m.columns[c], given{uint8(r), d - 1})
		m.digits[c] |= 1 << (d - 1)
	}
	m.tables(done, toldApart(rows))
	m.schedule()
	m.left[0], m.some[0] = orderSet{}, 0
	for i := range m.rows.n {
		m.left[0][i/64] |= 1 << (i % 64)
		m.some[0] |= 1 << (i / 64)
	}
	m.first = [9]*digit{}
	m.names, m.rowOf = m.names[:0], m.rowOf[:0]
	m.stack = [3]int{-1, -1, -1}
	return m.search(0, 0)
}

// symmetries lists the symmetries of the completed grid without a turn, and
// reports whether there is one with a quarter turn.
func (m *matcher) symmetries(done *[81]uint8) (turns bool) {
	m.group = m.group[:0]
	across := *done
	for i := range across {
		across[i] = done[i%9*9+i/9]
	}
	for i := range 9 * 36 {
		if _, ok := extend(done, &across, i/36, orders[i/6%6], orders[i%6]); ok {
			turns = true
			break
		}
	}
	for i := range 9 * 36 {
		if s, ok := extend(done, done, i/36, orders[i/6%6], orders[i%6]); ok {
			m.group = append(m.group, s)
		}
	}
	return turns
}

// extend returns the only moves that may turn grid a into b and take its first
// block to the given block of b, with these orders of its rows and columns. The block
// says what the digits become, and those say where all other lines go.
func extend(a, b *[81]uint8, block int, rows, cols [3]uint8) (s symmetry, ok bool) {
	top, left := uint8(block/3*3), uint8(block%3*3)
	for i := range 3 {
		s.row[i], s.col[i] = top+rows[i], left+cols[i]
	}
	for i := range 9 {
		s.digit[a[i/3*9+i%3]] = b[9*s.row[i/3]+s.col[i%3]]
	}
	for c := 3; c < 9; c++ {
		for b[9*s.row[0]+s.col[c]] != s.digit[a[c]] {
			s.col[c]++
		}
		if s.col[c]/3 != s.col[c/3*3]/3 || b[9*s.row[1]+s.col[c]] != s.digit[a[9+c]] {
			return s, false
		}
	}
	for r := 3; r < 9; r++ {
		for b[9*s.row[r]+s.col[0]] != s.digit[a[9*r]] {
			s.row[r]++
		}
		if s.row[r]/3 != s.row[r/3*3]/3 {
			return s, false
		}
		for c := range 9 {
			if b[9*s.row[r]+s.col[c]] != s.digit[a[9*r+c]] {
				return s, false
			}
		}
	}
	return s, true
}

// equivalent decides a pair.
func (m *matcher) equivalent(done, todo *[81]uint8) bool {
	m.keeping[0] = m.keeping[0][:0]
	m.tries, m.enough = 0, patient
	found := m.oneWay(done, todo, false)
	if found == no {
		found = m.oneWay(done, todo, true)
	}
	if found != unknown {
		return found == yes
	}
	turns := m.symmetries(done)
	for i := range m.group {
		m.keeping[0] = append(m.keeping[0], i)
	}
	m.enough = 1 << 40
	return m.oneWay(done, todo, false) == yes || !turns && m.oneWay(done, todo, true) == yes
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	in.Scan() // the number of pairs: they end with the input
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	m := &matcher{known: make(map[uint16]*rowOrders)}
	var done, todo [81]uint8
	n := 0
	for in.Scan() {
		for _, b := range in.Bytes() {
			if n < 81 {
				done[n] = b - '1'
			} else {
				todo[n-81] = b - '0'
			}
			if n++; n < 162 {
				continue
			}
			n = 0
			if m.equivalent(&done, &todo) {
				fmt.Fprintln(out, "Yes")
			} else {
				fmt.Fprintln(out, "No")
			}
		}
	}
}
