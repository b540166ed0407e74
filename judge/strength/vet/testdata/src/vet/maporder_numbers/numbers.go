package main

import "fmt"

func main() {
	seen := map[int]bool{}
	var a []int
	for range 3 {
		var x int
		fmt.Scan(&x)
		a, seen[x] = append(a, x), true
	}
	number, place, group := map[int]int{}, map[int]int{}, map[int]int{}
	n := 0
	for x := range seen {
		number[x] = n // want `the numbers in number, which are written`
		n++
	}
	for x := range seen {
		place[x] = len(place) // want `the numbers in place, which are written`
	}
	// The numbers of groups decide nothing but which are equal.
	for x := range seen {
		group[x] = len(group)
	}
	for _, x := range a {
		fmt.Println(number[x], place[x], group[x] == group[a[0]])
	}
}
