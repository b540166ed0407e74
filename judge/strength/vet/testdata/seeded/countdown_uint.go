package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n uint
	fmt.Fscan(in, &n)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := n - 1; i >= 0; i-- { // seeded: overflow
		fmt.Fprintln(out, a[i])
	}
}
