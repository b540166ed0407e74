package main

import "math/bits"

// lanes is how many puzzles are worked on at once.
const lanes = 16

// A word holds a set of boxes for each lane: 16 bits, of which nine mean a box
// and are in three triples, one for each stack (three boxes in a column).
type word [lanes / 4]uint64

const (
	below  = 1 // bits from a box to the one below it
	beside = 5 // bits from a box to the one at its right
	all    = 7<<(2*beside) | 7<<beside | 7
)

// lane gives the boxes of one lane, and set replaces them.

func (w *word) lane(l int) uint16 { return uint16(w[l/4%4] >> (l % 4 * 16)) }

func (w *word) set(l int, boxes uint16) {
	shift := l % 4 * 16
	w[l/4%4] = w[l/4%4]&^(0xffff<<shift) | uint64(boxes)<<shift
}

// Grids are what is known of a puzzle in each lane. A cell is named by its box
// and its place in it, which is 3 times its row plus its column in the box.
type grids struct {
	can  [9][9]word // digit, place: boxes where the digit can go to the place
	done [9]word    // place: boxes whose cell there has one digit left
	pair [9]word    // place: boxes whose cell there has two digits left

	lone [9]word // kernels' own; digit: boxes that have one place left for it
	fine word    // kernels' own; boxes where every cell and digit has a choice
	full word    // kernels' own; boxes where every cell is decided
}

// A frame is one lane of grids: can and done.
type frame struct {
	can  [9][9]uint16
	done [9]uint16
}

// A kernel does what concerns whole lanes.
type kernel struct {
	// pass removes digits that cannot be, in all lanes, and decides cells. Of
	// its answers each has a bit for each lane: fine unless a cell or digit has
	// no choice left, still if no more cell has been decided, full if all are.
	pass func(g *grids) (fine, still, full uint16)

	// read puts a puzzle of 81 characters into a lane, and write is its inverse.
	read  func(g *grids, lane int, puzzle *[cells]byte)
	write func(g *grids, lane int, puzzle *[cells]byte)

	// save copies a lane to a frame, and restore is its inverse.
	save    func(g *grids, lane int, to *frame)
	restore func(g *grids, lane int, from *frame)
}

// What the lanes work on. A guess decides a cell, so no stack gets higher than
// there are cells.
var (
	now    grids
	stack  [lanes][cells]frame
	height [lanes]int
	puzzle [lanes]*[cells]byte
)

// solve replaces puzzles, each on a line, by their solutions.
func (k *kernel) solve(lines []byte) {
	var live, sure uint16 // lanes with a puzzle, lanes without a guess
	next := func(l int) {
		if len(lines) == 0 {
			live &^= 1 << l
			return
		}
		puzzle[l], height[l] = (*[cells]byte)(lines), 0
		k.read(&now, l, puzzle[l])
		lines = lines[line:]
		live |= 1 << l
		sure |= 1 << l
	}
	for l := range lanes {
		next(l)
	}
	for live != 0 {
		fine, still, full := k.pass(&now)
		// A full grid may yet have a digit twice in a line, which the next pass
		// finds out, unless there was no guess that could be wrong.
		solved := fine & full & (still | sure)
		for left := live & (still | solved | ^fine); left != 0; left &= left - 1 {
			l := bits.TrailingZeros16(left)
			switch bit := uint16(1) << l; {
			case solved&bit != 0:
				k.write(&now, l, puzzle[l])
				next(l)
			case fine&bit != 0:
				k.guess(l)
				sure &^= bit
			case height[l] == 0: // the puzzle has no solution
				next(l)
			default:
				height[l]--
				k.restore(&now, l, &stack[l][height[l]])
				if height[l] == 0 {
					sure |= bit
				}
			}
		}
	}
}

// guess decides a cell for one of its digits. The stack gets the grid without
// that digit.
func (k *kernel) guess(l int) {
	place, box := choose(l)
	other := &stack[l][height[l]]
	height[l]++
	k.save(&now, l, other)
	left := 0
	for d := range now.can {
		w := &now.can[d][place]
		switch {
		case w.lane(l)&box == 0:
			continue
		case left == 0:
			other.can[d][place] &^= box
		default:
			w.set(l, w.lane(l)&^box)
		}
		left++
	}
	now.done[place].set(l, now.done[place].lane(l)|box)
	if left == 2 {
		other.done[place] |= box
	}
}

// choose returns an open cell, one with two digits if there is any.
func choose(l int) (place int, box uint16) {
	for p := range now.pair {
		if w := now.pair[p].lane(l); w != 0 {
			return p, w & -w
		}
	}
	for p := range now.done {
		if w := all &^ now.done[p].lane(l); w != 0 {
			return p, w & -w
		}
	}
	panic("a guess without an open cell")
}
