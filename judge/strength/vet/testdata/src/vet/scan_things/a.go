package main

import (
	"bufio"
	"fmt"
	"os"
)

// Each of up to 150 000 parcels has a weight of at most 2000 grams.
func main() {
	in := bufio.NewReader(os.Stdin)
	seen := make(map[int]bool)
	var n, x int
	fmt.Fscan(in, &n)
	for range n {
		fmt.Fscan(in, &x) // want `fmt.Fscan is slow for input as large`
		seen[x] = true
	}
	fmt.Println(len(seen))
}
