package main

import (
	"bufio"
	"fmt"
	"os"
)

const most = 1000

var grid [most + 1][most + 1]int

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, queries int
	fmt.Fscan(in, &n, &queries)
	for i := range n {
		for j := range n {
			fmt.Fscan(in, &grid[i][j]) // want `fmt.Fscan is slow for input as large`
		}
	}
	for range queries { // perhaps a few
		var i, j int
		fmt.Fscan(in, &i, &j)
		fmt.Println(grid[i][j])
	}
}
