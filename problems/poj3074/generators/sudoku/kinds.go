package main

import (
	"fmt"
	"strings"
)

// A kind is one way to make puzzles, each with exactly one solution.
type kind struct {
	name string
	args []string // names of the numbers after the count
	what string
	// one makes puzzle number i of the file, counted from 0.
	one func(r *source, i int, arg []int) grid
	// many makes all puzzles, where one is nil.
	many func(r *source, count int, arg []int) ([]grid, error)
}

// kinds lists all kinds but "cited", which takes names and no seed.
var kinds = append(commonKinds, ownKinds...)

// commonKinds are those that every sudoku problem has.
var commonKinds = []kind{
	{"complete", nil, "nothing blank", func(r *source, _ int, _ []int) grid { return complete(r) }, nil},
	{"dense", []string{"blanks"}, "1 to blanks blanks", dense, nil},
	{"easy", []string{"givens"}, "solved without a guess", easy, nil},
	{"minimal", nil, "every given is needed", func(r *source, _ int, _ []int) grid { return minimal(r) }, nil},
	{"sparse", []string{"givens"}, "minimal and at most so many givens", sparse, nil},
	{"low", []string{"givens", "different"}, "isomorphs of so many minimal puzzles with so many givens, 17 or more", nil, lowOnes},
	{"seventeen", nil, "isomorphs of the puzzles with 17 givens in found.go", seventeen, nil},
	{"seek", nil, "puzzles with 17 givens by a search, several seconds for each", nil, newSeventeens},
	{"hard", []string{"guesses", "different"}, "isomorphs of so many minimal puzzles in which our solver makes so many guesses", nil, hardOnes},
	{"order", nil, "isomorphs that punish a search in a fixed order, from each corner, by rows and by columns", order, nil},
	{"mixed", nil, "in every ten: 3 minimal, 3 seventeen, 1 dense, 1 with a guess, 1 easy, 1 complete", mixed, nil},
}

// findKind returns the kind of that name.
func findKind(name string) (kind, error) {
	var names []string
	for _, k := range kinds {
		if k.name == name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return kind{}, fmt.Errorf("kind %q: want cited, %s", name, strings.Join(names, ", "))
}

// complete makes a random filled grid. Grids are not equally likely; nothing
// here needs that.
func complete(r *source) grid {
	g, _ := completion(grid{}, r)
	return isomorph(g, r)
}

func dense(r *source, _ int, arg []int) grid {
	g := complete(r)
	left := 1 + r.below(arg[0])
	for _, c := range r.order(81) {
		if left == 0 {
			break
		}
		if try := without(g, c); bySingles(try) {
			g = try
			left--
		}
	}
	return g
}

func easy(r *source, _ int, arg []int) grid {
	g := complete(r)
	for _, c := range r.order(81) {
		if g.givens() <= arg[0] {
			break
		}
		if try := without(g, c); bySingles(try) {
			g = try
		}
	}
	return g
}

func minimal(r *source) grid {
	return thin(complete(r), r)
}

// thin takes out givens that are not needed, in random order, until all are.
func thin(g grid, r *source) grid {
	for _, c := range r.order(81) {
		if g[c] != 0 && !needs(g, c) {
			g[c] = 0
		}
	}
	return g
}

func sparse(r *source, _ int, arg []int) grid {
	for {
		if g := minimal(r); g.givens() <= arg[0] {
			return g
		}
	}
}

func seventeen(r *source, i int, _ []int) grid {
	g, _ := parse(foundSeventeens[i%len(foundSeventeens)])
	return isomorph(g, r)
}

// guessed makes a minimal puzzle that is not solved by singles and locked
// candidates.
func guessed(r *source) grid {
	for {
		if g := minimal(r); guesses(g, 1) > 0 {
			return g
		}
	}
}

func mixed(r *source, i int, _ []int) grid {
	switch i % 10 {
	case 0, 1, 2:
		return minimal(r)
	case 3, 4, 5:
		return seventeen(r, i, nil)
	case 6:
		return dense(r, i, []int{40})
	case 7:
		return guessed(r)
	case 8:
		return easy(r, i, []int{26})
	}
	return complete(r)
}

func without(g grid, c int) grid {
	g[c] = 0
	return g
}
