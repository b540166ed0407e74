package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	n      int
	used   [20]bool
	chosen []int
	free   [20]int
	lines  [20]bool
)

// place leaves its marks when it finds a solution, which is the fault.
func place(r int) bool {
	if r == n {
		return true
	}
	for c := range n {
		if used[c] {
			continue
		}
		used[c] = true               // want `used keeps its value from one test case to the next`
		chosen = append(chosen, c+1) // want `chosen keeps its value from one test case to the next`
		if place(r + 1) {
			return true
		}
		used[c] = false
		chosen = chosen[:len(chosen)-1]
	}
	return false
}

// count takes all its steps back.
func count(r int) (ways int) {
	if r == n {
		return 1
	}
	for c := range n {
		if free[c] == 0 && !lines[c] {
			free[c]++
			ways += count(r + 1)
			free[c]--
		}
	}
	return ways
}

var (
	stamp  [20]int
	search int
)

// reached marks by the number of the search, so older marks count as none.
func reached(r int) bool {
	if stamp[r] == search {
		return false
	}
	stamp[r] = search
	return r+1 == n || reached(r+1)
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var cases int
	fmt.Fscan(in, &cases)
	for range cases {
		fmt.Fscan(in, &n)
		for c := range n {
			var x int
			fmt.Fscan(in, &x)
			lines[c] = x > 0
		}
		for range n {
			search++
			reached(0)
		}
		fmt.Fprintln(out, count(0), place(0), chosen)
	}
}
