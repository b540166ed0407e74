package main

import (
	"bufio"
	"fmt"
	"math/big"
	"os"
)

// The sum of n numbers of up to 100000 digits.
func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	seen := make(map[string]bool, 1000)
	sum := new(big.Int)
	var n int
	fmt.Fscan(in, &n)
	for range n {
		var s string
		fmt.Fscan(in, &s)
		x, _ := new(big.Int).SetString(s, 10)
		sum.Add(sum, x)
		seen[s] = true
	}
	fmt.Println(sum, len(seen))
}
