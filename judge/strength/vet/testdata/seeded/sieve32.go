package main

import "fmt"

func main() {
	var n int32
	fmt.Scan(&n)
	comp := make([]bool, n+1)
	var cnt int
	for i := int32(2); i <= n; i++ {
		if comp[i] {
			continue
		}
		cnt++
		for j := i * i; j <= n; j += i { // seeded: overflow
			comp[j] = true
		}
	}
	fmt.Println(cnt)
}
