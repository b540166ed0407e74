package main

import "fmt"

const mod = 998244353

var cache map[int]int

func ways(n int) int {
	if n <= 1 {
		return 1
	}
	if v, ok := cache[n]; ok {
		return v
	}
	cache[n] = (ways(n-1) + ways(n-2)) % mod // seeded: recursion
	return cache[n]
}

func main() {
	cache = make(map[int]int)
	var n int
	fmt.Scanln(&n)
	fmt.Println(ways(n))
}
