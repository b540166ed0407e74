//go:build ignore

// Plain backtracking: the free squares in reading order, on each all pieces.
//
// Idea: nothing is chosen; the first free square must be covered, and only by a
// piece whose first square it is. Squares are bits of one word.
//
// Source: folklore; J. G. Fletcher, "A program to solve the pentomino problem by
// the recursive use of macros", CACM 8 (1965), is the fast form of 1965.
//
// Time: good on boards that are narrow in reading order, as 20 rows of 3;
// exponential in the width elsewhere. Memory: 4000 placements of 16 bytes.
// Weak: 3 rows of 20, where it leaves holes that it sees much later.
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
	on    [60][]placement // by their first square
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
			if p.squares != 0 {
				i := number[first] - 1
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
	for _, p := range on[bits.TrailingZeros64(free)] {
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
