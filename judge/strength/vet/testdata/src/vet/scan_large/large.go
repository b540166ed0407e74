package main

import (
	"bufio"
	"fmt"
	"os"
)

var a [1e6]int

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	for i := range n {
		fmt.Fscan(in, &a[i]) // want `fmt.Fscan is slow for input as large`
	}
	sc := bufio.NewScanner(in)
	for sc.Scan() {
		fmt.Sscanf(sc.Text(), "%d", &n) // want `fmt.Sscanf is slow`
	}
}
