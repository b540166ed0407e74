package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n int
	fmt.Fscan(in, &n)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	fmt.Fprintln(os.Stderr, "read", n) // seeded: debug
	s := 0
	for i, x := range a {
		s += x
		println(i, s) // seeded: debug
	}
	fmt.Fprintln(out, "s =", s) // seeded: debug
	fmt.Fprintln(out, s)
}
