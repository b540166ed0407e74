//go:build ignore

// Sudoku by digit, all three bands and two digits at a time.
//
// Idea: the 81 cells are three words of 27 bits, one for the left, middle and
// right columns of the boxes; a bit of a word is 9·band + 3·row + box. Five
// records hold for two digits each, in the halves of 64-bit words, where they
// may go. Then the or of three words is the set of minirows (three cells of a
// row in a box) that a digit may be in, and a word folded over the rows says
// which columns it may be in. In a band, a digit takes one minirow of each row
// and each box: of the 512 sets of minirows a table keeps those that are part
// of one of the six ways to do so. In a stack, the same of columns and bands is
// bit algebra, for three stacks and two digits at once. What is left shows
// every digit with a single place in a row, column or box. Cells with a single
// digit are found for 54 cells at once by adding up the words bit by bit. Only
// digits whose places changed are looked at again. When nothing changes any
// more, the search guesses in a cell with two digits that have many places
// among the cell's peers, those with two digits counted thrice; if there is none,
// in any cell.
//
// Source: sets of places by digit and locked candidates are those of JCZSolve
// and its relatives on the sudoku players' forum, guesses by the support among
// the peers those of tdoku. The layout and the algebra of stacks are our own.
//
// Time: exponential at worst; 1 to 2 µs for a usual puzzle. Measured for each
// puzzle: with 17 givens 0.36 guesses, 36 looks at two digits and 8 at all
// cells; the hardest known, as their collectors write them, 56 guesses and 740
// looks, with rows, columns and digits exchanged 75 and 980.
// Memory: 10 KB of tables, 192 bytes for each level of guessing.
// Weak: looks wait for one another, as each takes the cells filled in by the
// last into account: a vector of puzzles side by side is faster.
package main

import (
	"io"
	"math/bits"
	"os"
)

const (
	low    = 1<<27 - 1
	full   = low | low<<32                 // every cell of a word, for two digits
	firsts = 0o111111111 | 0o111111111<<32 // the first box of each row
	tops   = 0x1c0e07 | 0x1c0e07<<32       // the first row of each band
)

// A duo says where two digits may still go or are.
type duo struct {
	can  [3]uint64
	sole uint64 // minirows with the only place left in their row
}

type board struct {
	duos  [5]duo
	open  [3]uint64 // cells without a digit so far, in both halves
	dirty uint64    // duos to look at, one bit each
}

// A spot is the bit of a cell, and what shares a row, column or box with it.
type spot struct {
	peers [3]uint64
	bit   int
}

// The table of spots is for the position of a bit that is alone in a word. The
// product with this number has it in its highest bits, and not every processor
// has a faster way.
const hash64 = 0x03f79d71b4cb0a89

var (
	all   = [8]uint64{full, full, full, full, low} // there is no tenth digit
	ways  [512]uint64                              // of nine minirows those in some way; from bit 32 on those alone in their row
	spots [3][64]spot                              // of words
	stack [65]board                                // a grid with one solution has at most 64 blanks to guess
)

func buildTables() {
	for set := range ways {
		some, alone := 0, 0
		for _, way := range [6]int{0o124, 0o142, 0o214, 0o241, 0o412, 0o421} {
			if set&way == way {
				some |= way
			}
		}
		for _, row := range [3]int{0o7, 0o70, 0o700} {
			if one := some & row; one&(one-1) == 0 {
				alone |= one
			}
		}
		ways[set] = uint64(some) | uint64(alone)<<32
	}
	for bit := range 27 {
		rowAndBox := uint64(0o7<<(bit/3*3) | 0o111<<(bit/9*9+bit%3))
		for w := range spots {
			s := spot{[3]uint64{rowAndBox, rowAndBox, rowAndBox}, bit}
			s.peers[w] |= 0o111111111 << (bit % 3)
			spots[w][uint64(1)<<bit*hash64>>58] = s
			for v := range s.peers {
				s.peers[v] <<= 32
			}
			spots[w][uint64(1)<<(bit+32)*hash64>>58] = s
		}
	}
}

// swap exchanges the halves.
func swap(x uint64) uint64 { return bits.RotateLeft64(x, 32) }

// nonzero is 1 for all numbers but 0. It costs no branch.
func nonzero(x uint64) uint64 { return (x | -x) >> 63 }

// place puts digits into cells, which excludes them from the rest of their
// rows and boxes. The columns follow from those.
func (d *duo) place(n0, n1, n2 uint64) {
	n := n0 | n1 | n2
	rows := (n | n>>1 | n>>2) & firsts * 0o7
	boxes := (n | n>>3 | n>>6) & tops * 0o111
	rest := ^(rows | boxes)
	d.can[0] = d.can[0]&rest | n0
	d.can[1] = d.can[1]&rest | n1
	d.can[2] = d.can[2]&rest | n2
	d.sole |= n
}

// trim takes the cells of other digits out of a word, and counts the digits of
// each cell up to two.
func (d *duo) trim(w int, open, one, two uint64) (_, _, gone uint64) {
	was := d.can[w]
	c := was & (open | d.sole)
	d.can[w] = c
	return one | c, two | one&c, was ^ c
}

