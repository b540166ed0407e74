package main

import (
	"bufio"
	"fmt"
	"os"
)

func total(a []int, i int) int {
	if i >= len(a) {
		return 0
	}
	return a[i] + total(a, i+1) // seeded: recursion
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	fmt.Println(total(a, 0))
}
