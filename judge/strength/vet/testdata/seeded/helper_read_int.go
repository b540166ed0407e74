package main

import (
	"fmt"
	"sort"
)

func readInt() int {
	var x int
	fmt.Scan(&x) // seeded: scan
	return x
}

func main() {
	n := readInt()
	a := make([]int, 0, n)
	for len(a) < n {
		a = append(a, readInt())
	}
	sort.Ints(a)
	fmt.Println(a[n/2])
}
