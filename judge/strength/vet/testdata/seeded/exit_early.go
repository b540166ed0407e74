package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	var n int
	fmt.Fscan(bufio.NewReader(os.Stdin), &n)
	if n%2 == 1 {
		fmt.Fprintln(w, -1)
		os.Exit(0) // seeded: flush
	}
	fmt.Fprintln(w, n/2)
}
