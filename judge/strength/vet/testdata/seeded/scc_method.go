package main

import (
	"bufio"
	"fmt"
	"os"
)

type graph struct {
	n        int
	out      map[int][]int
	visited  []bool
	finished []int
}

func (g *graph) visit(v int) {
	g.visited[v] = true
	for i := 0; i < len(g.out[v]); i++ {
		u := g.out[v][i]
		if !g.visited[u] {
			g.visit(u) // seeded: recursion
		}
	}
	g.finished = append(g.finished, v)
}

func main() {
	rd := bufio.NewReader(os.Stdin)
	wr := bufio.NewWriter(os.Stdout)
	defer wr.Flush()
	g := graph{out: map[int][]int{}}
	var m int
	fmt.Fscan(rd, &g.n, &m)
	g.visited = make([]bool, g.n+1)
	for ; m > 0; m-- {
		var a, b int
		fmt.Fscan(rd, &a, &b)
		g.out[a] = append(g.out[a], b)
	}
	for v := 1; v <= g.n; v++ {
		if !g.visited[v] {
			g.visit(v)
		}
	}
	for i := len(g.finished) - 1; i >= 0; i-- {
		fmt.Fprint(wr, g.finished[i], " ")
	}
}
