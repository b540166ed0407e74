package main

// Puzzles with more than one solution, which a problem may have where any
// solution is right.

var looseKinds = []kind{
	{name: "empty", what: "no givens", one: func(*source, int, []int) grid { return grid{} }},
	{name: "loose", args: []string{"givens"}, what: "so many cells of a random solution", one: loose},
	{name: "looser", args: []string{"givens"}, what: "1 to givens cells of a random solution", one: looser},
	{name: "twofold", what: "exactly two solutions", one: twofold},
	{name: "motley", what: "in every five: 1 loose with 1 to 40 givens, 1 with two solutions, 3 mixed", one: motley},
}

func loose(r *source, _ int, arg []int) (g grid) {
	full := complete(r)
	for i, c := range r.order(81) {
		if i < arg[0] {
			g[c] = full[c]
		}
	}
	return g
}

func looser(r *source, i int, arg []int) grid {
	return loose(r, i, []int{1 + r.below(arg[0])})
}

// twofold takes one given too many away from a minimal puzzle.
func twofold(r *source, _ int, _ []int) grid {
	for {
		g := minimal(r)
		for _, c := range r.order(81) {
			if less := without(g, c); g[c] != 0 {
				if n, _ := solutions(less, 3); n == 2 {
					return less
				}
			}
		}
	}
}

func motley(r *source, i int, _ []int) grid {
	switch i % 5 {
	case 0:
		return looser(r, i, []int{40})
	case 1:
		return twofold(r, i, nil)
	}
	return mixed(r, i, nil)
}
