package main

import "fmt"

func main() {
	var t int
	fmt.Scan(&t)
	for t > 0 {
		t--
		var a, b int
		fmt.Scan(&a, &b)   // seeded: scan
		fmt.Println(a + b) // seeded: unbuffered
	}
}
