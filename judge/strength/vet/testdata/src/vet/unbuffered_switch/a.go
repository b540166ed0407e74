package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var q, x, sum int
	fmt.Fscan(in, &q)
	for range q {
		var kind string
		fmt.Fscan(in, &kind, &x)
		switch kind {
		case "add":
			sum += x
		case "sum":
			fmt.Fprintln(out, sum)
			out.Flush() // want `Flush in a loop writes each line with a system call`
		}
		if out.Buffered() > 1<<15 {
			out.Flush()
		}
	}
	out.Flush()
}
