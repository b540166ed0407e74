package main

// portable is the kernel for machines without another, and says what others
// must do.
var portable = kernel{passPortable, readPortable, writePortable, savePortable, restorePortable}

// four is a set of boxes in each of four lanes.
func four(boxes uint64) uint64 { return boxes * 0x0001000100010001 }

func passPortable(g *grids) (fine, still, full uint16) {
	for q := range lanes / 4 {
		f, s, u := passFour(g, q)
		fine |= f << (4 * q)
		still |= s << (4 * q)
		full |= u << (4 * q)
	}
	return fine, still, full
}

// passFour does a pass in the four lanes of word q.
func passFour(g *grids, q int) (fine, still, full uint16) {
	q &= lanes/4 - 1
	wrong := uint64(0)
	for d := range g.can {
		wrong |= firstHalf(&g.can[d], &g.done, &g.lone[d], q)
	}
	open, moved := uint64(0), uint64(0)
	for p := range g.done {
		w, o, m := secondHalf(g, p, q)
		wrong |= w
		open |= o
		moved |= m
	}
	return none(wrong), none(moved), none(open)
}

// firstHalf is what one digit needs to know: its own words, and which cells are
// decided. It returns boxes without a place for it.
func firstHalf(can, done *[9]word, lone *word, q int) (wrong uint64) {
	q &= lanes/4 - 1
	x0, x1, x2 := can[0][q], can[1][q], can[2][q]
	x3, x4, x5 := can[3][q], can[4][q], can[5][q]
	x6, x7, x8 := can[6][q], can[7][q], can[8][q]

	// Where a box has the digit in a decided cell it has it nowhere else.
	decided := x0&done[0][q] | x1&done[1][q] | x2&done[2][q] |
		x3&done[3][q] | x4&done[4][q] | x5&done[5][q] |
		x6&done[6][q] | x7&done[7][q] | x8&done[8][q]
	x0 &= done[0][q] | ^decided
	x1 &= done[1][q] | ^decided
	x2 &= done[2][q] | ^decided
	x3 &= done[3][q] | ^decided
	x4 &= done[4][q] | ^decided
	x5 &= done[5][q] | ^decided
	x6 &= done[6][q] | ^decided
	x7 &= done[7][q] | ^decided
	x8 &= done[8][q] | ^decided

	a, b, c := lockRows(x0|x1|x2, x3|x4|x5, x6|x7|x8)
	x0, x1, x2 = x0&a, x1&a, x2&a
	x3, x4, x5 = x3&b, x4&b, x5&b
	x6, x7, x8 = x6&c, x7&c, x8&c
	a, b, c = lockColumns(x0|x3|x6, x1|x4|x7, x2|x5|x8)
	x0, x1, x2 = x0&a, x1&b, x2&c
	x3, x4, x5 = x3&a, x4&b, x5&c
	x6, x7, x8 = x6&a, x7&b, x8&c

	can[0][q], can[1][q], can[2][q] = x0, x1, x2
	can[3][q], can[4][q], can[5][q] = x3, x4, x5
	can[6][q], can[7][q], can[8][q] = x6, x7, x8

	one, two := x0|x1, x0&x1
	one, two = one|x2, two|one&x2
	one, two = one|x3, two|one&x3
	one, two = one|x4, two|one&x4
	one, two = one|x5, two|one&x5
	one, two = one|x6, two|one&x6
	one, two = one|x7, two|one&x7
	one, two = one|x8, two|one&x8
	lone[q] = one &^ two
	return four(all) &^ one
}

// secondHalf is what one place needs to know: its words, and which digits have
// one place left. It returns boxes with a cell for no digit or two digits alone,
// with an open cell, and with one that has just been decided.
func secondHalf(g *grids, p, q int) (wrong, open, moved uint64) {
	q &= lanes/4 - 1
	can, lone := &g.can, &g.lone
	own0, own1, own2 := can[0][p][q]&lone[0][q], can[1][p][q]&lone[1][q], can[2][p][q]&lone[2][q]
	own3, own4, own5 := can[3][p][q]&lone[3][q], can[4][p][q]&lone[4][q], can[5][p][q]&lone[5][q]
	own6, own7, own8 := can[6][p][q]&lone[6][q], can[7][p][q]&lone[7][q], can[8][p][q]&lone[8][q]
	owned, twice := own0|own1, own0&own1
	owned, twice = owned|own2, twice|owned&own2
	owned, twice = owned|own3, twice|owned&own3
	owned, twice = owned|own4, twice|owned&own4
	owned, twice = owned|own5, twice|owned&own5
	owned, twice = owned|own6, twice|owned&own6
	owned, twice = owned|own7, twice|owned&own7
	owned, twice = owned|own8, twice|owned&own8

	var one, two, three uint64
	keep := func(w *word, own uint64) {
		x := w[q] &^ owned
		three |= two & x
		two |= one & x
		one |= x
		w[q] = x | own
	}
	keep(&can[0][p], own0)
	keep(&can[1][p], own1)
	keep(&can[2][p], own2)
	keep(&can[3][p], own3)
	keep(&can[4][p], own4)
	keep(&can[5][p], own5)
	keep(&can[6][p], own6)
	keep(&can[7][p], own7)
	keep(&can[8][p], own8)

	done := owned | one&^two
	moved = done ^ g.done[p][q]
	g.done[p][q] = done
	g.pair[p][q] = two &^ three
	return twice | four(all)&^(one|owned), four(all) &^ done, moved
}

