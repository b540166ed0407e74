package main

import (
	"bufio"
	"fmt"
	"os"
)

func read() (x int) {
	fmt.Scan(&x) // want `fmt.Scan in a loop`
	return x
}

func main() {
	var n, m int
	fmt.Scanf("%d", &n) // once
	for i := 0; i < n; i++ {
		fmt.Scanf("%d\n", &m) // want `fmt.Scanf in a loop`
		m += read()
	}
	for range 8 {
		fmt.Scanln(&m) // few
	}
	in := bufio.NewReader(os.Stdin)
	for range n {
		fmt.Fscan(in, &m) // nothing shows that the input is large
	}
}
