package main

// misprint gives one given of todo another digit that conflicts with nothing.
// It reports false where there is no such digit.
func misprint(rng *random, todo grid) (grid, bool) {
	for _, i := range rng.perm(81) {
		if todo[i] == 0 {
			continue
		}
		for _, d := range rng.perm(9) {
			if d := byte(d + 1); d != todo[i] && todo.allows(i, d) {
				todo[i] = d
				return todo, true
			}
		}
	}
	return todo, false
}

// split blanks all givens of one digit and gives its name to some, but not all,
// givens of another digit. A map that need not be one-to-one brings those
// together again. It reports false where the other digit occurs less than twice.
func split(rng *random, todo grid) (grid, bool) {
	names := rng.perm(9)
	gone, shared := byte(names[0]+1), byte(names[1]+1)
	var cells []int
	for i, d := range todo {
		switch d {
		case gone:
			todo[i] = 0
		case shared:
			cells = append(cells, i)
		}
	}
	if len(cells) < 2 {
		return todo, false
	}
	order := rng.perm(len(cells))
	for _, c := range order[:1+rng.intn(len(cells)-1)] {
		todo[cells[c]] = gone
	}
	return todo, true
}

// cycle exchanges two rows of one band of g in as few columns as leave g a
// completed grid, starting at a random column, and returns the changed cells.
// Where that is all nine columns, nothing but the order of the rows has changed.
func cycle(rng *random, g grid) (grid, []int) {
	band, rows := rng.intn(3), rng.perm(3)
	a, b := 9*(3*band+rows[0]), 9*(3*band+rows[1])
	var changed []int
	for c := rng.intn(9); ; {
		x, y := g[a+c], g[b+c]
		g[a+c], g[b+c] = y, x
		changed = append(changed, a+c, b+c)
		// Row a now has y twice, until the column that had it is exchanged too.
		next := -1
		for i := range 9 {
			if i != c && g[a+i] == y {
				next = i
			}
		}
		if next < 0 {
			return g, changed
		}
		c = next
	}
}
