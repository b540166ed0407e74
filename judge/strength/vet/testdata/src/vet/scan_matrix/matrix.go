package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var cases, n int
	fmt.Fscan(in, &cases)
	for range cases {
		fmt.Fscan(in, &n)
		sum := 0
		for range n {
			for range n {
				var x int
				fmt.Fscan(in, &x) // want `fmt.Fscan is slow for input as large as this program seems to expect; use a bufio.Scanner and strconv.Atoi`
				sum += x
			}
		}
		fmt.Println(sum)
	}
}
