//go:build ignore

// Idea: none. Every one of the 2 * 6^8 arrangements of the completed grid is
// written out and then compared with the incomplete grid, cell by cell.
//
// Source: own; the plainest correct program.
//
// Time: 3.4 million grids of 81 cells for each No, about 0.3 s. Memory: constant.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type grid [9][9]byte

var orders = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// lines lists all 6^4 orders that nine rows or columns can be brought into.
func lines() (all [][9]int) {
	for _, big := range orders {
		for _, x := range orders {
			for _, y := range orders {
				for _, z := range orders {
					var l [9]int
					for i := range 3 {
						l[i], l[3+i], l[6+i] = 3*big[0]+x[i], 3*big[1]+y[i], 3*big[2]+z[i]
					}
					all = append(all, l)
				}
			}
		}
	}
	return all
}

// fits reports whether renumbering full makes it a solution of todo.
func fits(full, todo *grid) bool {
	var to, from [10]byte
	ok := true
	for r := range 9 {
		for c := range 9 {
			a, b := todo[r][c], full[r][c]
			if a == 0 {
				continue
			}
			if to[a] == 0 && from[b] == 0 {
				to[a], from[b] = b, a
			}
			if to[a] != b {
				ok = false
			}
		}
	}
	return ok
}

func equivalent(done, todo *grid) bool {
	all := lines()
	for range 2 {
		for _, rows := range all {
			for _, cols := range all {
				var full grid
				for r := range 9 {
					for c := range 9 {
						full[r][c] = done[rows[r]][cols[c]]
					}
				}
				if fits(&full, todo) {
					return true
				}
			}
		}
		var turned grid
		for r := range 9 {
			for c := range 9 {
				turned[r][c] = done[8-c][r]
			}
		}
		*done = turned
	}
	return false
}

func main() {
	in := bufio.NewReader(os.Stdin)
	read := func() (g grid) {
		var digits string
		for len(digits) < 81 {
			var word string
			fmt.Fscan(in, &word)
			digits += word
		}
		for i := range 81 {
			g[i/9][i%9] = digits[i] - '0'
		}
		return g
	}
	var pairs int
	fmt.Fscan(in, &pairs)
	for range pairs {
		done, todo := read(), read()
		if equivalent(&done, &todo) {
			fmt.Println("Yes")
		} else {
			fmt.Println("No")
		}
	}
}
