package main

import (
	"bufio"
	"fmt"
	"os"
)

const N = 1e6 + 10

var a [N]int

func main() {
	reader := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(reader, &n)
	x := 0
	for i := 1; i <= n; i++ {
		fmt.Fscan(reader, &a[i]) // seeded: scan
		x ^= a[i]
	}
	fmt.Println(x)
}
