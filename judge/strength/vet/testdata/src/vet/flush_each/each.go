package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		var n int
		if fmt.Fscan(in, &n); n == 0 {
			return // want `no Flush comes after the last output here`
		}
		if n < 0 {
			break
		}
		fmt.Fprintln(out, n)
	}
	out.Flush()
}
