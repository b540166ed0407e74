package main

import (
	"bufio"
	"fmt"
	"os"
)

func search(depth int) int {
	if depth == 20 {
		return 1
	}
	fmt.Println(depth) // want `leftover debug output: fmt.Println does not write to the buffer of the other output`
	return search(depth+1) + search(depth+1)
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, search(0))
}
