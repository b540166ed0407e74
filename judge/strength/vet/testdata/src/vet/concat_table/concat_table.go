package main

import "fmt"

var (
	worth  = []int{10, 9, 5, 4, 1}
	letter = []string{"X", "IX", "V", "IV", "I"}
)

// roman writes a number below 40.
func roman(n int) string {
	s := ""
	for i, v := range worth {
		for n >= v {
			s += letter[i]
			n -= v
		}
	}
	return s
}

var marks string

func strokes(n, v int) string {
	for n >= v {
		marks += "|" // want `marks grows by concatenation in a loop`
		n -= v
	}
	return marks
}

func main() {
	var n int
	fmt.Scan(&n)
	head := ""
	for i := range letter {
		head += " " + roman(i+1)
	}
	fmt.Println(head, strokes(n, 2))
}
