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
}

// kinds lists all kinds but "cited", which takes names and no seed.
var kinds = append(commonKinds, ownKinds...)

// commonKinds are those that every sudoku problem has.
var commonKinds = []kind{
	{"complete", nil, "nothing blank", func(r *source, _ int, _ []int) grid { return complete(r) }},
	{"dense", []string{"blanks"}, "1 to blanks blanks", dense},
	{"easy", []string{"givens"}, "solved without a guess", easy},
	{"minimal", nil, "every given is needed", func(r *source, _ int, _ []int) grid { return minimal(r) }},
	{"sparse", []string{"givens"}, "minimal and at most so many givens", sparse},
	{"seventeen", nil, "isomorphs of one puzzle with 17 givens", seventeen},
	{"hard", nil, "isomorphs of puzzles that need many guesses", hardOne},
	{"order", nil, "isomorphs that punish a search in a fixed order, from each corner, by rows and by columns", order},
	{"mixed", nil, "in every ten: 3 minimal, 3 seventeen, 1 dense, 1 hard, 1 easy, 1 complete", mixed},
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
	b, _ := newBoard(grid{})
	b.fill(r)
	return isomorph(b.cell, r)
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
	g := complete(r)
	for _, c := range r.order(81) {
		if try := without(g, c); unique(try) {
			g = try
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

func seventeen(r *source, _ int, _ []int) grid {
	g, _ := cited("royle1")
	return isomorph(g, r)
}

func hardOne(r *source, i int, _ []int) grid {
	g, _ := cited(hard[i%len(hard)])
	return isomorph(g, r)
}

// tooManyTries is what a search in a fixed order must at least try in a
// puzzle of kind order.
const tooManyTries = 2_000_000

// order makes puzzles whose first line is blank and reads 987654321 in the
// solution, so that a search from there, with digits upward, tries nearly
// everything first. Every eighth looks from another corner; sixteen in a row
// do so for digits upward and downward.
func order(r *source, i int, _ []int) grid {
	base, _ := cited("bruteforce")
	for {
		rows := lines(r)
		if rows[0] != 0 {
			continue // its one blank row must stay the first
		}
		g := permute(base, rows, lines(r))
		_, full := solutions(g, 1)
		var digits [9]byte
		for c := range 9 {
			digits[full[c]-1] = byte(9 - c)
		}
		g = renumber(g, digits)
		if fixedOrder(g, tooManyTries) < tooManyTries {
			continue
		}
		if i%16 >= 8 {
			g = renumber(g, [9]byte{9, 8, 7, 6, 5, 4, 3, 2, 1})
		}
		return turn(g, i%8)
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
		return hardOne(r, i/10, nil)
	case 8:
		return easy(r, i, []int{26})
	}
	return complete(r)
}

func without(g grid, c int) grid {
	g[c] = 0
	return g
}
