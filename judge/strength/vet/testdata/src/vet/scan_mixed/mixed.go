package main

import "fmt"

// There is no fix: Scan leaves the end of the line in a buffer, where Scanln stops.
func main() {
	var n int
	fmt.Scan(&n)
	for ; n > 0; n-- {
		var s string
		fmt.Scanln(&s) // want `fmt.Scanln in a loop`
	}
}
