package main

import "math/bits"

const maxSize = 24

// A board has a word for each row: bit c is column c, from the left.
type board struct {
	n     int
	free  [maxSize]uint32
	queen [maxSize]uint32 // a square with a queen is not free
}

func empty(n int) board {
	b := board{n: n}
	for r := range n {
		b.free[r] = 1<<n - 1
	}
	return b
}

// put puts a queen on a square.
func (b *board) put(r, c int) {
	b.free[r] &^= 1 << c
	b.queen[r] |= 1 << c
}

func (b board) String() string {
	var text []byte
	for r := range b.n {
		for c := range b.n {
			switch {
			case b.queen[r]>>c&1 != 0:
				text = append(text, 'Q')
			case b.free[r]>>c&1 != 0:
				text = append(text, '.')
			default:
				text = append(text, '#')
			}
		}
		text = append(text, '\n')
	}
	return string(text)
}

// turn returns the board turned clockwise by k quarters.
func turn(b board, k int) board {
	for ; k > 0; k-- {
		t := board{n: b.n}
		for r := range b.n {
			for c := range b.n {
				t.free[c] |= b.free[r] >> c & 1 << (b.n - 1 - r)
				t.queen[c] |= b.queen[r] >> c & 1 << (b.n - 1 - r)
			}
		}
		b = t
	}
	return b
}

// queens returns the number of queens on the board.
func (b board) queens() (n int) {
	for _, q := range b.queen {
		n += bits.OnesCount32(q)
	}
	return n
}
