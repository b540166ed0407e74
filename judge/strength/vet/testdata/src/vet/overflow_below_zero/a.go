package main

import "fmt"

func main() {
	var n, k, last, first uint32
	fmt.Scan(&n, &k, &last, &first)
	window := uint32(0)
	for i := uint32(0); i < n; i++ {
		if i-k > 0 { // want `the difference of unsigned uint32 is never below 0; compare i with k`
			window += i
		}
		if n-i >= 0 { // want `the difference of unsigned uint32 is never below 0; compare n with i`
			window++
		}
	}
	// Here a condition makes sure that the difference is not negative.
	if last >= first && last-first > 0 {
		window += last - first
	}
	// A character and a constant are compared in this way on purpose.
	for _, c := range []byte("2026") {
		if c-'0' >= 0 && c-'0' <= 9 {
			window += uint32(c - '0')
		}
	}
	fmt.Println(window)
}
