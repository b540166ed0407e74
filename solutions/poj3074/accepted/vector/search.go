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

// A laneOf says where a lane is in words.
type laneOf struct{ part, shift int }

func find(lane int) laneOf { return laneOf{lane / 4 % (lanes / 4), lane % 4 * 16} }

func (l laneOf) get(w *word) uint64 { return w[l.part] >> l.shift & 0xffff }

func (l laneOf) set(w *word, boxes uint64) {
	w[l.part] = w[l.part]&^(0xffff<<l.shift) | boxes<<l.shift
}

// Grids are what is known of a puzzle in each lane. A cell is named by its box
// and its place in it, which is 3 times its row plus its column in the box.
type grids struct {
	can  [9][9]word // digit, place: boxes where the digit can go to the place
	done [9]word    // place: boxes whose cell there has one digit left
	pair [9]word    // place: boxes whose cell there has two digits left

	lone [9]word // kernels' own; digit: boxes that have one place left for it
	_    [2]word // kernels' own
}

// A row is one lane of nine words, four to each part.
type row [3]uint64

// A frame is one lane of grids, by digit, and then done and pair.
type frame struct {
	can        [9]row
	done, pair row
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

	// save copies a lane to a frame, and restore is its inverse, but for pair.
	save    func(g *grids, lane int, to *frame)
	restore func(g *grids, lane int, from *frame)
}

// What the lanes work on. A lane's stack has its grids from bottom to height;
// those below were never there or went to other lanes. Each is from a guess in
// another cell.
var (
	now            grids
	stack          [cells + 1][lanes]frame
	bottom, height [lanes]int
	puzzle         [lanes]*[cells]byte
	live           uint16 // lanes that have a puzzle
)

// solve replaces puzzles, each on a line, by their solutions.
func (k *kernel) solve(lines []byte) {
	var sure uint16 // lanes where no guess can be wrong
	next := func(l int) {
		switch {
		case len(lines) > 0:
			puzzle[l], bottom[l], height[l] = (*[cells]byte)(lines), 0, 0
			k.read(&now, l, puzzle[l])
			lines = lines[line:]
			live |= 1 << l
			sure |= 1 << l
		case k.steal(l):
			live |= 1 << l
			sure &^= 1 << l
		default:
			live &^= 1 << l
		}
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
				for same := lanesOf(l); same != 0; same &= same - 1 {
					other := bits.TrailingZeros16(same)
					live &^= 1 << other
					left &^= 1 << other &^ bit
					bottom[other] = height[other]
				}
			case fine&bit != 0:
				k.guess(l)
				sure &^= bit
			case height[l] > bottom[l]:
				height[l]--
				k.restore(&now, l, &stack[height[l]][l])
				if height[l] == 0 {
					sure |= bit
				}
			default: // no solution, or it is in another lane
				live &^= bit
			}
		}
		for idle := ^live; idle != 0; idle &= idle - 1 {
			next(bits.TrailingZeros16(idle))
		}
	}
}

// lanesOf returns the lanes that work on the puzzle of lane l.
func lanesOf(l int) (same uint16) {
	if bottom[l] == 0 {
		return 1 << l // nothing was taken over
	}
	for v := range puzzle {
		if puzzle[v] == puzzle[l] {
			same |= 1 << v
		}
	}
	return same & live
}

// steal takes over the oldest grid of the highest stack, if there is any.
func (k *kernel) steal(l int) bool {
	from := 0
	for v := range height {
		if height[v]-bottom[v] > height[from]-bottom[from] {
			from = v
		}
	}
	if height[from] == bottom[from] {
		return false
	}
	k.restore(&now, l, &stack[bottom[from]][from])
	bottom[from]++
	// Neither gets to height 0 again, where it would think that it is alone.
	puzzle[l], bottom[l], height[l] = puzzle[from], 1, 1
	return true
}

// guess decides a cell for its lowest digit. The stack gets the grid without
// that digit there.
func (k *kernel) guess(l int) {
	other := &stack[height[l]][l]
	height[l]++
	k.save(&now, l, other)
	part, bit := other.choose()
	at := find(l)
	place, box := 4*part+bit/16, uint64(1)<<(at.shift+bit%16)

	digits := uint(0)
	for d := range other.can {
		digits |= uint(other.can[d][part]>>bit&1) << d
	}
	lowest := bits.TrailingZeros(digits)
	other.can[lowest][part] &^= 1 << bit
	digits &= digits - 1
	if digits&(digits-1) == 0 {
		other.done[part] |= 1 << bit // one digit is left there
	}
	for ; digits != 0; digits &= digits - 1 {
		now.can[bits.TrailingZeros(digits)][place][at.part] &^= box
	}
	now.done[place][at.part] |= box
}

// choose returns an open cell by its bit in a part of a row: the first with
// two digits, or one with more if there is none. Better choices exist, but here
// a pass is cheaper than to find them.
func (f *frame) choose() (part, bit int) {
	for i := range f.pair {
		if f.pair[i] != 0 {
			return i, bits.TrailingZeros64(f.pair[i])
		}
	}
	for i := range f.done {
		if open := everywhere[i] &^ f.done[i]; open != 0 {
			return i, bits.TrailingZeros64(open)
		}
	}
	panic("a guess without an open cell")
}

// everywhere has all cells.
var everywhere = row{four(all), four(all), all}
