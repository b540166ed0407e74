package main

import (
	"bufio"
	"fmt"
	"os"
)

// 1 <= n <= 100, |x| <= 10^9
func main() {
	var n int
	fmt.Scan(&n)
	for i := range n {
		fmt.Println(i)
		for j := range n {
			fmt.Println(i * j)
			for k := range n {
				fmt.Println(i * j * k) // want `Println in a loop writes to os.Stdout with a system call each time`
			}
		}
	}
	for range n {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // want `each reader keeps input that the next one misses`
		fmt.Print(line)
	}
}
