package main

// climbs is how many changes of a pair are tried. More find slower pairs, but the
// data should be made again in seconds.
const climbs = 150

// climb makes a pair with the answer No that is slow to decide: from random givens
// it goes on by small changes, and keeps those after which an orderSearch takes
// as many steps or more. The completed grid stays the same.
func climb(rng *random, done grid, givens int) (pair, bool) {
	best := pair{done, someGivens(rng, givens, 0)}
	most, answer := steps(best)
	for range climbs {
		p := pair{done, change(rng, best.todo)}
		n, a := steps(p)
		if a == no && (answer == yes || n >= most) {
			best, most, answer = p, n, a
		}
	}
	return best, answer == no
}

// someGivens returns an incomplete grid of n random digits in random cells, none
// before cell from.
func someGivens(rng *random, n, from int) (todo grid) {
	for n > 0 {
		i, d := from+rng.intn(81-from), byte(1+rng.intn(9))
		if todo[i] == 0 && todo.allows(i, d) {
			todo[i] = d
			n--
		}
	}
	return todo
}

// change moves a given, or gives it another digit, or adds or takes one away; now
// and then twice.
func change(rng *random, todo grid) grid {
	for range 1 + rng.intn(2) {
		var cells []int
		for i, d := range todo {
			if d > 0 {
				cells = append(cells, i)
			}
		}
		kind := rng.intn(8)
		if kind < 4 && len(cells) > 0 {
			todo[cells[rng.intn(len(cells))]] = 0 // taken away, unless put back below
		}
		i, d := rng.intn(81), byte(1+rng.intn(9))
		if kind > 4 && len(cells) > 0 {
			i = cells[rng.intn(len(cells))]
		}
		if kind > 0 && todo.allows(i, d) {
			todo[i] = d
		}
	}
	return todo
}

// climbGrid returns a completed grid that may be slow: number 0 has no symmetries
// to speak of, 1 is one that looks the same from many sides, 2 is that with a few
// cells exchanged, and so on.
func climbGrid(rng *random, n int) grid {
	if n%3 == 0 {
		return randomGrid(rng)
	}
	g := symmetric[n/3%len(symmetric)]
	if n%3 == 2 {
		for range 1 + rng.intn(3) {
			g, _ = cycle(rng, g.turn())
		}
	}
	return g.scramble(rng)
}
