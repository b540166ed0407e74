package main

import (
	"fmt"

	"github.com/emirpasic/gods/trees/redblacktree" // seeded: imports
	"golang.org/x/exp/constraints"                 // seeded: imports
)

func smaller[T constraints.Ordered](a, b T) T {
	if a < b {
		return a
	}
	return b
}

func main() {
	t := redblacktree.NewWithIntComparator()
	t.Put(1, "x")
	fmt.Println(t.Size(), smaller(1, 2))
}
