package main

import "errors"

// A pair is one question of the input.
type pair struct{ done, todo grid }

// A kind makes pairs of one character.
type kind struct {
	name        string
	least, most int // number of givens
	answer      answer
	make        func(rng *random, n, givens int) (pair, bool) // number n of its kind; false: try again
}

type answer int

const (
	either answer = iota
	yes
	no
)

// kinds is the list of what this program can make.
var kinds = []kind{
	// Random moves of all kinds, so the answer is Yes.
	{"yes", 0, 81, yes, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		return pair{done, done.scramble(rng).keep(rng, givens)}, true
	}},
	// One quarter turn and nothing else.
	{"turn", 0, 81, yes, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		return pair{done, done.turn().keep(rng, givens)}, true
	}},
	// New digits and nothing else.
	{"relabel", 0, 81, yes, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		return pair{done, done.relabel(rng).keep(rng, givens)}, true
	}},
	// Scrambled, and one given has another digit.
	{"misprint", 1, 60, no, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		todo := done.scramble(rng).keep(rng, givens)
		todo, ok := misprint(rng, todo)
		return pair{done, todo}, ok
	}},
	// The givens come from a solution that differs from the scrambled grid in a
	// few cells of two rows, all of them given.
	{"cycle", 14, 81, no, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		other, changed := cycle(rng, done.scramble(rng))
		return pair{done, other.keep(rng, givens, changed...)}, len(changed) <= givens
	}},
	// A renumbering that is not one-to-one would do: two digits of the incomplete
	// grid stand where the scrambled grid has one. Some givens are lost in making it.
	{"split", 2, 60, no, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		todo := done.scramble(rng).keep(rng, givens)
		todo, ok := split(rng, todo)
		return pair{done, todo}, ok
	}},
	// The givens of a grid that has nothing to do with the completed one.
	{"unrelated", 0, 81, either, func(rng *random, _, givens int) (pair, bool) {
		done := randomGrid(rng)
		return pair{done, randomGrid(rng).keep(rng, givens)}, true
	}},
	// Random givens, and a completed grid that looks the same from many sides.
	{"symmetric", 4, 12, no, func(rng *random, n, givens int) (pair, bool) {
		todo := someGivens(rng, givens, 0)
		return pair{symmetric[n%len(symmetric)].scramble(rng), todo}, true
	}},
	// The same in the last band: who goes from top to bottom sees them late.
	{"late", 4, 9, no, func(rng *random, n, givens int) (pair, bool) {
		return pair{symmetric[n%len(symmetric)].scramble(rng), someGivens(rng, givens, 54)}, true
	}},
	// Found slow by climbing, for the best search known.
	{"climb", 4, 20, no, func(rng *random, n, givens int) (pair, bool) {
		return climb(rng, climbGrid(rng, n), givens)
	}},
	// What makes two kinds of search slow.
	{"hardpositions", 0, 0, no, listed(hardPositions)},
	{"hardimages", 0, 0, no, listed(hardImages)},
}

// attempt makes pair number n of kind k with its promised answer.
func attempt(rng *random, k kind, n, givens int) (pair, error) {
	for range 20000 {
		p, ok := k.make(rng, n, givens)
		if ok && (k.answer == either || equivalent(p.done, p.todo) == (k.answer == yes)) {
			return p, nil
		}
	}
	return pair{}, errors.New("no such pair in 20000 attempts")
}
