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
	p := make([]int, n+1)
	for i := 2; i <= n; i++ {
		fmt.Fscan(in, &p[i])
	}
	path := []int{}
	for v := n; v != 0; v = p[v] {
		path = append([]int{v}, path...) // seeded: concat
	}
	for _, v := range path {
		fmt.Fprint(out, v, " ")
	}
}
