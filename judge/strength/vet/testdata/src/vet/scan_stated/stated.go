package main

import (
	"bufio"
	"fmt"
	"os"
)

// 1 <= n, m <= 2*10^5
func main() {
	in := bufio.NewReader(os.Stdin)
	var n, x, sum int
	fmt.Fscan(in, &n)
	for range n {
		fmt.Fscan(in, &x) // want `fmt.Fscan is slow for input as large`
		sum += x
	}
	fmt.Println(sum)
}
