package main

import "math/bits"

// lineOrders are all 6^4 orders of nine rows: [r] is what row r becomes.
var lineOrders = allOrders()

func allOrders() (all [][9]uint8) {
	for _, big := range triples {
		for n := range 216 {
			inner := [3][3]int{triples[n/36], triples[n/6%6], triples[n%6]}
			var o [9]uint8
			for r := range o {
				o[r] = uint8(3*big[r/3] + inner[r/3][r%3])
			}
			all = append(all, o)
		}
	}
	return all
}

// An orderSearch gives the columns of the incomplete grid images, one at a time, and
// keeps the orders of the rows that agree with all of them. It is the best way known
// to decide a pair, in its plainest form, and counts its steps: what it finds
// slow, programs that know more tricks may find slow too. Unlike time, the count
// is the same everywhere.
type orderSearch struct {
	done  grid
	cols  [9][]given
	plan  []int
	first [10]spot // where the first given of a digit went
	steps int      // orders looked at, in all
}

type given struct{ row, digit uint8 }

// A spot is a row of the incomplete grid and a column of the completed one; the order
// of the rows says which cell that is.
type spot struct {
	set      bool
	row, col uint8
}

// steps reports how many steps it takes to decide a pair, and the answer.
func steps(p pair) (int, answer) {
	s := orderSearch{done: p.done}
	for turn := range 2 {
		if s.oneWay(p.todo, turn == 1) {
			return s.steps, yes
		}
	}
	return s.steps, no
}

// oneWay searches with todo as it is or transposed, which is a quarter turn and a
// move of rows.
func (s *orderSearch) oneWay(todo grid, transposed bool) bool {
	s.cols = [9][]given{}
	s.first = [10]spot{}
	var rows [9]bool
	for i, d := range todo {
		if d == 0 {
			continue
		}
		r, c := i/9, i%9
		if transposed {
			r, c = c, r
		}
		rows[r] = true
		s.cols[c] = append(s.cols[c], given{uint8(r), d})
	}
	left := different(rows)
	s.schedule(len(left))
	return s.place(0, 0, [3]int{-1, -1, -1}, left)
}

// different returns one of all orders that differ only in where blank rows go.
func different(rows [9]bool) (list [][9]uint8) {
	seen := make(map[[9]uint8]bool)
	for _, o := range lineOrders {
		key := o
		for r, given := range rows {
			if !given {
				key[r] = 9
			}
		}
		if !seen[key] {
			seen[key] = true
			list = append(list, o)
		}
	}
	return list
}

// place gives images to the columns of the plan from number n on; left are the
// orders of the rows that agree so far.
func (s *orderSearch) place(n int, taken uint, stacks [3]int, left [][9]uint8) bool {
	if n == len(s.plan) {
		return true
	}
	c := s.plan[n]
	rest := make([][9]uint8, 0, len(left))
	for to := range 9 {
		stack := stacks[c/3]
		free := stack == to/3 || stack < 0 && stacks[0] != to/3 && stacks[1] != to/3 && stacks[2] != to/3
		if taken>>to&1 == 1 || !free {
			continue
		}
		rest = rest[:0]
		s.steps += len(left)
		for i := range left {
			if s.agrees(&left[i], c, to) {
				rest = append(rest, left[i])
			}
		}
		if len(rest) == 0 {
			continue
		}
		before := s.first
		for _, g := range s.cols[c] {
			if !s.first[g.digit].set {
				s.first[g.digit] = spot{true, g.row, uint8(to)}
			}
		}
		next := stacks
		next[c/3] = to / 3
		if s.place(n+1, taken|1<<to, next, rest) {
			return true
		}
		s.first = before
	}
	return false
}

// agrees reports whether, with the rows in order o, column c can become column to:
// equal digits stay equal, and others differ.
func (s *orderSearch) agrees(o *[9]uint8, c, to int) bool {
	for _, g := range s.cols[c] {
		shown := s.done[9*int(o[g.row])+to]
		if f := s.first[g.digit]; f.set {
			if s.done[9*int(o[f.row])+int(f.col)] != shown {
				return false
			}
			continue
		}
		for _, f := range s.first {
			if f.set && s.done[9*int(o[f.row])+int(f.col)] == shown {
				return false
			}
		}
	}
	return true
}

// schedule sets the plan: from each column to start with, on to the one with the
// most equal digits for its images; of those sequences the one that promises the
// fewest placements, if one in eight pairs of digits is equal.
func (s *orderSearch) schedule(orders int) {
	var digits [9]uint
	for c, list := range s.cols {
		for _, g := range list {
			digits[c] |= 1 << g.digit
		}
	}
	s.plan = nil
	fewest := ^uint64(0)
	for start, d := range digits {
		if d == 0 {
			continue
		}
		var plan []int
		var seen, placed uint
		var open [3]int
		sum, ways, equal := uint64(0), uint64(1), 0
		for c := start; c >= 0; {
			ways *= uint64(images(open, c))
			open[c/3]++
			equal += bits.OnesCount(seen & digits[c])
			seen |= digits[c]
			placed |= 1 << c
			plan = append(plan, c)
			sum += ways * min(1<<40, uint64(orders)<<40>>(3*equal)) >> 20

			c = -1
			best := 0
			for x, d := range digits {
				if d == 0 || placed>>x&1 == 1 {
					continue
				}
				// Per mille of the images that are left, a little more for more givens.
				w := 1000<<(3*bits.OnesCount(seen&d))/images(open, x)*16 + bits.OnesCount(d)
				if w > best {
					c, best = x, w
				}
			}
		}
		if sum < fewest {
			fewest, s.plan = sum, plan
		}
	}
}

// images is how many images column c can have; open says how many columns of each
// stack have one.
func images(open [3]int, c int) int {
	if open[c/3] > 0 {
		return 3 - open[c/3]
	}
	n := 9
	for _, placed := range open {
		if placed > 0 {
			n -= 3
		}
	}
	return n
}
