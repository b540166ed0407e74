package main

import (
	"fmt"
	"os"
)

var n int

// All subsets of at most 20 cards.
func subsets(i int, chosen []int) {
	if i == n {
		fmt.Fprintln(os.Stdout, chosen) // want `Fprintln in a loop writes to os.Stdout with a system call each time`
		return
	}
	subsets(i+1, chosen)
	subsets(i+1, append(chosen, i))
}

func main() {
	fmt.Scan(&n)
	subsets(0, nil)
}
