package main

import "fmt"

var n int

// There are at most 92 solutions.
func place(row int, columns []int) {
	if row == n {
		fmt.Println(columns)
		return
	}
	for c := range n {
		free := true
		for r, d := range columns {
			free = free && d != c && d-c != row-r && c-d != row-r
		}
		if free {
			place(row+1, append(columns, c))
		}
	}
}

func main() {
	fmt.Scan(&n)
	place(0, nil)
}
