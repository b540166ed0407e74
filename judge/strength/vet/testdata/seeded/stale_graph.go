package main

import (
	"bufio"
	"fmt"
	"os"
)

var g [200005][]int
var vis [200005]bool

func bfs(s int) int {
	q := []int{s}
	vis[s] = true
	c := 0
	for len(q) > 0 {
		u := q[0]
		q = q[1:]
		c++
		for _, v := range g[u] {
			if !vis[v] {
				vis[v] = true
				q = append(q, v)
			}
		}
	}
	return c
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var T int
	fmt.Fscan(in, &T) // this reads one number
	for ; T > 0; T-- {
		var n, m int
		fmt.Fscan(in, &n, &m) // seeded: scan
		for i := 0; i < m; i++ {
			var u, v int
			fmt.Fscan(in, &u, &v) // seeded: scan
			g[u] = append(g[u], v)
			g[v] = append(g[v], u)
		}
		fmt.Fprintln(out, bfs(1))
	}
}
