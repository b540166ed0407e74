package main

import "sort"

// triples are the orders of three things.
var triples = [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// A match looks for the moves of a completed grid that make it a solution of
// an incomplete one. For each order of the columns it gives the rows of the
// incomplete grid, fullest first, a row of the completed grid each, one at a time.
type match struct {
	done  grid
	todo  grid
	order []int // rows of todo, those with givens only
	col   [9]int
	image [9]int // of rows of todo, -1 for none
}

// equivalent reports whether done can be moved and renumbered into a solution
// of todo.
func equivalent(done, todo grid) bool {
	m := match{done: done, todo: todo}
	var givens [9]int
	for i, d := range todo {
		if d > 0 {
			givens[i/9]++
		}
	}
	for r, n := range givens {
		m.image[r] = -1
		if n > 0 {
			m.order = append(m.order, r)
		}
	}
	sort.SliceStable(m.order, func(i, j int) bool { return givens[m.order[i]] > givens[m.order[j]] })
	if m.anyColumns() {
		return true
	}
	m.done = done.turn()
	return m.anyColumns()
}

func (m *match) anyColumns() bool {
	for _, stacks := range triples {
		for n := range 216 {
			inner := [3][3]int{triples[n/36], triples[n/6%6], triples[n%6]}
			for c := range m.col {
				m.col[c] = 3*stacks[c/3] + inner[c/3][c%3]
			}
			if m.rows(m.order, [10]byte{}) {
				return true
			}
		}
	}
	return false
}

// rows finds images for the rows that are left; name[d] is what digit d of todo
// has become, or 0.
func (m *match) rows(left []int, name [10]byte) bool {
	if len(left) == 0 {
		return true
	}
	r := left[0]
	for to := range 9 {
		if !m.free(r, to) {
			continue
		}
		if next, ok := m.row(r, to, name); ok {
			m.image[r] = to
			ok = m.rows(left[1:], next)
			m.image[r] = -1
			if ok {
				return true
			}
		}
	}
	return false
}

// free reports whether row r may become row to: rows stay apart, and the rows
// of one band, and no others, go to one band.
func (m *match) free(r, to int) bool {
	for other, image := range m.image {
		if image >= 0 && (image == to || (other/3 == r/3) != (image/3 == to/3)) {
			return false
		}
	}
	return true
}

// row adds what row r shows as row to, and reports whether digits still differ.
func (m *match) row(r, to int, name [10]byte) ([10]byte, bool) {
	for c := range 9 {
		d := m.todo[9*r+c]
		if d == 0 {
			continue
		}
		e := m.done[9*to+m.col[c]]
		if name[d] == e {
			continue
		}
		if name[d] != 0 {
			return name, false
		}
		for _, taken := range name {
			if taken == e {
				return name, false
			}
		}
		name[d] = e
	}
	return name, true
}
