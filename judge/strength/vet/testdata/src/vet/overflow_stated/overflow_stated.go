package main

import "fmt"

// A ball is thrown k <= 10^17 times by step <= 10^6 places, n <= 1000; then a, b <= 10^18.

func where(k, step, n int64) int64 {
	return (1 + k*step) % n // want `the product overflows int64 at the stated limits`
}

func main() {
	var k, step, n, a, b int64
	fmt.Scan(&k, &step, &n, &a, &b)
	a %= n
	fmt.Println(where(k, step, n), step*n%7, a*b%n)
}
