package main

import "fmt"

var open, done []rune

// Brackets: what is open remains there if the program asks, at the end, whether any is.
func main() {
	var tests int
	fmt.Scan(&tests)
	for range tests {
		var s string
		fmt.Scan(&s)
		for _, c := range s {
			if c == '(' {
				open = append(open, c) // want `open keeps its value`
			} else if len(open) > 0 {
				open = open[:len(open)-1]
			}
			done = append(done, c)
		}
		fmt.Println(len(open) == 0)
		for len(done) > 0 {
			done = done[:len(done)-1]
		}
	}
}
