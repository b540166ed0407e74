package main

import (
	"bufio"
	"fmt"
	"os"
)

const MAXN = 300005

var head, nxt, to [MAXN * 2]int
var cnt int

func add(u, v int) {
	cnt++
	to[cnt] = v
	nxt[cnt] = head[u]
	head[u] = cnt
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Scan()
	var n, m int
	fmt.Sscanf(sc.Text(), "%d %d", &n, &m)
	for i := 0; i < m && sc.Scan(); i++ {
		var u, v int
		fmt.Sscanf(sc.Text(), "%d %d", &u, &v) // seeded: scan
		add(u, v)
		add(v, u)
	}
	deg := 0
	for e := head[1]; e != 0; e = nxt[e] {
		deg++
	}
	fmt.Println(deg, n)
}
