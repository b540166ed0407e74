package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	seen := make(map[string]bool, 250_000)
	for {
		var word string
		if _, err := fmt.Fscan(in, &word); err != nil { // want `fmt.Fscan is slow for input as large`
			break
		}
		seen[word] = true
	}
	fmt.Println(len(seen))
}
