package main

import "fmt"

var n int
var used [20]bool
var perm []int

func rec() {
	if len(perm) == n {
		for _, x := range perm {
			fmt.Print(x, " ") // seeded: unbuffered
		}
		fmt.Println() // seeded: unbuffered
		return
	}
	for i := 1; i <= n; i++ {
		if used[i] {
			continue
		}
		used[i] = true
		perm = append(perm, i)
		rec()
		perm = perm[:len(perm)-1]
		used[i] = false
	}
}

func main() {
	fmt.Scan(&n)
	rec()
}
