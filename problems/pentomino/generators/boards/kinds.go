package main

import (
	"fmt"
	"strings"
)

const tries = 3000 // boards looked at before a kind gives up

// An arg is a number that a kind takes.
type arg struct {
	name        string
	least, most int
}

var (
	countArg  = arg{"count", 1, 20}
	piecesArg = arg{"pieces", 1, 12}
	sideArg   = arg{"side", 1, maxSide}
	stepsArg  = arg{"steps", 1, 1_000_000}
)

// A kind is one way to make boards.
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
	if k.name == "rectangle" || k.name == "chessboard" {
		return 1
	}
	return number[0]
}

var kinds = []kind{
	{"rectangle", []arg{{"height", 1, maxSide}, {"width", 1, maxSide}}, "a rectangle",
		func(_ *source, _ int, number []int) (board, bool) {
			b := rectangle(number[0], number[1])
			return b, free(b) <= maxFree
		}},
	{"chessboard", []arg{{"row", 1, 7}, {"column", 1, 7}}, "8 by 8 without four squares, of which one at the top left is there", chessboard},
	{"tiled", []arg{countArg, piecesArg, sideArg, stepsArg}, "so many pieces, laid side by side at random; counted in so many steps", tiled},
	{"strip", []arg{countArg, piecesArg, {"width", 2, maxSide}, stepsArg}, "the same, long and narrow", strip},
	{"grown", []arg{countArg, piecesArg, sideArg, stepsArg}, "as many squares as these pieces have, grown one by one at random; often no tiling", grown},
	{"scattered", []arg{countArg, piecesArg, sideArg, stepsArg}, "so many pieces laid at random, far apart or touching", scattered},
	{"uneven", []arg{countArg, piecesArg, sideArg}, "1 to 4 squares more than so many pieces have", uneven},
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

func chessboard(_ *source, _ int, number []int) (board, bool) {
	b := rectangle(8, 8)
	for i := range 4 {
		b.free[number[0]-1+i/2][number[1]-1+i%2] = false
	}
	return b, true
}

// firstCounted returns the first board that can be counted in so many steps.
func firstCounted(r *source, steps int, one func() (board, bool)) (board, bool) {
	for range tries {
		b, ok := one()
		if !ok {
			continue
		}
		if _, ok := tilings(b, steps); ok {
			return turn(b, r.below(8)), true
		}
	}
	return board{}, false
}

// lay adds different pieces to a board that had none, on squares that are not free;
// each but the first touches one that lies there already if near is set.
func lay(r *source, h, w, pieces int, near bool) (board, bool) {
	ground, b := rectangle(h, w), board{h: h, w: w}
	for i, p := range r.order(12)[:pieces] {
		for try := 0; ; try++ {
			if try == 500 {
				return b, false
			}
			s := shapes[p][r.below(len(shapes[p]))]
			row, col := r.below(h), r.below(w)
			if ground.fits(s, row, col) && (i == 0 || !near || b.touches(s, row, col)) {
				ground.set(s, row, col, false)
				b.set(s, row, col, true)
				break
			}
		}
	}
	return b, true
}

// touches says whether a shape would have an edge in common with a free square
// in at least two places, so that boards do not grow as trees.
func (b *board) touches(s piece, r, c int) bool {
	n := 0
	for _, q := range s {
		i, j := r+q[0], c+q[1]
		for _, d := range [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
			if b.at(i+d[0], j+d[1]) {
				n++
			}
		}
	}
	return n >= 2
}

func tiled(r *source, _ int, number []int) (board, bool) {
	return firstCounted(r, number[3], func() (board, bool) {
		return lay(r, number[2], number[2], number[1], true)
	})
}

func strip(r *source, _ int, number []int) (board, bool) {
	return firstCounted(r, number[3], func() (board, bool) {
		return lay(r, number[2], maxSide, number[1], true)
	})
}

func scattered(r *source, _ int, number []int) (board, bool) {
	return firstCounted(r, number[3], func() (board, bool) {
		return lay(r, number[2], number[2], number[1], false)
	})
}

func grown(r *source, _ int, number []int) (board, bool) {
	return firstCounted(r, number[3], func() (board, bool) {
		return grow(r, number[2], 5*number[1])
	})
}

func uneven(r *source, _ int, number []int) (board, bool) {
	for range tries {
		if b, ok := grow(r, number[2], min(maxFree-1, 5*number[1]+1+r.below(4))); ok {
			return b, true
		}
	}
	return board{}, false
}

// grow frees squares, each beside one that is free.
func grow(r *source, side, squares int) (board, bool) {
	b := board{h: side, w: side}
	b.free[r.below(side)][r.below(side)] = true
	for n, try := 1, 0; n < squares; try++ {
		if try == 100_000 {
			return b, false
		}
		i, j := r.below(side), r.below(side)
		if !b.free[i][j] && (b.at(i+1, j) || b.at(i-1, j) || b.at(i, j+1) || b.at(i, j-1)) {
			b.free[i][j] = true
			n++
		}
	}
	return b, true
}
