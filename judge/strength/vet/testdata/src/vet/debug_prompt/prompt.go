package main

import "fmt"

func main() {
	var n int
	fmt.Print("Enter n: ") // want `prints the text "Enter n:"`
	fmt.Scan(&n)
	fmt.Println("Enter at", n)
	fmt.Println("Center:", n)
}
