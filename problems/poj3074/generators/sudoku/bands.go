package main

import "math/bits"

// The generator's fast solver. Most of its work is to ask whether a puzzle has
// one solution, and for that a grid is kept by digit: for each digit and each
// band (three rows) a word of 27 bits says in which cells the digit may be.
//
// Two rules are enough. In a band, a digit is in three minirows (three cells
// that a row and a box share), one in each row and one in each box; in a stack
// likewise in three minicolumns. So nine bits say where it may be, and a table
// knows which of them lie on one of the six ways to choose three. That is
// elimination by locked candidates, rows against boxes and columns against
// boxes, and it leads to rows in which a digit has one place. The other rule is
// a cell with one candidate.

const (
	fullRow  = 1<<9 - 1
	fullBand = 1<<27 - 1
)

var keep, mini, wide = bandTables()

// bandTables returns, for nine minirows (of row 1, 2, 3) or minicolumns, those
// that are in a choice of three, or 0 if there is no choice; for the nine cells
// of a row, the three minirows that have any; and for nine minirows, their cells.
func bandTables() (keep, mini [512]uint16, wide [512]uint32) {
	for set := range keep {
		for _, p := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if three := 1<<p[0] | 8<<p[1] | 64<<p[2]; set&three == three {
				keep[set] |= uint16(three)
			}
		}
		for i := range 9 {
			if set>>i&1 != 0 {
				mini[set] |= 1 << (i / 3)
				wide[set] |= 7 << (3 * i)
			}
		}
	}
	return keep, mini, wide
}

// peerSets has the 20 peers of each cell.
var peerSets = func() (p [81][3]uint32) {
	for c := range p {
		for _, other := range peers[c] {
			p[c][other/27] |= 1 << (other % 27)
		}
	}
	return p
}()

// sets are candidates: sets[3*d+b] has the cells of band b for digit d+1.
type sets [27]uint32

// startSets are the candidates of an empty grid with the givens put in and
// nothing concluded.
func startSets(g grid) (s sets) {
	for i := range s {
		s[i] = fullBand
	}
	for c, d := range g {
		if d != 0 {
			s.put(c, int(d-1))
		}
	}
	return s
}

// put leaves a cell one digit, and that digit no other cell of the row. The
// rest follows by the two rules; if the digit could not be there, that a cell
// or a digit has no place.
func (s *sets) put(c, d int) {
	b, bit := c/27, uint32(1)<<(c%27)
	was := s[3*d+b]
	for w := b; w < 27; w += 3 {
		s[w] &^= bit
	}
	s[3*d+b] = was&^(fullRow<<(c%27/9*9)) | was&bit
}

// grid returns the digits of cells with one candidate.
func (s *sets) grid() (g grid) {
	for d := range 9 {
		for b := range 3 {
			for left := s[3*d+b]; left != 0; left &= left - 1 {
				g[27*b+bits.TrailingZeros32(left)] = byte(d + 1)
			}
		}
	}
	return g
}

// lock applies the first rule to the three words of a digit until nothing
// changes. It reports whether the digit may still be in each row, column and
// box.
func lock(w *[3]uint32) bool {
	for {
		for b, x := range w {
			in := mini[x&fullRow] | mini[x>>9&fullRow]<<3 | mini[x>>18&fullRow]<<6
			if keep[in&fullRow] == 0 {
				return false
			}
			w[b] = x & wide[keep[in&fullRow]&fullRow]
		}
		c0 := uint(w[0]|w[0]>>9|w[0]>>18) & fullRow
		c1 := uint(w[1]|w[1]>>9|w[1]>>18) & fullRow
		c2 := uint(w[2]|w[2]>>9|w[2]>>18) & fullRow
		var k0, k1, k2 uint
		for t := 0; t < 9; t += 3 {
			k := uint(keep[(c0>>t&7|c1>>t&7<<3|c2>>t&7<<6)&fullRow])
			if k == 0 {
				return false
			}
			k0 |= k & 7 << t
			k1 |= k >> 3 & 7 << t
			k2 |= k >> 6 & 7 << t
		}
		if k0 == c0 && k1 == c1 && k2 == c2 {
			return true
		}
		w[0] &= uint32(k0 * (1 + 1<<9 + 1<<18))
		w[1] &= uint32(k1 * (1 + 1<<9 + 1<<18))
		w[2] &= uint32(k2 * (1 + 1<<9 + 1<<18))
	}
}

// rowsWithOne returns the cells of a band that are a digit's only place in
// their row.
func rowsWithOne(x uint32) (one uint32) {
	for row := uint32(fullRow); row < fullBand; row <<= 9 {
		if r := x & row; r&(r-1) == 0 {
			one |= r
		}
	}
	return one
}

// A bandSearch looks for solutions of one puzzle.
type bandSearch struct {
	most    int              // stop after so many solutions
	found   int              // solutions met
	guesses int              // digits put somewhere to see what becomes of it
	limit   int              // stop when there are more guesses; 0 is no limit
	each    func(full *sets) // called for each solution, if not nil
	random  *source          // tries the digits of a cell in random order, if not nil
}

