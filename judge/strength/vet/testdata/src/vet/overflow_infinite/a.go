package main

import (
	"fmt"
	"math"
)

func main() {
	var n int
	fmt.Scan(&n)
	d, e := make([][]int, n), make([][]int, n)
	for i := range d {
		d[i], e[i] = make([]int, n), make([]int, n)
		for j := range d[i] {
			d[i][j] = math.MaxInt
			e[i][j] = math.MaxInt
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j]) // want `the sum overflows int if both elements of d are still at their start value`
				if e[i][k] < math.MaxInt && e[k][j] < math.MaxInt {
					e[i][j] = min(e[i][j], e[i][k]+e[k][j])
				}
			}
		}
	}
	if d[0][n-1] == math.MaxInt { // too late
		fmt.Println("no path")
	}
	fmt.Println(d, e)
}
