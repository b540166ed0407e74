package main

import "fmt"

// The state is that of one test case.
var set = map[int]bool{}
var sum int

func main() {
	var q int
	fmt.Scan(&q)
	for ; q > 0; q-- {
		var x int
		fmt.Scan(&x)
		set[x] = true
		sum += x
		fmt.Println(len(set), sum)
	}
}
