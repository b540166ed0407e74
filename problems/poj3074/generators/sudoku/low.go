package main

import (
	"fmt"
	"math/bits"
)

// Puzzles with few givens are found by exchanges. Take a given away and list the
// solutions of what is left: a candidate that only one of them has makes a
// puzzle of it again. Sometimes another given is not needed any more then, and
// the puzzle has one less. Every puzzle that is reached by two givens for one is
// met in this way, and it takes far fewer solutions than to take two away.

const (
	mostSolutions = 2000 // of a grid with a given taken away; if more, it stays
	exchanges     = 30   // without a loss, then the search starts elsewhere
	perStart      = 100  // puzzles taken around one that was found
)

// onlyOnce returns the candidates that are in exactly one solution of a grid, and
// nothing if there are too many solutions.
func onlyOnce(g grid) (once sets) {
	var twice sets
	q := bandSearch{most: mostSolutions + 1, each: func(s *sets) {
		for i, x := range s {
			twice[i] |= once[i] & x
			once[i] |= x
		}
	}}
	s := startSets(g)
	q.run(&s, [3]uint32{})
	if q.found > mostSolutions {
		return sets{}
	}
	for i := range once {
		once[i] &^= twice[i]
	}
	return once
}

// exchange calls visit for the puzzles that another given in the place of one
// makes, until it returns false.
func exchange(g grid, r *source, visit func(h grid) bool) {
	for _, c := range r.order(81) {
		if g[c] == 0 {
			continue
		}
		once := onlyOnce(without(g, c))
		once[3*int(g[c]-1)+c/27] &^= 1 << (c % 27) // that is g itself
		for i, left := range once {
			for ; left != 0; left &= left - 1 {
				h := without(g, c)
				h[i%3*27+bits.TrailingZeros32(left)] = byte(i/3 + 1)
				if !visit(h) {
					return
				}
			}
		}
	}
}

// descend looks for a minimal puzzle with so many givens, from random ones.
func descend(givens int, r *source) (grid, bool) {
	for range 100 {
		g := minimal(r)
		for moves := 0; g.givens() > givens && moves < exchanges; moves++ {
			var beside []grid
			n := g.givens()
			exchange(g, r, func(h grid) bool {
				if less := thin(h, r); less.givens() < n {
					g, moves = less, 0
					return false
				}
				beside = append(beside, h)
				return true
			})
			if g.givens() == n {
				if len(beside) == 0 {
					break
				}
				g = beside[r.below(len(beside))]
			}
		}
		if g.givens() == givens {
			return g, true
		}
	}
	return grid{}, false
}

// lowOnes makes isomorphs of so many different minimal puzzles with so many
// givens. For 17 they are those of found.go, and 18 are found around these.
func lowOnes(r *source, count int, arg []int) ([]grid, error) {
	givens, different := arg[0], min(count, arg[1])
	var base []grid
	seen := map[uint64]bool{} // asked only, never listed
	take := func(g grid) {
		if f := fingerprint(g); !seen[f] && len(base) < different {
			seen[f] = true
			base = append(base, g)
		}
	}
	switch {
	case givens < 17:
		return nil, fmt.Errorf("low: %d givens, want at least 17: there is no puzzle with fewer", givens)
	case givens == 17:
		for _, g := range seventeens() {
			take(g)
		}
		if len(base) < different {
			return nil, fmt.Errorf("low: %d different puzzles with 17 givens, want at most the %d of found.go", different, len(base))
		}
	}
	for start := 0; len(base) < different; start++ {
		first := len(base)
		if givens == 18 {
			from := seventeens()
			addTwo(from[start%len(from)], r, take)
		} else if g, ok := descend(givens, r); ok {
			take(g)
		}
		// From here on, what exchanges reach, and what they reach from there.
		for next := first; next < len(base) && len(base) < min(different, first+perStart); next++ {
			exchange(base[next], r, func(h grid) bool {
				if thin(h, r).givens() == givens {
					take(h)
				}
				return len(base) < min(different, first+perStart)
			})
		}
		if len(base) == first && (givens == 18 || start > 20) {
			return nil, fmt.Errorf("low: found %d puzzles with %d givens, want %d", first, givens, different)
		}
	}
	return images(base, count, r), nil
}

// addTwo visits the minimal puzzles that have two givens in the place of one.
func addTwo(g grid, r *source, visit func(h grid)) {
	for _, c := range r.order(81) {
		if g[c] == 0 {
			continue
		}
		h := without(g, c)
		var full []sets
		q := bandSearch{most: mostSolutions, each: func(s *sets) { full = append(full, *s) }}
		s := startSets(h)
		if q.run(&s, [3]uint32{}); q.found == mostSolutions {
			continue
		}
		for a := range 81 {
			if h[a] != 0 {
				continue
			}
			for d := range 9 {
				pairs(full, a, d, func(b int, digit byte) {
					two := h
					two[a], two[b] = byte(d+1), digit
					if thin(two, r).givens() == two.givens() {
						visit(two)
					}
				})
			}
		}
	}
}

// pairs visits the candidates of cells after a that are in exactly one of those
// solutions that have digit d in cell a, if there are several.
func pairs(full []sets, a, d int, visit func(b int, digit byte)) {
	var once, twice sets
	n := 0
	for i := range full {
		if full[i][3*d+a/27]>>(a%27)&1 == 0 {
			continue
		}
		n++
		for w, x := range full[i] {
			twice[w] |= once[w] & x
			once[w] |= x
		}
	}
	if n < 2 {
		return
	}
	for w := range once {
		for left := once[w] &^ twice[w]; left != 0; left &= left - 1 {
			if b := w%3*27 + bits.TrailingZeros32(left); b > a {
				visit(b, byte(w/3+1))
			}
		}
	}
}

// mostLooks is how many puzzles with 18 givens a search for 17 looks around.
const mostLooks = 5000

// newSeventeens looks for puzzles with 17 givens of which none is an isomorph of
// another or of the cited one: by exchanges among puzzles with 18, which lie
// around it and around those that were found.
func newSeventeens(r *source, count int, _ []int) ([]grid, error) {
	start, _ := cited("royle1")
	seen := map[uint64]bool{fingerprint(start): true} // asked only, never listed
	centres, around := []grid{start}, []grid(nil)
	add := func(h grid) bool {
		if f := fingerprint(h); !seen[f] {
			seen[f] = true
			if g := thin(h, r); g == h {
				around = append(around, h)
			} else if f := fingerprint(g); !seen[f] {
				seen[f] = true
				centres = append(centres, g)
			}
		}
		return len(centres) <= count
	}
	for looks, used := 0, 0; len(centres) <= count; looks++ {
		if used < len(centres) {
			addTwo(centres[used], r, func(h grid) { add(h) })
			used++
			continue
		}
		if looks == mostLooks || len(around) == 0 {
			return nil, fmt.Errorf("seek: found %d, want %d", len(centres)-1, count)
		}
		i := r.below(len(around))
		g := around[i]
		around[i] = around[len(around)-1]
		around = around[:len(around)-1]
		exchange(g, r, add)
	}
	return centres[1 : count+1], nil
}
