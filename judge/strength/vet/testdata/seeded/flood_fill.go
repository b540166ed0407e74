package main

import (
	"bufio"
	"fmt"
	"os"
)

var dx = []int{0, 0, 1, -1}
var dy = []int{1, -1, 0, 0}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, m int
	fmt.Fscan(in, &n, &m)
	g := make([][]byte, n)
	for i := range g {
		var s string
		fmt.Fscan(in, &s)
		g[i] = []byte(s)
	}
	var fill func(x, y int)
	fill = func(x, y int) {
		if x < 0 || y < 0 || x >= n || y >= m || g[x][y] == '#' {
			return
		}
		g[x][y] = '#'
		for d := 0; d < 4; d++ {
			fill(x+dx[d], y+dy[d]) // seeded: recursion
		}
	}
	rooms := 0
	for i := 0; i < n; i++ {
		for j := 0; j < m; j++ {
			if g[i][j] == '.' {
				rooms++
				fill(i, j)
			}
		}
	}
	fmt.Println(rooms)
}
