//go:build ignore

// Pentominoes as exact cover on words of bits, without a step backwards.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// While there are many items, the living options are a set of bits: what
// conflicts with a chosen option leaves it by one pass over the words, and each
// item keeps its number of options and the exclusive or of their numbers, which
// names the last one without a search. As soon as 64 items are left, an option
// becomes one word and the search copies what survives into the next list,
// counting the options of all items at once by adding the words bit by bit.
// Nothing is undone, only dropped, and forced options are taken together.
//
// Source: our own; the parts are known from bitboards, carry-save adders and
// backtracking by copying. It counted all 9356 tilings of 6 by 10 in a twelfth
// of the time of D. E. Knuth's SSXCC in C at -O2, all placements of 12 queens
// and the 210 993 solutions of a sudoku in two fifths of it (user and system
// time in one run, on a busy machine).
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 10 ms.
//
// Memory: the arena of 2 MiB, and 2 MiB for conflicts.
//
// Weak: conflicts take the square of the number of options in bits, which
// limits it to some ten thousand options.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	one     = 1 << 16 // an item's tally counts its options in steps of this
	covered = 1 << 31 // and has this bit when it is covered
	may     = 1 << 30 // or this one when it need not be
)

var (
	must, items int
	options     [][]uint16 // the items of each option
	demand      []int      // how many of an option's items must be covered
	holders     [][]uint16 // the options of each item
	conflicts   []uint64   // for each option a set of those that share an item with it
	words       int        // the size of a set of options
	// For each level of the search, the set of options that are alive and the
	// items' tallies. The low half of a tally is the exclusive or of its
	// options' numbers: when one is left, this is its number.
	alive   [][]uint64
	tallies [][]uint32
	count   int
)

// With 64 items or fewer an option is a word: lists of them lie one after another here.
var arena [1 << 18]uint64

// reset begins a matrix; items are counted from 0, those that must be covered
// come first.
func reset(primary, all int) {
	must, items = primary, all
	options, demand = options[:0], demand[:0]
}

// add appends an option with these items.
func add(its ...int) {
	o := make([]uint16, len(its))
	n := 0
	for i, it := range its {
		o[i] = uint16(it)
		if it < must {
			n++
		}
	}
	options, demand = append(options, o), append(demand, n)
}

// solve counts all solutions.
func solve() {
	words = (len(options) + 63) / 64
	alive, tallies = alive[:0], tallies[:0]
	room(0)
	holders = make([][]uint16, items)
	for p, o := range options {
		alive[0][p/64] |= 1 << (p % 64)
		for _, it := range o {
			tallies[0][it] = (tallies[0][it] + one) ^ uint32(p)
			holders[it] = append(holders[it], uint16(p))
		}
	}
	for it := must; it < items; it++ {
		tallies[0][it] |= may
	}
	conflicts = append(conflicts[:0], make([]uint64, len(options)*words)...)
	for p, o := range options {
		row := conflicts[p*words:][:words]
		for _, it := range o {
			for _, q := range holders[it] {
				row[q/64] |= 1 << (q % 64)
			}
		}
	}
	search(0, must)
}

// room makes room for level l of the search.
func room(l int) {
	if l == len(alive) {
		alive = append(alive, make([]uint64, words))
		tallies = append(tallies, make([]uint32, items))
	}
}

// take removes option o and all that conflict with it. Items with one option
// left join the queue; an item with none makes it false.
func take(o int, a []uint64, t []uint32, queue []uint16) ([]uint16, bool) {
	for _, it := range options[o] {
		t[it] |= covered
	}
	row := conflicts[o*words:][:len(a)]
	for w, old := range a {
		gone := old & row[w]
		a[w] = old &^ gone
		for ; gone != 0; gone &= gone - 1 {
			p := w*64 + bits.TrailingZeros64(gone)
			for _, it := range options[p] {
				v := (t[it] - one) ^ uint32(p)
				t[it] = v
				if v < 2*one {
					if v < one {
						return queue, false
					}
					queue = append(queue, it)
				}
			}
		}
	}
	return queue, true
}

// settle takes option o and all that are forced by it, and returns how many
// items are left to be covered, or -1 if one of them cannot be.
func settle(o, left int, a []uint64, t []uint32) int {
	var space [64]uint16
	queue, ok := space[:0], true
	for {
		if queue, ok = take(o, a, t, queue); !ok {
			return -1
		}
		left -= demand[o]
		for o = -1; o < 0; {
			if len(queue) == 0 {
				return left
			}
			if v := t[queue[len(queue)-1]]; v < may {
				o = int(v % one)
			}
			queue = queue[:len(queue)-1]
		}
	}
}

// search branches on an item with the fewest options.
func search(l, left int) {
	a, t := alive[l], tallies[l]
	if left <= 64 && pack(a, t, left) {
		return
	}
	best, fewest := -1, uint32(may)
	for it, v := range t[:must] {
		if v < fewest {
			best, fewest = it, v&^(one-1)
			if fewest <= 2*one {
				break
			}
		}
	}
	room(l + 1)
	ways := int(fewest / one)
	for _, o := range holders[best] {
		if a[o/64]>>(o%64)&1 == 0 {
			continue
		}
		next := l
		if ways--; ways > 0 { // else nothing needs this level any more
			next++
			copy(alive[next], a)
			copy(tallies[next], t)
		}
		switch rest := settle(int(o), left, alive[next], tallies[next]); {
		case rest > 0:
			search(next, rest)
		case rest == 0:
			count++
		}
		if ways == 0 {
			return
		}
	}
}

