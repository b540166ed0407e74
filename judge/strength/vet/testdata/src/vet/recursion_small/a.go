package main

import "fmt"

var (
	near    [][]int
	visited []bool
	grid    [][]byte
)

// The graph has n <= 400 vertices.
func visit(v int) {
	visited[v] = true
	for _, w := range near[v] {
		if !visited[w] {
			visit(w)
		}
	}
}

// fill may have n*n open calls.
func fill(r, c int) {
	if r < 0 || c < 0 || r == len(grid) || c == len(grid[r]) || grid[r][c] != '.' {
		return
	}
	grid[r][c] = '#'
	fill(r+1, c) // want `fill calls itself once for each vertex that it visits`
	fill(r-1, c)
	fill(r, c+1)
	fill(r, c-1)
}

func main() {
	var n int
	fmt.Scan(&n)
	near, visited = make([][]int, n), make([]bool, n)
	for v := range near {
		near[v] = append(near[v], (v+1)%n)
		grid = append(grid, make([]byte, n))
	}
	visit(0)
	fill(0, 0)
	fmt.Println(visited, grid)
}
