package main

import "fmt"

func main() {
	var n int
	fmt.Sscan("3", &n)
	for i := range n {
		fmt.Println(i)          // want `fmt.Println in a loop`
		fmt.Printf("%d\n", i+1) // want `fmt.Printf in a loop`
	}
	fmt.Print()
}