// run looks for the solutions that s allows. done are the cells of which is
// known that no digit but one may be there.
func (q *bandSearch) run(s *sets, done [3]uint32) {
	cell, ok := s.conclude(&done)
	if !ok {
		return
	}
	if cell < 0 {
		q.found++
		if q.each != nil {
			q.each(s)
		}
		return
	}
	b, bit := cell/27, uint32(1)<<(cell%27)
	order := [9]int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	if q.random != nil {
		order = [9]int(q.random.order(9))
	}
	for _, d := range order {
		if s[3*d+b]&bit == 0 {
			continue
		}
		if q.guesses++; q.limit > 0 && q.guesses > q.limit {
			return
		}
		next := *s
		next.put(cell, d)
		if q.run(&next, done); q.found >= q.most {
			return
		}
	}
}

// conclude applies both rules until nothing changes. ok is false if there can
// be no solution; else cell is one of those with the fewest candidates, or -1
// when all cells have one.
func (s *sets) conclude(done *[3]uint32) (cell int, ok bool) {
	for todo := uint16(every); ; {
		for todo != 0 { // digits that lost a cell
			d := bits.TrailingZeros16(todo)
			todo &= todo - 1
			w := (*[3]uint32)(s[3*d:])
			if !lock(w) {
				return 0, false
			}
			for b, x := range w {
				alone := rowsWithOne(x) &^ done[b]
				if alone == 0 {
					continue
				}
				done[b] |= alone
				for e := range 9 {
					if e != d && s[3*e+b]&alone != 0 {
						s[3*e+b] &^= alone
						todo |= 1 << e
					}
				}
			}
		}
		var two, more [3]uint32 // cells with two candidates, with three or more
		for b := range 3 {
			var once, twice, thrice uint32
			for w := b; w < 27; w += 3 {
				thrice |= twice & s[w]
				twice |= once & s[w]
				once |= s[w]
			}
			if once != fullBand {
				return 0, false // a cell without a candidate
			}
			for left := fullBand &^ (twice | done[b]); left != 0; left &= left - 1 {
				for d := range 9 {
					if s[3*d+b]&left&-left != 0 {
						s.put(27*b+bits.TrailingZeros32(left), d)
						todo |= 1 << d
					}
				}
			}
			done[b] |= fullBand &^ twice
			two[b], more[b] = twice&^thrice, thrice
		}
		if todo == 0 {
			return s.choose(two, more), true
		}
	}
}

// choose returns the cell to guess in, or -1 if there is none: one with two
// candidates whose peers have most of the same to lose, or else the first of
// those with the fewest candidates.
func (s *sets) choose(two, more [3]uint32) int {
	cell, most := -1, -1
	for b, left := range two {
		for ; left != 0; left &= left - 1 {
			c := 27*b + bits.TrailingZeros32(left)
			loss := 1
			for d := range 9 {
				if w := s[3*d : 3*d+3]; w[b]&left&-left != 0 {
					loss *= 1 + bits.OnesCount32(w[0]&peerSets[c][0]) +
						bits.OnesCount32(w[1]&peerSets[c][1]) + bits.OnesCount32(w[2]&peerSets[c][2])
				}
			}
			if loss > most {
				cell, most = c, loss
			}
		}
	}
	if cell >= 0 {
		return cell
	}
	fewest := 10
	for b, left := range more {
		for ; left != 0; left &= left - 1 {
			n := 0
			for w := b; w < 27; w += 3 {
				n += bits.OnesCount32(s[w] & left & -left)
			}
			if n < fewest {
				cell, fewest = 27*b+bits.TrailingZeros32(left), n
			}
		}
	}
	return cell
}

// solutions counts the solutions of a grid, up to most, and returns one.
func solutions(g grid, most int) (n int, one grid) {
	q := bandSearch{most: most, each: func(s *sets) { one = s.grid() }}
	s := startSets(g)
	q.run(&s, [3]uint32{})
	return q.found, one
}

// unique reports whether a grid has exactly one solution.
func unique(g grid) bool {
	n, _ := solutions(g, 2)
	return n == 1
}

// needs reports whether a puzzle with one solution has more without the given
// in cell c: whether there is one with another digit there.
func needs(g grid, c int) bool {
	d := int(g[c] - 1)
	s := startSets(without(g, c))
	s[3*d+c/27] &^= 1 << (c % 27)
	q := bandSearch{most: 1}
	q.run(&s, [3]uint32{})
	return q.found > 0
}

// completion returns a solution of a grid at random, if there is one. Solutions
// are not equally likely; nothing here needs that.
func completion(g grid, r *source) (full grid, ok bool) {
	q := bandSearch{most: 1, random: r, each: func(s *sets) { full = s.grid() }}
	s := startSets(g)
	q.run(&s, [3]uint32{})
	return full, q.found > 0
}

// guesses counts the digits that the solver tries to solve a puzzle and to see
// that there is no other solution. It stops counting beyond most.
func guesses(g grid, most int) int {
	q := bandSearch{most: 2, limit: most}
	s := startSets(g)
	q.run(&s, [3]uint32{})
	return q.guesses
}
