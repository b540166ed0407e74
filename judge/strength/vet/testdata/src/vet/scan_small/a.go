package main

import "fmt"

// A table of at most 20 towns, and t tables.
func main() {
	var n int
	fmt.Scan(&n)
	for range n * n {
		var x int
		fmt.Scan(&x)
		fmt.Scanln(&x)
	}
	for range n {
		for range n {
			for range n {
				for range n {
					var x int
					fmt.Scan(&x) // want `fmt.Scan in a loop reads os.Stdin byte by byte`
				}
			}
		}
	}
}
