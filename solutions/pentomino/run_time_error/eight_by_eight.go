//go:build ignore

// Pentominoes by masks on a board of 8 by 8 squares.
//
// Idea: as in accepted/masks.go, but bit 8r+c is the square in row r, column c,
// and tables end there.
//
// Source: a common slip: the chessboard without its centre is the best known
// board, and the statement's limits were not read.
//
// Time: as accepted/masks.go. Memory: 20 000 placements of 16 bytes.
// Crashes: on boards with more than 8 rows or columns.
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
	on    [8 * 8][]placement // those on each free square
	count int
)

// fill finds the placements of a board and returns its free squares.
func fill(board []string, all []shape) (free uint64) {
	for i := range on {
		on[i] = on[i][:0]
	}
	var open [8][8]bool
	for r, line := range board {
		for c, ch := range line {
			if ch == '.' {
				open[r][c] = true
				free |= 1 << (8*r + c)
			}
		}
	}
	for first := range 8 * 8 {
		for _, s := range all {
			p := placement{piece: 1 << s.piece}
			for _, d := range s.at {
				at := first/8*32 + first%8 + d
				if r, c := at/32, at%32; r >= 8 || c >= 8 || !open[r][c] {
					p.squares = 0
					break
				}
				p.squares |= 1 << (at/32*8 + at%32)
			}
			for m := p.squares; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				on[i] = append(on[i], p)
			}
		}
	}
	return free
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