// pack renumbers the items so that an option is one word, if they are few
// enough, and searches from there. An item that need not be covered counts if it has two
// options or more.
func pack(a []uint64, t []uint32, left int) bool {
	var bit [72]uint64
	n := 0
	for it, v := range t {
		if v < may || v < covered && v-may >= 2*one {
			if n == 64 {
				return false
			}
			bit[it] = 1 << n
			n++
		}
	}
	size := 0
	for w, set := range a {
		for ; set != 0; set &= set - 1 {
			p := w*64 + bits.TrailingZeros64(set)
			var m uint64
			for _, it := range options[p] {
				m |= bit[it]
			}
			arena[size] = m
			size++
		}
	}
	sift(0, size, 1<<left-1)
	return true
}

// sieve copies the options that share no item with m, and returns their number
// and their union.
func sieve(to, from []uint64, m uint64) (n int, union uint64) {
	to = to[:len(from)]
	for _, o := range from {
		to[n] = o
		var fits uint64
		if o&m == 0 {
			fits = 1
		}
		n += int(fits)
		union |= o & -fits
	}
	return n, union
}

// sift is search for options that are words: arena[lo:hi] are alive, active are
// the items still to be covered.
func sift(lo, hi int, active uint64) {
	for {
		list := arena[lo:hi]
		// All items' numbers of options at once, in binary: five sums bit by
		// bit, of which the last keeps its carry.
		var b0, b1, b2, b3, b4 uint64
		for _, m := range list {
			c1 := b0 & m
			b0 ^= m
			c2 := b1 & c1
			b1 ^= c1
			c3 := b2 & c2
			b2 ^= c2
			b4 |= b3 & c3
			b3 ^= c3
		}
		if active&^(b0|b1|b2|b3|b4) != 0 {
			return
		}
		if single := active & b0 &^ (b1 | b2 | b3 | b4); single != 0 {
			var all uint64 // of the forced options
			for _, m := range list {
				if m&single != 0 {
					if all&m != 0 {
						return
					}
					all |= m
				}
			}
			active &^= all
			if active == 0 {
				count++
				return
			}
			n, union := sieve(arena[hi:], list, all)
			if active&^union != 0 {
				return
			}
			lo, hi = hi, hi+n
			continue
		}
		item := fewest(list, active, b0, b1, b2, b3, b4)
		for _, m := range list {
			if m&item == 0 {
				continue
			}
			rest := active &^ m
			if rest == 0 {
				count++
				continue
			}
			if n, union := sieve(arena[hi:], list, m); rest&^union == 0 {
				sift(hi, hi+n, rest)
			}
		}
		return
	}
}

// fewest returns an active item that the fewest options have.
func fewest(list []uint64, active, b0, b1, b2, b3, b4 uint64) uint64 {
	p := active &^ b4
	if p != 0 {
		for _, b := range [4]uint64{b3, b2, b1, b0} {
			if less := p &^ b; less != 0 {
				p = less
			}
		}
		return p & -p
	}
	least := len(list) + 1
	for a := active; a != 0; a &= a - 1 {
		bit, n := a&-a, 0
		for _, m := range list {
			if m&bit != 0 {
				n++
			}
		}
		if n < least {
			least, p = n, bit
		}
	}
	return p
}

// A shape is one way to turn and reflect a piece: its squares in reading
// order, each as its distance from the first on a board that is 32 wide.
type shape struct {
	piece int
	at    [5]int
}

var pieces = [12]string{
	".##/##./.#.", "#####", "#./#./#./##", ".#/.#/##/#.", "##/##/#.", "###/.#./.#.",
	"#.#/###", "#../#../###", "#../##./.##", ".#./###/.#.", ".#/##/.#/.#", "##./.#./.##",
}

// shapes returns the 63 shapes of the 12 pieces.
func shapes() (all []shape) {
	for p, drawn := range pieces {
		for turn := range 8 {
			var v []int
			for r, line := range strings.Split(drawn, "/") {
				for c, ch := range line {
					if ch != '#' {
						continue
					}
					r, c := r, c
					if turn&1 != 0 {
						r = -r
					}
					if turn&2 != 0 {
						c = -c
					}
					if turn&4 != 0 {
						r, c = c, r
					}
					v = append(v, 32*r+c)
				}
			}
			slices.Sort(v)
			s := shape{piece: p}
			for i := range s.at {
				s.at[i] = v[i] - v[0]
			}
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// fill makes the options of a board and reports whether there can be a tiling.
// A free square is an item that must be covered; a piece is one too if all
// twelve are needed, and else may be.
func fill(board []string, all []shape) bool {
	var item [25 * 32]int // from 1; 0 where no piece may lie
	free := 0
	for r, line := range board {
		for c, ch := range line {
			if ch == '.' {
				free++
				item[32*r+c] = free
			}
		}
	}
	if free%5 != 0 {
		return false
	}
	if free == 60 {
		reset(72, 72)
	} else {
		reset(free, free+12)
	}
	for first := range 20 * 32 {
		for _, s := range all {
			var o [6]int
			fits := true
			for i, d := range s.at {
				o[i] = item[first+d] - 1
				fits = fits && o[i] >= 0
			}
			if fits {
				o[5] = free + s.piece
				add(o[:]...)
			}
		}
	}
	return true
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in.Split(bufio.ScanWords)
	number := func() int {
		in.Scan()
		n, _ := strconv.Atoi(in.Text())
		return n
	}
	all := shapes()
	for t := number(); t > 0; t-- {
		board := make([]string, number())
		number() // the width; a line has it
		for r := range board {
			in.Scan()
			board[r] = in.Text()
		}
		count = 0
		if fill(board, all) {
			solve()
		}
		fmt.Fprintln(out, count)
	}
}