// none returns a bit for each of the four lanes that have nothing.
func none(w uint64) (n uint16) {
	for l := range 4 {
		if uint16(w>>(16*l)) == 0 {
			n |= 1 << l
		}
	}
	return n
}

// lockRows returns boxes where a digit may be in the first, second and third
// row, given those where it has candidates there; others are in no way to
// fill three boxes beside each other. A box of the first row is in a way if the
// second and third row have the two other boxes, one way or the other.
func lockRows(a, b, c uint64) (inA, inB, inC uint64) {
	at, bt, ct := rightwards(a), rightwards(b), rightwards(c)
	return rightwards(b&ct | c&bt), rightwards(c&at | a&ct), rightwards(a&bt | b&at)
}

// lockColumns is that for columns and boxes below each other.
func lockColumns(a, b, c uint64) (inA, inB, inC uint64) {
	at, bt, ct := downwards(a), downwards(b), downwards(c)
	return downwards(b&ct | c&bt), downwards(c&at | a&ct), downwards(a&bt | b&at)
}

// rightwards takes each box to the one beside it, and the last to the first.
func rightwards(w uint64) uint64 {
	return w<<beside&four(7<<beside|7<<(2*beside)) | w>>(2*beside)&four(7)
}

// downwards takes each box to the one below. What leaves a triple falls
// between triples, where every user has nothing.
func downwards(w uint64) uint64 { return w<<below | w>>(2*below) }

func readPortable(g *grids, lane int, puzzle *[cells]byte) {
	var given [9][9]uint16
	var done [9]uint16
	for c, ch := range puzzle {
		if d := ch - '1'; d < 9 {
			at := where[c]
			given[d][at.place] |= at.box
			done[at.place] |= at.box
		}
	}
	l := find(lane)
	for p := range done {
		for d := range given {
			l.set(&g.can[d][p], uint64(given[d][p]|all&^done[p]))
		}
		l.set(&g.done[p], uint64(done[p]))
	}
}

func writePortable(g *grids, lane int, puzzle *[cells]byte) {
	l := find(lane)
	for p := range 9 {
		// The bits of the digits as numbers, for all boxes at once.
		var x [9]uint64
		for d := range x {
			x[d] = l.get(&g.can[d][p])
		}
		ones := x[0] | x[2] | x[4] | x[6] | x[8]
		twos := x[1] | x[2] | x[5] | x[6]
		fours := x[3] | x[4] | x[5] | x[6]
		eights := x[7] | x[8]
		first := p/3*9 + p%3
		for row := range 3 {
			for column := range 3 {
				b := row*below + column*beside
				digit := ones>>b&1 | twos>>b&1<<1 | fours>>b&1<<2 | eights>>b&1<<3
				puzzle[first+27*row+3*column] = '0' + byte(digit)
			}
		}
	}
}

// where says for each cell its place and its box.
var where = func() (at [cells]struct {
	place uint8
	box   uint16
}) {
	for c := range at {
		row, column := c/9, c%9
		at[c].place = uint8(row%3*3 + column%3)
		at[c].box = 1 << (row/3*below + column/3*beside)
	}
	return at
}()

func savePortable(g *grids, lane int, to *frame) {
	l := find(lane)
	take := func(w *[9]word) row {
		return row{
			l.get(&w[0]) | l.get(&w[1])<<16 | l.get(&w[2])<<32 | l.get(&w[3])<<48,
			l.get(&w[4]) | l.get(&w[5])<<16 | l.get(&w[6])<<32 | l.get(&w[7])<<48,
			l.get(&w[8]),
		}
	}
	for d := range g.can {
		to.can[d] = take(&g.can[d])
	}
	to.done, to.pair = take(&g.done), take(&g.pair)
}

func restorePortable(g *grids, lane int, from *frame) {
	l := find(lane)
	put := func(w *[9]word, r *row) {
		for p := range w {
			l.set(&w[p], r[p/4]>>(p%4*16)&0xffff)
		}
	}
	for d := range g.can {
		put(&g.can[d], &from.can[d])
	}
	put(&g.done, &from.done)
}
