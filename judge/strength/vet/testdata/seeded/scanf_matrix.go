package main

import "fmt"

func read2d(n, m int) [][]int {
	g := make([][]int, n)
	for i := range g {
		g[i] = make([]int, m)
		for j := range g[i] {
			fmt.Scanf("%d", &g[i][j]) // seeded: scan
		}
	}
	return g
}

func main() {
	var n, m int
	fmt.Scanf("%d %d\n", &n, &m)
	g := read2d(n, m)
	best := 0
	for i := range g {
		for j := range g[i] {
			if g[i][j] > best {
				best = g[i][j]
			}
		}
	}
	fmt.Println(best)
}