// search solves the board at the bottom of the stack and returns the one that
// is complete.
func search() *board {
	level := 0
	b := &stack[0]
	dirty := b.dirty
	for {
		var one0, one1, one2, two0, two1, two2, x, y, z uint64
		for dirty != 0 {
			p := bits.TrailingZeros64(dirty) & 7
			d := &b.duos[p]
			sole := d.sole
			c0, c1, c2 := d.can[0]&(b.open[0]|sole), d.can[1]&(b.open[1]|sole), d.can[2]&(b.open[2]|sole)

			// Bands: rows and boxes.
			set := c0 | c1 | c2
			m := ways[set&511] | ways[set>>9&511]<<9 | ways[set>>18&511]<<18
			n := ways[set>>32&511] | ways[set>>41&511]<<9 | ways[set>>50&511]<<18
			some, alone := m&low|n<<32, m>>32|n&^low
			c0 &= some
			c1 &= some
			c2 &= some

			// Stacks: columns and bands. Bit 9·band + box of t0, t1 and t2 is
			// a column; u and v are t of the next band and of the one after.
			t0 := (c0 | c0>>3 | c0>>6) & tops
			t1 := (c1 | c1>>3 | c1>>6) & tops
			t2 := (c2 | c2>>3 | c2>>6) & tops
			u0, v0 := t0>>9|t0<<18, t0>>18|t0<<9
			u1, v1 := t1>>9|t1<<18, t1>>18|t1<<9
			u2, v2 := t2>>9|t2<<18, t2>>18|t2<<9
			t0 &= u1&v2 | v1&u2
			t1 &= u0&v2 | v0&u2
			t2 &= u0&v1 | v0&u1
			if ((t0|t1|t2)^tops)&all[p] != 0 {
				goto wrong // a box without a place for a digit
			}
			c0 &= t0 * 0o111
			c1 &= t1 * 0o111
			c2 &= t2 * 0o111
			d.can[0], d.can[1], d.can[2] = c0, c1, c2
			if c0|c1|c2 == some {
				dirty &= dirty - 1 // the bands would not change again
			}

			// Digits with one place in a row. No other digit can be there.
			sole |= alone &^ (c0&c1 | (c0|c1)&c2)
			d.sole = sole
			c0 &= sole
			c1 &= sole
			c2 &= sole
			b.open[0] &^= c0 | swap(c0)
			b.open[1] &^= c1 | swap(c1)
			b.open[2] &^= c2 | swap(c2)
		}

		// Cells with at least one digit, and with at least two. Written out,
		// since a loop took a third longer.
		one0, two0, x = b.duos[0].trim(0, b.open[0], 0, 0)
		one1, two1, y = b.duos[0].trim(1, b.open[1], 0, 0)
		one2, two2, z = b.duos[0].trim(2, b.open[2], 0, 0)
		dirty |= nonzero(x | y | z)
		one0, two0, x = b.duos[1].trim(0, b.open[0], one0, two0)
		one1, two1, y = b.duos[1].trim(1, b.open[1], one1, two1)
		one2, two2, z = b.duos[1].trim(2, b.open[2], one2, two2)
		dirty |= nonzero(x|y|z) << 1
		one0, two0, x = b.duos[2].trim(0, b.open[0], one0, two0)
		one1, two1, y = b.duos[2].trim(1, b.open[1], one1, two1)
		one2, two2, z = b.duos[2].trim(2, b.open[2], one2, two2)
		dirty |= nonzero(x|y|z) << 2
		one0, two0, x = b.duos[3].trim(0, b.open[0], one0, two0)
		one1, two1, y = b.duos[3].trim(1, b.open[1], one1, two1)
		one2, two2, z = b.duos[3].trim(2, b.open[2], one2, two2)
		dirty |= nonzero(x|y|z) << 3
		one0, two0, x = b.duos[4].trim(0, b.open[0], one0, two0)
		one1, two1, y = b.duos[4].trim(1, b.open[1], one1, two1)
		one2, two2, z = b.duos[4].trim(2, b.open[2], one2, two2)
		dirty |= nonzero(x|y|z) << 4
		two0 |= swap(two0) | one0&swap(one0)
		two1 |= swap(two1) | one1&swap(one1)
		two2 |= swap(two2) | one2&swap(one2)
		one0 |= swap(one0)
		one1 |= swap(one1)
		one2 |= swap(one2)
		if one0&one1&one2 != full || two0&^b.open[0]|two1&^b.open[1]|two2&^b.open[2] != 0 {
			goto wrong // a cell without a digit, or two digits that can only be there
		}

		one0, one1, one2 = b.open[0]&^two0, b.open[1]&^two1, b.open[2]&^two2
		b.open[0], b.open[1], b.open[2] = two0, two1, two2
		if one0|one1|one2 != 0 {
			for p := range b.duos {
				d := &b.duos[p]
				n0, n1, n2 := d.can[0]&one0, d.can[1]&one1, d.can[2]&one2
				if n0|n1|n2 != 0 {
					d.place(n0, n1, n2)
					dirty |= 1 << p
				}
			}
		}

		// Without a guess nothing can be wrong. With one, the last digits must
		// be seen not to meet.
		if two0|two1|two2 == 0 && (dirty == 0 || level == 0) {
			return b
		}
		if dirty == 0 {
			level++
			b.guess(&stack[level])
			b = &stack[level]
			dirty = b.dirty
		}
		continue

	wrong:
		level--
		b = &stack[level]
		dirty = b.dirty
	}
}

