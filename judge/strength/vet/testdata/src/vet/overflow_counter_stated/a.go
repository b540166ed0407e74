package main

import "fmt"

// A tree of n <= 50000 vertices.
func main() {
	var n int
	fmt.Scan(&n)
	parent := make([]int16, n)
	root := make([]uint16, n)
	for v := 0; v < n; v++ {
		parent[v] = int16(v) // want `int16 cannot hold a counter above 32767`
		root[v] = uint16(v)
	}
	fmt.Println(parent, root)
}
