package main

import (
	"bufio"
	"fmt"
	"os"
)

var adj [][]int

func depth(u, parent int) int {
	best := 0
	for _, v := range adj[u] {
		if v == parent {
			continue
		}
		if d := depth(v, u) + 1; d > best { // seeded: recursion
			best = d
		}
	}
	return best
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	adj = make([][]int, n+1)
	for i := 1; i < n; i++ {
		var u, v int
		fmt.Fscan(in, &u, &v)
		adj[u] = append(adj[u], v)
		adj[v] = append(adj[v], u)
	}
	fmt.Println(depth(1, 0))
}
