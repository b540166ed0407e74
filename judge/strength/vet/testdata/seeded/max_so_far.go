package main

import (
	"bufio"
	"fmt"
	"os"
)

var in = bufio.NewReader(os.Stdin)
var out = bufio.NewWriter(os.Stdout)
var best int

func solve() {
	var n int
	fmt.Fscan(in, &n)
	cur := 0
	for i := 0; i < n; i++ {
		var x int
		fmt.Fscan(in, &x)
		cur += x
		if cur < 0 {
			cur = 0
		}
		if cur > best {
			best = cur // seeded: reset
		}
	}
	fmt.Fprintln(out, best)
}

func main() {
	defer out.Flush()
	var t int
	for fmt.Fscan(in, &t); t > 0; t-- {
		solve()
	}
}
