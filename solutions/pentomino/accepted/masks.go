//go:build ignore

// Pentominoes by masks: one word for the free squares of the board.
//
// Idea: each free square has a list of the placements that cover it, as words.
// A step branches on a square with the fewest placements that still fit, and
// finds it by trying them all; nothing is linked, nothing is undone.
//
// Source: folklore of bitboards; the rule of the fewest choices is in S. W.
// Golomb and L. D. Baumert, "Backtrack programming", JACM 12 (1965), whose
// example are pentominoes.
//
// Time: 3 by 20 takes about 50 ms. Memory: 20 000 placements of 16 bytes.
// Weak: each step looks at some thousand placements, most of them in vain, and a
// piece that has no place left is not seen.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
)

// A placement is a piece on five free squares.
type placement struct {
	squares uint64
	piece   uint16 // one bit
}

var (
	on    [60][]placement // those on each free square
	count int
)

// fill finds the placements of a board and returns its free squares.
func fill(board []string, all []shape) (free uint64) {
	var number [25 * 32]int // of the free squares, from 1
	n := 0
	for r, line := range board {
		for c, ch := range line {
			if ch == '.' {
				on[n] = on[n][:0]
				n++
				number[32*r+c] = n
			}
		}
	}
	for first := range 20 * 32 {
		for _, s := range all {
			p := placement{piece: 1 << s.piece}
			for _, d := range s.at {
				if number[first+d] == 0 {
					p.squares = 0
					break
				}
				p.squares |= 1 << (number[first+d] - 1)
			}
			for m := p.squares; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				on[i] = append(on[i], p)
			}
		}
	}
	return 1<<n - 1
}

// search counts the tilings of the free squares without the used pieces.
func search(free uint64, used uint16) {
	if free == 0 {
		count++
		return
	}
	best, fewest := 0, 1<<30
	for open := free; open != 0 && fewest > 1; open &= open - 1 {
		i, n := bits.TrailingZeros64(open), 0
		for _, p := range on[i] {
			if p.squares&^free == 0 && p.piece&used == 0 {
				if n++; n >= fewest {
					break
				}
			}
		}
		if n < fewest {
			best, fewest = i, n
		}
	}
	if fewest == 0 {
		return
	}
	for _, p := range on[best] {
		if p.squares&^free == 0 && p.piece&used == 0 {
			search(free&^p.squares, used|p.piece)
		}
	}
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

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	all := shapes()
	var boards, height, width int
	fmt.Fscan(in, &boards)
	for range boards {
		fmt.Fscan(in, &height, &width)
		board := make([]string, height)
		for r := range board {
			fmt.Fscan(in, &board[r])
		}
		count = 0
		if free := fill(board, all); bits.OnesCount64(free)%5 == 0 {
			search(free, 0)
		}
		fmt.Fprintln(out, count)
	}
}
