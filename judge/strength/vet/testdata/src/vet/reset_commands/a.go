package main

import "fmt"

var (
	stack []int
	found []int
)

// The stack stays from one query to the next, and found is a list for each of them.
func main() {
	var q int
	fmt.Scan(&q)
	for i := 0; i < q; i++ {
		found = found[:0]
		var kind string
		var x int
		fmt.Scan(&kind, &x)
		if kind == "push" {
			stack = append(stack, x)
			continue
		}
		for _, y := range stack {
			if y > x {
				found = append(found, y)
			}
		}
		fmt.Println(found, len(stack))
	}
}
