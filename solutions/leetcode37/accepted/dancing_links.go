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
// Time: exponential at worst; below 0.1 ms for a usual puzzle, below 1 ms for
// the hardest known. The 729-option matrix is linked once for all puzzles; a
// given covers the four items of its option, and is uncovered afterwards.
// Memory: 3241 nodes of 24 bytes.
// Weak: no propagation beyond items with one option, so the hardest puzzles
// take some hundreds of guesses.
package main

import (
	"bufio"
	"os"
)

const (
	items = 324
	nodes = 1 + items + 4*729
)

var (
	left, right, up, down, item [nodes]int32
	option                      [nodes]int32 // 9·cell + digit - 1
	size                        [items + 1]int32
	answer                      [81]byte
)

// build links all 729 options. Node 0 is the head of the items 1..324, and the
// four nodes of option i are 325+4i and on.
func build() {
	for i := range int32(items + 1) {
		left[i], right[i] = i-1, i+1
		up[i], down[i], item[i] = i, i, i
	}
	left[0], right[items] = items, 0
	n := int32(items + 1)
	for i := range int32(729) {
		cell, d := i/9, i%9
		row, col := cell/9, cell%9
		box := row/3*3 + col/3
		for _, it := range [4]int32{1 + cell, 82 + 9*row + d, 163 + 9*col + d, 244 + 9*box + d} {
			item[n], option[n] = it, i
			up[n], down[n] = up[it], it
			down[up[it]], up[it] = n, n
			size[it]++
			n++
		}
	}
}

// sibling returns the node k places after n among the four of its option,
// round and round.
func sibling(n, k int32) int32 {
	base := n - (n-items-1)%4
	return base + (n-base+k)%4
}

func cover(it int32) {
	right[left[it]], left[right[it]] = right[it], left[it]
	for i := down[it]; i != it; i = down[i] {
		for k := int32(1); k < 4; k++ {
			j := sibling(i, k)
			down[up[j]], up[down[j]] = down[j], up[j]
			size[item[j]]--
		}
	}
}

func uncover(it int32) {
	for i := up[it]; i != it; i = up[i] {
		for k := int32(3); k > 0; k-- {
			j := sibling(i, k)
			size[item[j]]++
			down[up[j]], up[down[j]] = j, j
		}
	}
	right[left[it]], left[right[it]] = it, it
}

func search() bool {
	if right[0] == 0 {
		return true
	}
	best := right[0]
	for it := right[best]; it != 0 && size[best] > 1; it = right[it] {
		if size[it] < size[best] {
			best = it
		}
	}
	found := false
	cover(best)
	for n := down[best]; n != best && !found; n = down[n] {
		for k := int32(1); k < 4; k++ {
			cover(item[sibling(n, k)])
		}
		answer[option[n]/9] = byte('1' + option[n]%9)
		found = search()
		for k := int32(3); k > 0; k-- {
			uncover(item[sibling(n, k)])
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
		first := int32(items + 1 + 4*(9*c+int(ch-'1')))
		given[n] = first
		n++
		for k := range int32(4) {
			cover(item[first+k])
		}
	}
	search()
	for ; n > 0; n-- {
		for k := int32(3); k >= 0; k-- {
			uncover(item[given[n-1]+k])
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
