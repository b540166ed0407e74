package main

import (
	"bufio"
	"fmt"
	"os"
)

// At most 100 lines with x up to 10^6, t < 1000, n <= 10^18 in the last. The sum is written
// modulo 10^9+7, with up to 100000 digits.
func main() {
	in := bufio.NewReader(os.Stdin)
	var n, x, sum int
	fmt.Fscan(in, &n)
	for range n {
		fmt.Fscan(in, &x)
		sum += x
	}
	fmt.Println(sum)
}
