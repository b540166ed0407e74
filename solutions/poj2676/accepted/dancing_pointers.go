//go:build ignore

// Sudoku as exact cover, solved by dancing links of pointers.
//
// Idea: putting a digit into a cell is an option that covers four items: the
// cell, and the digit in its row, its column and its box. An option's four nodes
// are a ring without a header, an item's nodes a ring through its header, and
// the headers of what is still to be covered are a ring themselves. What is
// unlinked keeps its own pointers, so the same steps backwards link it again.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; algorithm X
// with the S heuristic (an item with the fewest options first).
//
// Time: exponential at worst; about 0.05 ms for a usual puzzle. The 729 options
// are linked once; what is given gets covered, and uncovered after the search.
// Memory: 3241 nodes of 56 bytes.
// Weak: no propagation beyond items with one option, so the hardest puzzles take
// some hundreds of guesses.
package main

import (
	"bufio"
	"os"
	"strconv"
)

type node struct {
	left, right, up, down *node
	item                  *node // the header of the node's item
	size                  int   // of a header: its options that are left
	option                int   // 9·cell + digit - 1
}

var (
	head   node // of the ring of items
	items  [324]node
	pool   [4 * 729]node
	answer [81]byte
)

// link links all options.
func link() {
	head.left, head.right = &head, &head
	for i := range items {
		it := &items[i]
		it.up, it.down, it.item = it, it, it
		it.left, it.right = head.left, &head
		it.left.right, head.left = it, it
	}
	for o := range 729 {
		cell, d := o/9, o%9
		r, c := cell/9, cell%9
		nodes := pool[4*o : 4*o+4]
		for k, i := range [4]int{cell, 81 + 9*r + d, 162 + 9*c + d, 243 + 9*(r/3*3+c/3) + d} {
			n, it := &nodes[k], &items[i]
			n.item, n.option = it, o
			n.left, n.right = &nodes[(k+3)%4], &nodes[(k+1)%4]
			n.up, n.down = it.up, it
			n.up.down, it.up = n, n
			it.size++
		}
	}
}

func cover(it *node) {
	it.left.right, it.right.left = it.right, it.left
	for i := it.down; i != it; i = i.down {
		for j := i.right; j != i; j = j.right {
			j.up.down, j.down.up = j.down, j.up
			j.item.size--
		}
	}
}

func uncover(it *node) {
	for i := it.up; i != it; i = i.up {
		for j := i.left; j != i; j = j.left {
			j.item.size++
			j.up.down, j.down.up = j, j
		}
	}
	it.left.right, it.right.left = it, it
}

func dance() bool {
	best := head.right
	if best == &head {
		return true
	}
	for it := best.right; it != &head && best.size > 1; it = it.right {
		if it.size < best.size {
			best = it
		}
	}
	found := false
	cover(best)
	for i := best.down; i != best && !found; i = i.down {
		answer[i.option/9] = byte('1' + i.option%9)
		for j := i.right; j != i; j = j.right {
			cover(j.item)
		}
		found = dance()
		for j := i.left; j != i; j = j.left {
			uncover(j.item)
		}
	}
	uncover(best)
	return found
}

// solve leaves a solution in answer, and the links as they were.
func solve(puzzle []byte) {
	var given [81]*node
	n := 0
	for cell, ch := range puzzle {
		if ch == '0' {
			continue
		}
		answer[cell] = ch
		o := &pool[4*(9*cell+int(ch-'1'))]
		given[n] = o
		n++
		cover(o.item)
		for j := o.right; j != o; j = j.right {
			cover(j.item)
		}
	}
	dance()
	for n > 0 {
		n--
		o := given[n]
		for j := o.left; j != o; j = j.left {
			uncover(j.item)
		}
		uncover(o.item)
	}
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	link()
	in.Scan()
	t, _ := strconv.Atoi(in.Text())
	var puzzle [81]byte
	for range t {
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
}
