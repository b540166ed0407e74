//go:build ignore

// Sudoku as exact cover, solved by dancing links in arrays.
//
// Idea: putting digit d into cell (r, c) is an option that covers four items:
// the cell, d in row r, d in column c, d in the cell's box. A solution is 81
// options that cover each of the 324 items once. Covering an item unlinks it
// and its options from doubly linked lists in such a way that the same steps
// backwards restore them.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; algorithm X
// with the S heuristic (an item with the fewest options first).
//
// Time: exponential at worst; 30 µs for a puzzle with 17 givens, below 1 ms for
// the hardest known. The 729-option matrix is linked once for all puzzles; a
// given covers the four items of its option, and is uncovered afterwards.
// Memory: 3241 nodes of 12 bytes.
// Weak: no propagation beyond items with one option, so the hardest puzzles
// take some hundreds of guesses.
package main

import (
	"bufio"
	"os"
)

// The four nodes of option i, which is 9·cell + digit - 1, are 4i to 4i+3, so
// that option and place in it are plain in a node's number. Item i, from 1 to
// 324, has node root+i.
const (
	root  = 4 * 729
	items = 324
	mask  = 1<<12 - 1 // node numbers are below 4096, which spares bounds checks
)

type node struct{ up, down, item int32 }

var (
	nodes       [mask + 1]node
	left, right [items + 1]int32 // the ring of items, through 0
	size        [items + 1]int32
	answer      [81]byte
)

// build links all options.
func build() {
	for i := range int32(items + 1) {
		left[i], right[i] = (i+items)%(items+1), (i+1)%(items+1)
		nodes[root+i] = node{up: root + i, down: root + i, item: i}
	}
	for n := range int32(4 * 729) {
		cell, d := n/4/9, n/4%9
		row, col := cell/9, cell%9
		it := [4]int32{1 + cell, 82 + 9*row + d, 163 + 9*col + d, 244 + 9*(row/3*3+col/3) + d}[n%4]
		above := nodes[root+it].up
		nodes[n] = node{up: above, down: root + it, item: it}
		nodes[above].down, nodes[root+it].up = n, n
		size[it]++
	}
}

// sibling returns the node k places after n among the four of its option,
// round and round.
func sibling(n, k int32) int32 { return n&^3 | (n+k)&3 }

func at(n int32) *node { return &nodes[n&mask] }

func cover(it int32) {
	right[left[it]], left[right[it]] = right[it], left[it]
	for i := at(root + it).down; i != root+it; i = at(i).down {
		for k := int32(1); k < 4; k++ {
			j := at(sibling(i, k))
			at(j.up).down, at(j.down).up = j.down, j.up
			size[j.item]--
		}
	}
}

func uncover(it int32) {
	for i := at(root + it).up; i != root+it; i = at(i).up {
		for k := int32(3); k > 0; k-- {
			n := sibling(i, k)
			j := at(n)
			size[j.item]++
			at(j.up).down, at(j.down).up = n, n
		}
	}
	right[left[it]], left[right[it]] = it, it
}

func search() bool {
	best := right[0]
	if best == 0 {
		return true
	}
	for it := right[best]; it != 0 && size[best] > 1; it = right[it] {
		if size[it] < size[best] {
			best = it
		}
	}
	found := false
	cover(best)
	for n := at(root + best).down; n != root+best && !found; n = at(n).down {
		for k := int32(1); k < 4; k++ {
			cover(at(sibling(n, k)).item)
		}
		answer[n/36] = byte('1' + n/4%9)
		found = search()
		for k := int32(3); k > 0; k-- {
			uncover(at(sibling(n, k)).item)
		}
	}
	uncover(best)
	return found
}

// solve leaves the solution in answer. The links are as before afterwards.
func solve(puzzle []byte) {
	var given [81]int32
	n := 0
	for c, ch := range puzzle {
		if ch == '.' {
			continue
		}
		answer[c] = ch
		given[n] = int32(4 * (9*c + int(ch-'1')))
		for k := range int32(4) {
			cover(at(given[n] + k).item)
		}
		n++
	}
	search()
	for n > 0 {
		n--
		for k := int32(3); k >= 0; k-- {
			uncover(at(given[n] + k).item)
		}
	}
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	build()
	var puzzle [81]byte
	for row := range 9 {
		in.Scan()
		copy(puzzle[9*row:], in.Bytes())
	}
	solve(puzzle[:])
	for row := range 9 {
		out.Write(answer[9*row : 9*row+9])
		out.WriteByte('\n')
	}
}
