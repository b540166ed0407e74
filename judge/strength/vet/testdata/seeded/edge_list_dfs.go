package main

import (
	"bufio"
	"fmt"
	"os"
)

const maxn = 100005

var (
	head    [maxn]int
	nxt, to [2 * maxn]int
	tot     int
	low     [maxn]int
	dfn     [maxn]int
	stamp   int
	bridges int
)

func link(u, v int) {
	tot++
	nxt[tot], to[tot], head[u] = head[u], v, tot
}

func tarjan(u, from int) {
	stamp++
	dfn[u], low[u] = stamp, stamp
	for e := head[u]; e > 0; e = nxt[e] {
		v := to[e]
		if dfn[v] == 0 {
			tarjan(v, e) // seeded: recursion
			low[u] = min(low[u], low[v])
			if low[v] > dfn[u] {
				bridges++
			}
		} else if e != from^1 {
			low[u] = min(low[u], dfn[v])
		}
	}
}

func main() {
	tot = 1
	var n, m int
	in := bufio.NewReader(os.Stdin)
	fmt.Fscan(in, &n, &m)
	for i := 0; i < m; i++ {
		var u, v int
		fmt.Fscan(in, &u, &v)
		link(u, v)
		link(v, u)
	}
	tarjan(1, 0)
	fmt.Println(bridges)
}
