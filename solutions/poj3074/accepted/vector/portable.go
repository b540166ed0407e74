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
	wrong, open, moved := uint64(0), uint64(0), uint64(0)
	for d := range g.can {
		can := &g.can[d]
		var x [9]uint64
		decided := uint64(0)
		for p := range x {
			x[p] = can[p][q]
			decided |= x[p] & g.done[p][q]
		}
		// Where a box has the digit in a decided cell it has it nowhere else.
		for p := range x {
			x[p] &= g.done[p][q] | ^decided
		}
		lock(&x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &x[6], &x[7], &x[8], rightwards)
		lock(&x[0], &x[3], &x[6], &x[1], &x[4], &x[7], &x[2], &x[5], &x[8], downwards)
		one, two := uint64(0), uint64(0)
		for p := range x {
			two |= one & x[p]
			one |= x[p]
			can[p][q] = x[p]
		}
		g.lone[d][q] = one &^ two
		wrong |= four(all) &^ one
	}
	for p := range g.done {
		// A digit with one place left in its box has its cell for itself.
		var mine [9]uint64
		owned := uint64(0)
		for d := range mine {
			mine[d] = g.can[d][p][q] & g.lone[d][q]
			wrong |= owned & mine[d]
			owned |= mine[d]
		}
		one, two, three := uint64(0), uint64(0), uint64(0)
		for d := range mine {
			x := g.can[d][p][q] &^ owned
			three |= two & x
			two |= one & x
			one |= x
			g.can[d][p][q] = x | mine[d]
		}
		done := owned | one&^two
		wrong |= four(all) &^ (one | owned)
		open |= four(all) &^ done
		moved |= done ^ g.done[p][q]
		g.done[p][q] = done
		g.pair[p][q] = two &^ three
	}
	return none(wrong), none(moved), none(open)
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

// lock removes a digit from thirds of lines that are in no way to fill three
// boxes beside (or below) each other. A line of three words has one third in
// each box; turn moves a set of boxes by one box along the lines.
func lock(a0, a1, a2, b0, b1, b2, c0, c1, c2 *uint64, turn func(uint64) uint64) {
	a, b, c := *a0|*a1|*a2, *b0|*b1|*b2, *c0|*c1|*c2
	at, bt, ct := turn(a), turn(b), turn(c)
	// A third is in a way if the other two lines have theirs in the other two
	// boxes, one way or the other.
	inA, inB, inC := turn(b&ct|c&bt), turn(c&at|a&ct), turn(a&bt|b&at)
	*a0, *a1, *a2 = *a0&inA, *a1&inA, *a2&inA
	*b0, *b1, *b2 = *b0&inB, *b1&inB, *b2&inB
	*c0, *c1, *c2 = *c0&inC, *c1&inC, *c2&inC
}

func rightwards(w uint64) uint64 {
	return w<<beside&four(7<<beside|7<<(2*beside)) | w>>(2*beside)&four(7)
}

// What leaves a triple falls between triples, where every user has nothing.
func downwards(w uint64) uint64 { return w<<below | w>>(2*below) }

// where says for each cell its place and its box.
var where = func() (at [cells]struct {
	place uint8
	box   uint8 // number of its bit
}) {
	for c := range at {
		row, column := c/9, c%9
		at[c].place = uint8(row%3*3 + column%3)
		at[c].box = uint8(row/3*below + column/3*beside)
	}
	return at
}()

func readPortable(g *grids, lane int, puzzle *[cells]byte) {
	var f frame
	for c, ch := range puzzle {
		if d := ch - '1'; d < 9 {
			at := where[c]
			f.done.set(int(at.place), f.done.place(int(at.place))|1<<at.box)
			f.can[d].set(int(at.place), f.can[d].place(int(at.place))|1<<at.box)
		}
	}
	for d := range f.can {
		for p := range 9 {
			f.can[d].set(p, f.can[d].place(p)|all&^f.done.place(p))
		}
	}
	restorePortable(g, lane, &f)
}

func writePortable(g *grids, lane int, puzzle *[cells]byte) {
	for c, at := range where {
		for d := range g.can {
			if g.can[d][at.place].lane(lane)>>at.box&1 != 0 {
				puzzle[c] = byte('1' + d)
			}
		}
	}
}

func savePortable(g *grids, lane int, to *frame) {
	for d := range g.can {
		for p := range g.can[d] {
			to.can[d].set(p, g.can[d][p].lane(lane))
		}
	}
	for p := range g.done {
		to.done.set(p, g.done[p].lane(lane))
		to.pair.set(p, g.pair[p].lane(lane))
	}
}

func restorePortable(g *grids, lane int, from *frame) {
	for d := range g.can {
		for p := range g.can[d] {
			g.can[d][p].set(lane, from.can[d].place(p))
		}
	}
	for p := range g.done {
		g.done[p].set(lane, from.done.place(p))
	}
}
