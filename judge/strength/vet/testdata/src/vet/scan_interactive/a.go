package main

import "fmt"

func main() {
	low, high := 1, 1000
	for low < high {
		middle := (low + high) / 2
		fmt.Println("?", middle)
		var answer string
		fmt.Scanln(&answer)
		if answer == "<" {
			high = middle
		} else {
			low = middle + 1
		}
	}
	var n, sum int
	fmt.Println("!", low)
	fmt.Scan(&n)
	for range n {
		var x int
		fmt.Scan(&x) // want `fmt.Scan in a loop reads os.Stdin byte by byte`
		sum += x
		fmt.Println(sum)
	}
}
