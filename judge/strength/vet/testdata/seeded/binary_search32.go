package main

import (
	"bufio"
	"fmt"
	"os"
)

func lower(a []int32, x int32) int32 {
	var lo, hi int32 = 0, int32(len(a))
	for lo < hi {
		mid := (lo + hi) / 2 // seeded: overflow
		if a[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, x int32
	fmt.Fscan(in, &n, &x)
	a := make([]int32, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	fmt.Println(lower(a, x))
}