// guess makes next the case that a digit is in a cell, and b the case that it
// is not.
func (b *board) guess(next *board) {
	w, bit := b.choose()
	both := bit | bit<<32
	*next = *b
	next.open[w] &^= both
	next.dirty, b.dirty = 0, 0
	for p := range b.duos {
		here := b.duos[p].can[w] & both
		if here == 0 {
			continue
		}
		next.dirty |= 1 << p
		next.duos[p].can[w] &^= here
		if b.dirty == 0 {
			b.dirty = 1 << p
			var n [3]uint64
			n[w] = here & -here
			b.duos[p].can[w] &^= n[w]
			next.duos[p].place(n[0], n[1], n[2])
		}
	}
}

// enough is the weight at which a cell is taken without looking further: more
// saves no guesses worth the search for it.
const enough = 22

// choose returns the word and bit of a cell for a guess: one with two digits
// and much weight, or else any. The weight is the number of places for these
// digits among its peers, where a peer that has itself two digits counts thrice.
func (b *board) choose() (word int, bit uint64) {
	var pairs [3]uint64
	for w := range 3 {
		one := b.duos[0].can[w]
		c := b.duos[1].can[w]
		two := one & c
		one |= c
		c = b.duos[2].can[w]
		three := two & c
		two |= one & c
		one |= c
		c = b.duos[3].can[w]
		three |= two & c
		two |= one & c
		one |= c
		c = b.duos[4].can[w]
		three |= two & c
		two |= one & c
		one |= c
		three |= swap(three) | one&swap(two) | two&swap(one)
		two |= swap(two) | one&swap(one)
		pairs[w] = two &^ three & b.open[w]
	}
	var weight [3][32]uint8
	most := uint8(0)
	for w := range 3 {
		if pairs[w] == 0 {
			continue
		}
		for p := range b.duos {
			d := &b.duos[p]
			for c := d.can[w] & pairs[w]; c != 0; c &= c - 1 {
				s := &spots[w][c&-c*hash64>>58]
				c0, c1, c2 := d.can[0]&s.peers[0], d.can[1]&s.peers[1], d.can[2]&s.peers[2]
				// The peers are in one half, so two words fit into one.
				places := bits.OnesCount64(c0|swap(c1)) + bits.OnesCount64(c2)
				tight := bits.OnesCount64(c0&pairs[0]|swap(c1&pairs[1])) + bits.OnesCount64(c2&pairs[2])
				sum := &weight[w][s.bit&31]
				*sum += uint8(places + 2*tight)
				if *sum > most {
					most, word, bit = *sum, w, 1<<(s.bit&31)
					if most >= enough {
						return word, bit
					}
				}
			}
		}
	}
	for w := 0; bit == 0; w++ {
		word, bit = w, b.open[w]&-b.open[w]
	}
	return word, bit
}

// start puts a sudoku on the board at the bottom of the stack: rows of nine characters and a newline.
func start(grid *[90]byte) {
	b := &stack[0]
	for p := range b.duos {
		b.duos[p] = duo{}
	}
	var given [3]uint64
	for cell := range 81 {
		ch := grid[cell+cell/9]
		if ch == '.' {
			continue
		}
		digit, at, w := ch-'1', cell/3, cell%3
		b.duos[digit/2].can[w] |= 1 << (at + int(digit%2)*32)
		given[w] |= 1<<at | 1<<(at+32)
	}
	b.open = [3]uint64{full &^ given[0], full &^ given[1], full &^ given[2]}
	for p := range b.duos {
		d := &b.duos[p]
		n := d.can
		d.can = [3]uint64{b.open[0] & all[p], b.open[1] & all[p], b.open[2] & all[p]}
		d.place(n[0], n[1], n[2])
	}
	b.dirty = 1<<5 - 1
}

// print puts the digits of a complete board where the blanks were.
func (b *board) print(grid *[90]byte) {
	for p := range b.duos {
		for w := range 3 {
			for c := b.duos[p].can[w]; c != 0; c &= c - 1 {
				at := bits.TrailingZeros64(c)
				cell := at%32*3 + w
				grid[cell+cell/9] = byte('1' + 2*p + at/32)
			}
		}
	}
}

func main() {
	buildTables()
	var grid [90]byte
	io.ReadFull(os.Stdin, grid[:])
	start(&grid)
	search().print(&grid)
	os.Stdout.Write(grid[:])
}
