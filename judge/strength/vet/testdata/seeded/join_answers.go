package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var t int
	fmt.Fscan(in, &t)
	output := ""
	for ; t > 0; t-- {
		var n int64
		fmt.Fscan(in, &n)
		output = fmt.Sprintf("%s%d\n", output, n*(n+1)/2) // seeded: concat
	}
	fmt.Print(output)
}
