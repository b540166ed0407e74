package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 4<<20)
	var n, x, sum int
	fmt.Fscan(in, &n)
	for range n {
		fmt.Fscan(in, &x) // want `fmt.Fscan is slow for input as large`
		sum += x
	}
	fmt.Println(sum)
}
