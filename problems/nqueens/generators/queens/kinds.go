package main

import (
	"fmt"
	"strings"
)

const (
	mostCompletions = 20_000 // the statement's
	mostSteps       = 30_000 // more would tell apart the speeds of machines, not of ideas
	tries           = 2000   // boards looked at before a kind gives up
	tooManySteps    = 10_000_000
)

// An arg is a number that a kind takes.
type arg struct {
	name        string
	least, most int
}

var (
	countArg = arg{"count", 1, 20}
	sizeArg  = arg{"size", 4, maxSize} // smaller boards need not have a placement
)

// A kind is one way to make boards. The number of their completions is one that
// the statement allows, and a search that branches well is short.
type kind struct {
	name string
	args []arg
	what string
	// one makes board number i of the file, counted from 0. It is false if no
	// try was what it should be.
	one func(r *source, i int, number []int) (board, bool)
}

// count says how many boards the file has.
func (k kind) count(number []int) int {
	if k.name == "empty" {
		return max(0, number[1]-number[0]+1)
	}
	return number[0]
}

var kinds = []kind{
	{"empty", []arg{{"low", 1, 12}, {"high", 1, 12}}, "empty boards of all sizes from low to high",
		func(_ *source, i int, number []int) (board, bool) { return empty(number[0] + i), true }},
	{"given", []arg{countArg, sizeArg, {"queens", 0, maxSize}}, "so many queens of a placement", given},
	{"blocked", []arg{countArg, sizeArg, {"percent", 0, 100}}, "so many squares blocked, and a completion", blocked},
	{"late", []arg{countArg, sizeArg}, "row by row the search would be long, from top, right, bottom, left in turn", late},
	{"none", []arg{countArg, sizeArg}, "no completion, though every row and column has two squares", none},
	{"mixed", []arg{countArg, sizeArg}, "all of these in turn, up to this size", mixed},
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
	return kind{}, fmt.Errorf("kind %q: want %s", name, strings.Join(names, ", "))
}

// firstGood returns the first board that is good and whose completions can be
// counted.
func firstGood(one func() board, good func(b board, completions int) bool) (board, bool) {
	for range tries {
		b := one()
		if n, ok := completions(b); ok && good(b, n) {
			return b, true
		}
	}
	return board{}, false
}

func some(_ board, n int) bool { return n > 0 }

func given(r *source, _ int, number []int) (board, bool) {
	n := number[1]
	return firstGood(func() board {
		b, column := empty(n), placement(n, r)
		for _, row := range r.order(n)[:min(n, number[2])] {
			b.put(row, column[row])
		}
		return b
	}, some)
}

func blocked(r *source, _ int, number []int) (board, bool) {
	n := number[1]
	return firstGood(func() board { return withHoles(n, number[2], r) }, some)
}

// withHoles blocks each square by that chance, but leaves a random placement.
func withHoles(n, percent int, r *source) board {
	b, column := empty(n), placement(n, r)
	for row := range n {
		for c := range n {
			if r.below(100) < percent && c != column[row] {
				b.free[row] &^= 1 << c
			}
		}
	}
	return b
}

// late leaves only two or three squares in each of the last rows, so that what
// the first rows contradict is seen late.
func late(r *source, i int, number []int) (board, bool) {
	n := number[1]
	b, ok := firstGood(func() board {
		b, column := empty(n), placement(n, r)
		for row := (n + 1) / 2; row < n; row++ {
			keep := uint32(1) << column[row]
			for range 1 + r.below(2) {
				keep |= 1 << r.below(n)
			}
			b.free[row] &= keep
		}
		return b
	}, func(b board, completions int) bool {
		return completions > 0 && rowByRow(b, tooManySteps) >= tooManySteps
	})
	return turn(b, i%4), ok
}

func none(r *source, _ int, number []int) (board, bool) {
	n := number[1]
	return firstGood(func() board {
		b := empty(n)
		for row := range n {
			for c := range n {
				if r.below(100) < 70 {
					b.free[row] &^= 1 << c
				}
			}
		}
		return b
	}, func(b board, completions int) bool {
		if completions > 0 {
			return false
		}
		var once, twice uint32
		for row := range n {
			f := b.free[row]
			if f&(f-1) == 0 {
				return false
			}
			twice |= once & f
			once |= f
		}
		return twice == 1<<n-1
	})
}

func mixed(r *source, i int, number []int) (board, bool) {
	n := max(4, number[1]-r.below(5))
	switch i % 5 {
	case 0:
		return given(r, i, []int{0, n, n / 3})
	case 1:
		return blocked(r, i, []int{0, n, 60})
	case 2:
		return none(r, i, []int{0, n})
	case 3:
		return given(r, i, []int{0, n, n})
	}
	return empty(4 + r.below(6)), true
}
