package main

import (
	"bufio"
	"fmt"
	"os"
)

func pick(s map[int]bool) int {
	for x := range s {
		return x // seeded: maporder
	}
	return -1
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	s := map[int]bool{}
	for i := 1; i <= n; i++ {
		s[i] = true
	}
	order := []int{}
	for len(s) > 0 {
		x := pick(s)
		order = append(order, x)
		delete(s, x)
	}
	fmt.Println(order)
}
