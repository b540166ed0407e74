package main

import "fmt"

// Hard puzzles are found by climbing. A puzzle's height is how many digits the
// solver of bands.go tries in it, which knows singles and locked candidates. A
// step takes a given or two away, puts others in until there is one solution
// again, and thins the puzzle out; the climb goes on from there unless that is
// much lower.

const (
	patience = 1500 // steps without a rise or a find, then another climb begins
	perClimb = 50   // puzzles taken along one climb
	highest  = 5000 // guesses beyond these are not counted
)

// neighbour returns a minimal puzzle that has nearly all givens of a minimal
// one.
func neighbour(g grid, r *source) grid {
	for out := 1 + r.below(2); out > 0; {
		if c := r.below(81); g[c] != 0 {
			g[c] = 0
			out--
		}
	}
	full, _ := completion(g, r)
	for {
		other, ok := otherSolution(g, full)
		if !ok {
			return thin(g, r)
		}
		for _, c := range r.order(81) {
			if full[c] != other[c] {
				g[c] = full[c]
				break
			}
		}
	}
}

// otherSolution returns a solution of a grid that is not the one given.
func otherSolution(g, full grid) (other grid, ok bool) {
	q := bandSearch{most: 2, each: func(s *sets) {
		if h := s.grid(); h != full {
			other, ok = h, true
		}
	}}
	s := startSets(g)
	q.run(&s, [3]uint32{})
	return other, ok
}

// hardOnes makes isomorphs of so many different puzzles with so many guesses.
// Few guesses are enough for thousands of puzzles in seconds; a hundred take
// about a second a climb.
func hardOnes(r *source, count int, arg []int) ([]grid, error) {
	least, different := arg[0], min(count, arg[1])
	var base []grid
	seen := map[uint64]bool{} // asked only, never listed
	for climb := 0; len(base) < different; climb++ {
		if climb == 50+different {
			return nil, fmt.Errorf("hard: %d puzzles with %d guesses in %d climbs, want %d", len(base), least, climb, different)
		}
		g := minimal(r)
		height := guesses(g, highest)
		top := height
		for tired, taken := 0, 0; tired < patience && taken < perClimb && len(base) < different; tired++ {
			h := neighbour(g, r)
			n := guesses(h, highest)
			if n < min(height, least)*5/6 {
				continue
			}
			g, height = h, n
			if n > top {
				top, tired = n, 0
			}
			if f := fingerprint(h); n >= least && !seen[f] {
				seen[f] = true
				base = append(base, h)
				taken, tired = taken+1, 0
			}
		}
	}
	// Neighbours on a climb are much alike, so they are mixed.
	mixed := make([]grid, different)
	for i, j := range r.order(different) {
		mixed[i] = base[j]
	}
	all := images(mixed, count, r)
	for i, g := range all {
		// The solver takes the cells of an image in another order.
		for tries := 0; guesses(g, highest) < least; tries++ {
			g = mixed[i%different]
			if tries < 20 {
				g = isomorph(g, r)
			}
		}
		all[i] = g
	}
	return all, nil
}

// images makes isomorphs of puzzles in turn.
func images(base []grid, count int, r *source) []grid {
	all := make([]grid, count)
	for i := range all {
		all[i] = isomorph(base[i%len(base)], r)
	}
	return all
}
