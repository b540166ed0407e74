package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var n int
	if _, err := fmt.Fscan(in, &n); err != nil {
		return // nothing has been written
	}
	if n == 0 {
		fmt.Fprintln(out, "none")
		out.Flush()
		return
	}
	for range n {
		fmt.Fprintln(out, n)
	}
	out.Flush()
}
